"""Second looks: an officer judges a closed case independently before seeing the decision."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.backoffice.oversight import rules
from apps.backoffice.oversight.models import LookVerdict, Sample, SecondLook, Verdict
from apps.backoffice.oversight.selectors.blind_look_exposure import find_first_exposure
from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case, Outcome
from apps.backoffice.review.selectors.recorded_decisions import load_verdict
from apps.platform.common.clock import format_utc
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class SecondLookNotAllowed(DomainError):
    """The officer may not take this second look."""

    status, code, title = 403, "not_allowed", "Not allowed"


class InvalidSecondLook(DomainError):
    """Verdict, reason or note are missing."""

    code, title = "invalid_look", "The second look is not complete"


class AlreadyReviewed(Conflict):
    """Another officer took the second look, or this one has judged already."""

    code, title = "already_looked", "Already reviewed"


def load_own_verdict(sample: Sample, user: "User") -> SecondLook | None:
    """Return the verdict that an officer gave without knowing the decision, or None."""
    return SecondLook.objects.filter(sample=sample, by=user, verdict=LookVerdict.BLIND).first()


def list_offered_reasons(case: Case, outcome: str) -> tuple[case_types.Reason, ...]:
    """Return the reasons that fit a case; of a kind that left, none."""
    known = case.kind in CASE_TYPES
    return (
        case_types.get_case_type(case.kind).offered(outcome=outcome, refs=case.refs)
        if known
        else ()
    )


@transaction.atomic
def record_blind_verdict(
    *, sample: Sample, by: "User", outcome: str, reason_code: str, note: str, now: datetime
) -> SecondLook:
    """Record how an officer would have decided a case before seeing how it was decided.

    The record says whether they had already seen the decision
    (blind_look_exposure.find_first_exposure). Raises SecondLookNotAllowed for an officer who
    decided the case or has no permission, InvalidSecondLook, AlreadyReviewed.
    """
    _require_reviewer(sample, by)
    reason = next(
        (r for r in list_offered_reasons(sample.case, outcome) if r.code == reason_code), None
    )
    if outcome not in Outcome.values or (reason is None and sample.case.kind in CASE_TYPES):
        fault = "Choose an outcome and a reason that fits it."
        raise InvalidSecondLook(fault, errors=[{"field": "outcome", "message": fault}])
    _require_note(note)
    # a colleague's look that completes meanwhile waits for this lock, or is seen here
    locked = Sample.objects.select_for_update().get(pk=sample.pk)
    if locked.looked_by_id or load_own_verdict(sample, by):
        raise AlreadyReviewed("This case has already been reviewed, or you have already judged it.")
    payload: dict[str, Any] = {
        "case": sample.case_id,
        "outcome": outcome,
        "reason_code": reason_code if reason else "",
        "reason": reason.label if reason else "",
        "basis": reason.basis if reason else "",
        "note": note.strip(),
    }
    # having seen the decision is recorded, and no ground for refusing the verdict
    if first_exposed_at := find_first_exposure(sample, by):
        payload["opened"] = format_utc(first_exposed_at)
    second_look: SecondLook = SecondLook.write(
        payload=payload, now=now, sample=sample, by=by, verdict=LookVerdict.BLIND
    )
    return second_look


@transaction.atomic
def record_second_look(
    *, sample: Sample, by: "User", verdict: str, note: str, now: datetime
) -> SecondLook:
    """Record what an officer, who has judged the case blind, finds of a colleague's decision.

    Raises SecondLookNotAllowed for who decided the case or has no permission, InvalidSecondLook,
    AlreadyReviewed.
    """
    _require_reviewer(sample, by)
    own = load_own_verdict(sample, by)
    if own is None:
        raise InvalidSecondLook("Say first how you would decide this case.")
    if verdict not in Verdict.values:
        raise InvalidSecondLook(
            "Choose whether you agree.", errors=[{"field": "verdict", "message": ""}]
        )
    _require_note(note)
    alike = determine_agreement(sample.case, own)
    # compare-and-set: of two officers who look at once, one gets the sample
    free = Sample.objects.waiting().filter(pk=sample.pk)
    if not free.update(looked_by=by, looked_at=now, verdict=verdict, agreement=alike):
        raise AlreadyReviewed("Another officer has reviewed this case in the meantime.")
    payload = {"case": sample.case_id, "note": note.strip(), "agreement": alike}
    second_look: SecondLook = SecondLook.write(
        payload=payload, now=now, sample=sample, by=by, verdict=verdict
    )
    return second_look


def determine_agreement(case: Case, own: SecondLook) -> str:
    """Compare a blind verdict with the recorded decision: a value of Agreement."""
    decided = load_verdict(case, case.events.select_related("by", "case").order_by("pk"))
    data: dict[str, Any] = own.data
    known = case.kind in CASE_TYPES
    reason = (
        case_types.get_case_type(case.kind).reason(
            outcome=decided.outcome, code=decided.reason_code
        )
        if known
        else None
    )
    return rules.compare_verdicts(
        own=(data.get("outcome", ""), data.get("reason_code", ""), data.get("basis", "")),
        decided=(
            decided.outcome,
            decided.reason_code,
            reason.basis if reason else "",
        ),
    )


def _require_reviewer(sample: Sample, by: "User") -> None:
    if not (by.is_active and by.has_perm("oversight.look_sample")):
        raise SecondLookNotAllowed("Your account may not take second looks.")
    if not sample.is_open_to(by):
        raise SecondLookNotAllowed("You judged this case before: another officer must review it.")


def _require_note(note: str) -> None:
    if fault := find_note_fault(note):
        raise InvalidSecondLook(fault, errors=[{"field": "note", "message": fault}])
