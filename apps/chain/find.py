"""Expected transfers in the search of every page."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.chain.models import Order
from apps.chain.pages.listing import TITLES, amount_of, is_of
from apps.chain.pages.records import STATES
from apps.desk.search import SHOWN, Group, Hit

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def orders(user: "User", text: str, now: datetime) -> Group | None:
    """Find expected transfers by id, reference, transaction's hash or wallet paid."""
    if not user.has_perm("chain.view_order"):
        return None
    found = list(Order.objects.filter(is_of(text)).order_by("-pk")[: SHOWN + 1])
    page = reverse("admin:chain_order_changelist")
    more = "All of these expected transfers" if len(found) > SHOWN else ""
    hits = [_hit(one, text) for one in found[:SHOWN]]
    return Group(
        "Expected transfers", "chain.order", hits, more, f"{page}?{urlencode({'text': text})}"
    )


def _hit(row: Order, text: str) -> Hit:
    at = f"{row.opened_at:%d %b %Y %H:%M} UTC"
    parts = (amount_of(row), TITLES.get(row.chain, row.chain), STATES.get(row.state, row.state), at)
    address = reverse("admin:chain_order_change", args=[row.pk])
    return Hit(row.recipient, " · ".join(parts), address, text.lower() == row.reference)
