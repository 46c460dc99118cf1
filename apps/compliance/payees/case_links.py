"""The pages behind an entry of the SAR log: the registration, and its case."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.case_pages import list_case_outcomes, list_case_pages
from apps.backoffice.review.models import Case
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.compliance.payees.services.case_decisions import parse_case_registration
from apps.compliance.payees.services.registration_cases import KIND
from apps.platform.desk.time_formats import format_moment

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that a user may open; two queries.

    A registration that was refused has none: it was never made.
    """
    related_pages = []
    pk = parse_case_registration(ref)
    exists = pk is not None and Registration.objects.filter(pk=pk).exists()
    if exists and user.has_perm("registry.view_registration"):
        page = reverse("admin:registry_registration_change", args=[pk])
        related_pages.append(("The registration", page))
    return related_pages + list_case_pages(Case.objects.filter(kind=KIND, ref=ref), user)


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words what became of a registration and of its case; four queries."""
    pk = parse_case_registration(ref)
    if pk is None:
        return [("Answered", "The registration was refused without a stated reason")]
    links = []
    row = Registration.objects.filter(pk=pk).first()
    if row is not None and user.has_perm("registry.view_registration"):
        ended = f"Deactivated on {format_moment(row.ended_at)}" if row.ended_at else "Active"
        links.append(("Registration", ended))
    return links + list_case_outcomes(Case.objects.filter(kind=KIND, ref=ref), user)


def find_screened_at(ref: str) -> datetime | None:
    """Return when a registration was last screened, by its ledger; None where none is."""
    pk = parse_case_registration(ref)
    screened = (Action.REGISTERED, Action.UPGRADED, Action.CHANGED)
    # the actions that write the results of a check
    events = RegistrationEvent.objects.filter(registration=pk, action__in=screened)
    last = events.order_by("-pk").first() if pk is not None else None
    return last.recorded_at if last else None


SAR_RECORDS = {
    "registration": RecordType(
        title="Registration",
        pages=list_related_pages,
        outcome=describe_case_outcome,
        screened_at=find_screened_at,
    ),
}
