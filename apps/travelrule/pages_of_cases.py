"""The pages that stand behind the case of a travel-rule message."""

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import admin
from django.urls import reverse

from apps.review.models import Case
from apps.review.verdicts import Verdict, verdicts
from apps.travelrule.models import TravelRecord
from apps.travelrule.projection import faults
from apps.travelrule.sending.cases import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATUSES = {
    "EXEMPT": "Exempt",
    "PENDING": "To be sent",
    "SENT": "Sent",
    "STORED": "Stored",
    "FAILED": "Failed",
}


def record_of(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the record that a case is about, for who may see records."""
    shown = admin.site.is_registered(TravelRecord)
    may = shown and user.has_perm("travelrule.view_travelrecord")
    record = _record(ref) if may else None
    if record is None:
        return None
    words = "Its record, which is not as it was recorded" if faults([record]) else "Its record"
    return words, reverse("admin:travelrule_travelrecord_change", args=[record.pk])


def pages_of(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open."""
    found = []
    if (page := record_of(user, ref)) is not None:
        found.append(("The record", page[1]))
    if user.has_perm("review.view_case") and (case := _case(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def outcome_of(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how a record stands and what became of its case."""
    found = []
    record = _record(ref) if user.has_perm("travelrule.view_travelrecord") else None
    if record is not None:
        found.append(("Travel-rule message", STATUSES[record.status]))
    if user.has_perm("review.view_case") and (case := _case(ref)):
        verdict = verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def screened_at(ref: str) -> datetime | None:
    """Return when the record was made; None where there is none."""
    record = _record(ref)
    return record.created_at if record else None


def _record(ref: str) -> TravelRecord | None:
    try:
        return TravelRecord.objects.filter(record_id=UUID(ref.rpartition(".")[0])).first()
    except ValueError:
        return None


def _case(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()
