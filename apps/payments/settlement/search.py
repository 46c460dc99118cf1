"""Settlements in the search of every page."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.payments.settlement.case_links import STATE_LABELS
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.views.settlement_list import (
    format_settlement_amount,
    settlement_search_filter,
)
from apps.platform.desk.search import SearchGroup, SearchHit, build_search_group

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_settlements(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find settlements by reference, id, hash or wallet."""
    if not user.has_perm("settlement.view_settlement"):
        return None
    return build_search_group(
        "Settlements",
        "settlement.settlement",
        Settlement.objects.filter(settlement_search_filter(text)).order_by("-pk"),
        partial(_build_hit, text=text),
        more="All of these settlements",
        text=text,
    )


def _build_hit(row: Settlement, text: str) -> SearchHit:
    at = f"{row.asked_at:%d %b %Y %H:%M} UTC"
    parts = (
        row.reference or "",
        format_settlement_amount(row),
        STATE_LABELS.get(row.state, row.state),
        at,
    )
    address = reverse("admin:settlement_settlement_change", args=[row.pk])
    exact = text == row.settlement_id
    return SearchHit(row.recipient, " · ".join(part for part in parts if part), address, exact)
