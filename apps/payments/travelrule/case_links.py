"""Pages linked from the case of a travel-rule message."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib import admin
from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.payments.travelrule.cases import KIND
from apps.payments.travelrule.integrity import find_record_faults
from apps.payments.travelrule.labels import STATUS_LABELS
from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.screening.cases import KIND as PARTY_CASE_KIND
from apps.payments.travelrule.screening.cases import OTHERS
from apps.payments.travelrule.screening.tasks import SCREENED, load_records_of_case
from apps.platform.common.uuids import parse_uuid

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def find_record_page(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the record that a case is about, for who may see records."""
    shown = admin.site.is_registered(TravelRecord)
    may = shown and user.has_perm("travelrule.view_travelrecord")
    record = _find_record(ref) if may else None
    if record is None:
        return None
    words = (
        "Its record, which failed its integrity check"
        if find_record_faults([record])
        else "Its record"
    )
    joined = len(load_records_of_case(case)) - 1 if (case := _find_party_case(ref)) else 0
    if joined:
        words += f" ({joined} further message{'s' * (joined > 1)} joined the case)"
    return words, reverse("admin:travelrule_travelrecord_change", args=[record.pk])


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages linked from an entry that a user may open."""
    related_pages = []
    if (page := find_record_page(user, ref)) is not None:
        related_pages.append(("The record", page[1]))
    if user.has_perm("review.view_case") and (case := _find_case_number(ref)):
        related_pages.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return related_pages


def describe_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Describe the status of a record and the outcome of its case."""
    outcomes = []
    record = _find_record(ref) if user.has_perm("travelrule.view_travelrecord") else None
    if record is not None:
        outcomes.append(("Travel-rule message", STATUS_LABELS[record.status]))
    if user.has_perm("review.view_case") and (case := _find_case_number(ref)):
        verdict = load_verdicts([case]).get(case, Verdict())
        outcomes.append((f"Case {case}", verdict.done or "Not decided yet"))
    return outcomes


def find_screened_at(ref: str) -> datetime | None:
    """Return when the record was made; None where there is none."""
    record = _find_record(ref)
    return record.created_at if record else None


def find_parties_screened_at(ref: str) -> datetime | None:
    """Return when the parties of a message were screened; None where no record tells."""
    record = _find_record(ref)
    steps = TravelEvent.objects.filter(record=record, event=SCREENED).order_by("number")
    travel_events = steps.values_list("recorded_at", flat=True)
    return travel_events.last() if record else None


def _find_record(ref: str) -> TravelRecord | None:
    if case := _find_party_case(ref):
        return next(iter(load_records_of_case(case)), None)
    number = parse_uuid(ref.rpartition(".")[0])
    return TravelRecord.objects.filter(record_id=number).first() if number else None


def _find_party_case(ref: str) -> Case | None:
    """Return the case of a party; also by the reference of an entry without a case of its own."""
    cases = Case.objects.filter(kind=PARTY_CASE_KIND)
    # past the limit an entry has its own reference, and its case is the one of the day's others
    # (screening/cases.py): day, sender and named counterparty are the first three parts of both
    others = f"{'.'.join(ref.split('.')[:3])}.{OTHERS}."
    return cases.filter(ref=ref).first() or cases.filter(ref__startswith=others).first()


def _find_case_number(ref: str) -> int | None:
    if case := _find_party_case(ref):
        return case.pk
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()


SAR_RECORDS = {
    "travel_rule": RecordType(
        title="Travel-rule message",
        pages=list_related_pages,
        outcome=describe_outcome,
        screened_at=find_screened_at,
    ),
    "travel_party": RecordType(
        title="Party of a travel-rule message",
        pages=list_related_pages,
        outcome=describe_outcome,
        screened_at=find_parties_screened_at,
        sentence=format_for_officers,
    ),
}
