"""Expected transfers in the search of every page."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.payments.chain.case_links import STATE_LABELS
from apps.payments.chain.models import Order
from apps.payments.chain.views.order_and_transfer_lists import (
    CHAIN_TITLES,
    format_order_amount,
    order_search_filter,
)
from apps.platform.desk.search import SearchGroup, SearchHit, build_search_group

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_orders(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find expected transfers by id, reference, transaction's hash or wallet paid."""
    if not user.has_perm("chain.view_order"):
        return None
    return build_search_group(
        "Expected transfers",
        "chain.order",
        Order.objects.filter(order_search_filter(text)).order_by("-pk"),
        partial(_build_hit, text=text),
        more="All of these expected transfers",
        text=text,
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
