"""Registrations in the search of every page, and their tile on the home page."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.desk.home import Tile
from apps.desk.search import SHOWN, Group, Hit
from apps.registry.deciding import registration_of
from apps.registry.models import Registration
from apps.registry.pages.listing import matching
from apps.registry.rules.lei import NOT_IN_FORCE

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def registrations(user: "User", text: str, now: datetime) -> Group | None:
    """Find registrations by wallet, LEI or name."""
    if not user.has_perm("registry.view_registration"):
        return None
    rows = list(matching(text).order_by("-pk")[: SHOWN + 1])
    more = "All registrations found" if len(rows) > SHOWN else ""
    address = f"{reverse('admin:registry_registration_changelist')}?{urlencode({'q': text})}"
    return Group(
        "Registrations", "registry.registration", [_hit(one) for one in rows[:SHOWN]], more, address
    )


def _hit(row: Registration) -> Hit:
    state = "under review" if row.under_review else "active" if row.active else "deactivated"
    detail = " · ".join(filter(None, (row.wallet, row.lei, state)))
    return Hit(row.legal_name, detail, reverse("admin:registry_registration_change", args=[row.pk]))


def record_of(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the registration that a case is about, for who may see registrations."""
    number = registration_of(ref) if user.has_perm("registry.view_registration") else None
    if number is None:
        return None
    return "Its registration", reverse("admin:registry_registration_change", args=[number])


def tiles(user: "User", now: datetime) -> list[Tile]:
    """Return how many registrations a registrar has to look after; two counts by index."""
    if not user.has_perm("registry.register_wallet"):
        return []
    active, page = Registration.objects.active(), reverse("admin:registry_registration_waiting")
    review = active.filter(under_review=True).count()
    lapsed = active.filter(lei_status__in=NOT_IN_FORCE).count()
    return [
        Tile("Wallets under review", review, page, "warn" if review else "ok"),
        Tile("LEIs not in force", lapsed, f"{page}?of=lei", "warn" if lapsed else "ok"),
    ]
