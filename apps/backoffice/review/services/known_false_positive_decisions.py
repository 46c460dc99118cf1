"""Decisions of officers on a known false positive: approve, reject, end, extend.

The person who proposed one, or a later day for it, never decides on it.
"""

from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.known_false_positive_integrity import (
    find_known_faults,
    load_known_events,
)
from apps.backoffice.review.models import KnownAction, KnownFalsePositive, KnownState, Outcome
from apps.backoffice.review.models.known_false_positives import NO_EXTENSION
from apps.backoffice.review.rules.known_false_positives import (
    WAKE_REASON_LABELS,
    find_expiry_fault,
    is_expired,
)
from apps.backoffice.review.selectors.entry_changes import find_entry_changes
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.backoffice.review.services.claims import SameOfficer, require_permission
from apps.backoffice.review.services.known_false_positive_proposals import InvalidKnownFalsePositive
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
    record_known_event,
    transition_known,
)
from apps.platform.desk.local_dates import local_date
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CONFIRMS = "review.confirm_known"


@transaction.atomic
def approve_known(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """Put a proposal into force, as another officer; KnownFalsePositiveConflict if it is not valid
    (any more).

    Raises StepNotAllowed, SameOfficer, InvalidKnownFalsePositive for a note that is missing, too
    short or too long.
    """
    _require_second_officer(known.proposed_by_id, by)
    _require_note(note)
    _require_unaltered(known, now)
    if fault := find_approval_hindrance(known):
        raise KnownFalsePositiveConflict(fault)
    change = {"state": KnownState.IN_FORCE, "decided_by": by, "decided_at": now}
    transition_known(known, KnownState.PROPOSED, change)
    record_known_event(known, KnownAction.APPROVED, by, now, {"note": note.strip()})


@transaction.atomic
def approve_known_of_decision(
    *, known: KnownFalsePositive, by: "User", note: str, now: datetime
) -> int:
    """Put all that one decision proposed into force, or none, with one note; return how many.

    Raises as `approve_known`.
    """
    proposed_together = list_proposed_together(known)
    for false_positive in proposed_together:
        approve_known(known=false_positive, by=by, note=note, now=now)
    return len(proposed_together)


def list_proposed_together(known: KnownFalsePositive) -> list[KnownFalsePositive]:
    """Return what waits of the decision that proposed one, itself included."""
    waiting = KnownFalsePositive.objects.filter(
        case=known.case_id, proposed_by=known.proposed_by_id, proposed_at=known.proposed_at
    )
    return list(waiting.filter(state=KnownState.PROPOSED).order_by("pk"))


def find_approval_hindrance(known: KnownFalsePositive) -> str:
    """Return why a proposal cannot be approved, given its case, or an empty text; two queries."""
    # the case must have been closed for the proposed finding: the officer who closed it may have
    # had another one
    number = known.case_id
    verdict = load_verdicts([number]).get(number, Verdict())
    if verdict.outcome != Outcome.APPROVE:
        end = f"it was {verdict.done.lower()}" if verdict.outcome else "decide that first"
        return f"Case {number} is not approved: {end}."
    if verdict.reason_code in ("", known.reason_code):  # a purged record says no reason any more
        return ""
    return (
        f"Case {number} was closed for a different reason: {verdict.reason}. "
        "Reject it; with a new case of this party it can be proposed again."
    )


@transaction.atomic
def reject_known(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """Reject a proposal, as another officer and with a note; raises as `approve_known`."""
    _require_second_officer(known.proposed_by_id, by)
    _require_note(note)
    change = {"state": KnownState.REJECTED, "decided_by": by, "decided_at": now}
    transition_known(known, KnownState.PROPOSED, change)
    record_known_event(known, KnownAction.REJECTED, by, now, {"note": note.strip()})


@transaction.atomic
def end_known(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """End one that is in force, with a reason."""
    # one officer is enough: ending it makes screens flag again, which hides nothing
    _require_known_permission(known, by)
    _require_note(note)
    transition_known(known, KnownState.IN_FORCE, {"state": KnownState.ENDED, **NO_EXTENSION})
    record_known_event(known, KnownAction.ENDED, by, now, {"note": note.strip()})


@transaction.atomic
def request_known_extension(
    *, known: KnownFalsePositive, by: "User", until: date, note: str, now: datetime
) -> None:
    """Propose that one in force holds until a later day; a second officer decides."""
    _require_known_permission(known, by)
    _require_note(note)
    _require_unaltered(known, now)
    fault = find_expiry_fault(until=until, today=local_date(now))
    if not fault and until <= known.expires_on:
        fault = f"Choose a day after {known.expires_on:%d %b %Y}."
    if fault:
        raise InvalidKnownFalsePositive(fault, errors=[{"field": "until", "message": fault}])
    change = {"extend_to": until, "extend_by": by, "extend_at": now, "extended_by": None}
    # `extend_to=None`: another request may be pending by now
    transition_known(known, KnownState.IN_FORCE, change, extend_to=None)
    payload = {"until": until.isoformat(), "note": note.strip()}
    record_known_event(known, KnownAction.EXTENSION, by, now, payload)


@transaction.atomic
def grant_known_extension(
    *, known: KnownFalsePositive, by: "User", note: str, now: datetime
) -> None:
    """Grant an extension, as another officer; raises as `approve_known`."""
    until = _load_requested_day(known, by)
    _require_note(note)
    _require_unaltered(known, now)
    change = {"expires_on": until, "extend_to": None, "extended_by": by}
    # the request that the page showed: a rejected and repeated one has another time
    transition_known(known, KnownState.IN_FORCE, change, extend_to=until, extend_at=known.extend_at)
    payload = {"until": until.isoformat(), "note": note.strip()}
    record_known_event(known, KnownAction.EXTENDED, by, now, payload)


@transaction.atomic
def reject_known_extension(
    *, known: KnownFalsePositive, by: "User", note: str, now: datetime
) -> None:
    """Reject an extension, as another officer and with a note: the last day stays."""
    until = _load_requested_day(known, by)
    _require_note(note)
    transition_known(
        known, KnownState.IN_FORCE, dict(NO_EXTENSION), extend_to=until, extend_at=known.extend_at
    )
    record_known_event(known, KnownAction.KEPT, by, now, {"note": note.strip()})


def _load_requested_day(false_positive: KnownFalsePositive, by: "User") -> date:
    """Return the requested day, for an officer who may decide on it."""
    if false_positive.extend_to is None:
        raise KnownFalsePositiveConflict("No extension is pending any more.")
    _require_second_officer(false_positive.extend_by_id, by)
    return false_positive.extend_to


def _require_second_officer(first: int | None, by: "User") -> None:
    require_permission(by, CONFIRMS, "approve or reject known false positives")
    if first == by.pk:
        raise SameOfficer("You proposed this, so a different officer must decide on it.")


def _require_known_permission(false_positive: KnownFalsePositive, by: "User") -> None:
    decides = (
        case_types.get_case_type(false_positive.kind).decides
        if false_positive.kind in CASE_TYPES
        else "review.decide_case"
    )
    require_permission(by, decides, "end or extend known false positives")


def _require_note(note: str) -> None:
    if fault := find_note_fault(note):
        raise InvalidKnownFalsePositive(fault, errors=[{"field": "note", "message": fault}])


def _require_unaltered(false_positive: KnownFalsePositive, now: datetime) -> None:
    """Raise KnownFalsePositiveConflict if it expired, was altered, or its entry changed."""
    # read again under its lock: with a step of a colleague in between, row and events would differ
    # without being altered
    false_positive = KnownFalsePositive.objects.select_for_update().get(pk=false_positive.pk)
    if is_expired(until=false_positive.expires_on, today=local_date(now)):
        raise KnownFalsePositiveConflict(
            f"It was valid until {false_positive.expires_on:%d %b %Y}: propose it again."
        )
    if fault := next(
        find_known_faults(
            false_positive, load_known_events([false_positive.pk])[false_positive.pk]
        ),
        "",
    ):
        raise KnownFalsePositiveConflict(
            f"Its state does not match its records: {fault}. Contact an administrator."
        )
    change = find_entry_changes([false_positive]).get(false_positive.pk)
    if change and change.why:
        why = WAKE_REASON_LABELS[change.why]
        raise KnownFalsePositiveConflict(
            f"{why} The earlier finding does not cover the entry as it is now."
        )
