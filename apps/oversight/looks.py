"""Second looks: an officer judges a closed case for themselves, and only then what was decided."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.core.problems import Conflict, DomainError
from apps.core.shapes import iso
from apps.desk.rules import note_fault
from apps.oversight import rules
from apps.oversight.blind import opened
from apps.oversight.models import Said, Sample, SecondLook, Verdict
from apps.review import kinds
from apps.review.models import Case, Outcome
from apps.review.verdicts import verdict as recorded
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class NotAllowed(DomainError):
    """The officer may not take this second look."""

    status, code, title = 403, "not_allowed", "Not allowed"


class BadLook(DomainError):
    """Verdict, reason or note are missing."""

    code, title = "invalid_look", "The second look is not complete"


class AlreadyLooked(Conflict):
    """Another officer took the second look, or this one has judged already."""

    code, title = "already_looked", "It was looked at"


def own_verdict(sample: Sample, user: "User") -> SecondLook | None:
    """Return the verdict that an officer gave without knowing the decision, or None."""
    return SecondLook.objects.filter(sample=sample, by=user, verdict=Said.BLIND).first()


def offered(case: Case, outcome: str) -> tuple[kinds.Reason, ...]:
    """Return the reasons that fit a case; of a kind that left, none."""
    known = case.kind in KINDS
    return kinds.named(case.kind).offered(outcome=outcome, refs=case.refs) if known else ()


@transaction.atomic
def judge(
    *, sample: Sample, by: "User", outcome: str, reason_code: str, note: str, now: datetime
) -> SecondLook:
    """Record how an officer would have decided a case, before they are told how it was.

    That they had seen what tells its decision (blind.opened) goes on record with it.
    Raises NotAllowed for who decided the case or has no permission, BadLook, AlreadyLooked.
    """
    _check(sample, by)
    reason = next((r for r in offered(sample.case, outcome) if r.code == reason_code), None)
    if outcome not in Outcome.values or (reason is None and sample.case.kind in KINDS):
        fault = "Choose an outcome and a reason that fits it."
        raise BadLook(fault, errors=[{"field": "outcome", "message": fault}])
    _check_note(note)
    locked = Sample.objects.select_for_update().get(pk=sample.pk)
    if locked.looked_by_id or own_verdict(sample, by):
        raise AlreadyLooked("This case was looked at, or you have judged it already.")
    payload = {
        "outcome": outcome,
        "reason_code": reason_code if reason else "",
        "reason": reason.label if reason else "",
        "basis": reason.basis if reason else "",
        "note": note.strip(),
    }
    if seen := opened(sample, by):
        payload["opened"] = iso(seen)
    found: SecondLook = SecondLook.write(
        payload=payload, now=now, sample=sample, by=by, verdict=Said.BLIND
    )
    return found


@transaction.atomic
def look(*, sample: Sample, by: "User", verdict: str, note: str, now: datetime) -> SecondLook:
    """Record what an officer, who has judged the case blind, finds of a colleague's decision.

    Raises NotAllowed for who decided the case or has no permission, BadLook, AlreadyLooked.
    """
    _check(sample, by)
    own = own_verdict(sample, by)
    if own is None:
        raise BadLook("Say first how you would decide this case.")
    if verdict not in Verdict.values:
        raise BadLook("Choose whether you agree.", errors=[{"field": "verdict", "message": ""}])
    _check_note(note)
    alike = agreement(sample.case, own)
    free = Sample.objects.waiting().filter(pk=sample.pk)
    if not free.update(looked_by=by, looked_at=now, verdict=verdict, agreement=alike):
        raise AlreadyLooked("Another officer looked at this case meanwhile.")
    payload = {"note": note.strip(), "agreement": alike}
    found: SecondLook = SecondLook.write(
        payload=payload, now=now, sample=sample, by=by, verdict=verdict
    )
    return found


def agreement(case: Case, own: SecondLook) -> str:
    """Return how a blind verdict lies beside what is recorded: a value of Agreement."""
    decided = recorded(case, case.events.select_related("by", "case").order_by("pk"))
    data: dict[str, Any] = own.data
    return rules.agreement(
        own=(data.get("outcome", ""), data.get("reason_code", ""), data.get("basis", "")),
        decided=(
            decided.outcome,
            decided.reason_code,
            _basis(case, decided.outcome, decided.reason_code),
        ),
    )


def _basis(case: Case, outcome: str, code: str) -> str:
    known = case.kind in KINDS
    reason = kinds.named(case.kind).reason(outcome=outcome, code=code) if known else None
    return reason.basis if reason else ""


def _check(sample: Sample, by: "User") -> None:
    if not (by.is_active and by.has_perm("oversight.look_sample")):
        raise NotAllowed("Your account may not take second looks.")
    if not sample.is_open_to(by):
        raise NotAllowed("You have judged this case before: another officer looks at it.")


def _check_note(note: str) -> None:
    if fault := note_fault(note):
        raise BadLook(fault, errors=[{"field": "note", "message": fault}])
