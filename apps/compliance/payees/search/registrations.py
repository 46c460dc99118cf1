"""Registrations in the search of every page, and their tile on the home page."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.compliance.payees.models import Registration
from apps.compliance.payees.rules.lei_states import NOT_IN_FORCE
from apps.compliance.payees.services.case_decisions import parse_case_registration
from apps.compliance.payees.views.registration_list import find_registrations
from apps.platform.desk.home import Tile
from apps.platform.desk.search import SearchGroup, SearchHit, build_search_group

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_registrations(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find registrations by wallet, LEI or name."""
    if not user.has_perm("registry.view_registration"):
        return None
    return build_search_group(
        "Registrations",
        "registry.registration",
        find_registrations(text).order_by("-pk"),
        _build_hit,
        more="All matching registrations",
        q=text,
    )


def _build_hit(row: Registration) -> SearchHit:
    state = "under review" if row.under_review else "active" if row.active else "deactivated"
    detail = " · ".join(filter(None, (row.wallet, row.lei, state)))
    return SearchHit(
        row.legal_name, detail, reverse("admin:registry_registration_change", args=[row.pk])
    )


def find_record_page(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the registration that a case is about, for who may see registrations."""
    number = parse_case_registration(ref) if user.has_perm("registry.view_registration") else None
    if number is None:
        return None
    return "Registration", reverse("admin:registry_registration_change", args=[number])


def build_registration_tiles(user: "User", now: datetime) -> list[Tile]:
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
