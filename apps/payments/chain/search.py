"""Expected transfers in the search of every page."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.payments.chain.models import Order
from apps.payments.chain.views.case_links import STATE_LABELS
from apps.payments.chain.views.changelists import (
    CHAIN_TITLES,
    format_order_amount,
    order_search_filter,
)
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_orders(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find expected transfers by id, reference, transaction's hash or wallet paid."""
    if not user.has_perm("chain.view_order"):
        return None
    found = list(Order.objects.filter(order_search_filter(text)).order_by("-pk")[: SHOWN + 1])
    page = reverse("admin:chain_order_changelist")
    more = "All of these expected transfers" if len(found) > SHOWN else ""
    hits = [_build_hit(one, text) for one in found[:SHOWN]]
    return SearchGroup(
        "Expected transfers", "chain.order", hits, more, f"{page}?{urlencode({'text': text})}"
    )


def _build_hit(row: Order, text: str) -> SearchHit:
    at = f"{row.opened_at:%d %b %Y %H:%M} UTC"
    parts = (
        format_order_amount(row),
        CHAIN_TITLES.get(row.chain, row.chain),
        STATE_LABELS.get(row.state, row.state),
        at,
    )
    address = reverse("admin:chain_order_change", args=[row.pk])
    return SearchHit(row.recipient, " · ".join(parts), address, text.lower() == row.reference)
