"""Settlements in the search of every page."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.desk.search import SHOWN, Group, Hit
from apps.settlement.models import Settlement
from apps.settlement.pages.listing import amount_of, is_of
from apps.settlement.pages.records import STATES

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def settlements(user: "User", text: str, now: datetime) -> Group | None:
    """Find settlements by reference, id, hash or wallet."""
    if not user.has_perm("settlement.view_settlement"):
        return None
    found = list(Settlement.objects.filter(is_of(text)).order_by("-pk")[: SHOWN + 1])
    page = reverse("admin:settlement_settlement_changelist")
    more = "All of these settlements" if len(found) > SHOWN else ""
    hits = [_hit(one, text) for one in found[:SHOWN]]
    return Group(
        "Settlements", "settlement.settlement", hits, more, f"{page}?{urlencode({'text': text})}"
    )


def _hit(row: Settlement, text: str) -> Hit:
    at = f"{row.asked_at:%d %b %Y %H:%M} UTC"
    parts = (row.reference or "", amount_of(row), STATES.get(row.state, row.state), at)
    address = reverse("admin:settlement_settlement_change", args=[row.pk])
    exact = text == row.settlement_id
    return Hit(row.recipient, " · ".join(one for one in parts if one), address, exact)
