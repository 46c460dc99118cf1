"""What officers do with a known false positive: approve, reject, end, extend.

Who proposed one, or a later day for it, never decides on it.
"""

from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction

from apps.desk.days import day_of
from apps.desk.rules import note_fault
from apps.review import kinds
from apps.review.actions.claims import SameOfficer, may
from apps.review.actions.knowing import BadKnown, NotKnown, note_down, turn
from apps.review.known import events_of, faults
from apps.review.models import KnownAction, KnownFalsePositive, KnownState, Outcome
from apps.review.models.known import NO_EXTENSION
from apps.review.rules.known import WORDS, expired, expiry_fault, woken
from apps.review.telling import present
from apps.review.verdicts import Verdict, verdicts
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CONFIRMS = "review.confirm_known"


@transaction.atomic
def approve(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """Put a proposal into force, as another officer; NotKnown where it must not stand (any more).

    Raises NotAllowed, SameOfficer, BadKnown for a note that is missing, too short or too long.
    """
    _second(known.proposed_by_id, by)
    _written(note)
    _sound(known, now)
    if fault := hindrance(known):
        raise NotKnown(fault)
    change = {"state": KnownState.IN_FORCE, "decided_by": by, "decided_at": now}
    turn(known, KnownState.PROPOSED, change)
    note_down(known, KnownAction.APPROVED, by, now, {"note": note.strip()})


def hindrance(known: KnownFalsePositive) -> str:
    """Return why a proposal cannot be approved as its case stands, or an empty text; two queries.

    What was found must be what the case was closed for: a reason that a later officer did not
    share makes nothing known.
    """
    number = known.case_id
    said = verdicts([number]).get(number, Verdict())
    if said.outcome != Outcome.APPROVE:
        end = f"it was {said.done.lower()}" if said.outcome else "decide that first"
        return f"Case {number} is not approved: {end}."
    if said.reason_code in ("", known.reason_code):  # a purged record says no reason any more
        return ""
    return (
        f"Case {number} was closed for another reason than this rests on: {said.reason}. "
        "Reject it; with a new case of this party it can be proposed again."
    )


@transaction.atomic
def reject(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """Turn a proposal down, as another officer and with a note; raises as `approve`."""
    _second(known.proposed_by_id, by)
    _written(note)
    change = {"state": KnownState.REJECTED, "decided_by": by, "decided_at": now}
    turn(known, KnownState.PROPOSED, change)
    note_down(known, KnownAction.REJECTED, by, now, {"note": note.strip()})


@transaction.atomic
def end(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """End one that is in force, with a reason: one officer is enough to look again."""
    _works(known, by)
    _written(note)
    turn(known, KnownState.IN_FORCE, {"state": KnownState.ENDED, **NO_EXTENSION})
    note_down(known, KnownAction.ENDED, by, now, {"note": note.strip()})


@transaction.atomic
def ask_extension(
    *, known: KnownFalsePositive, by: "User", until: date, note: str, now: datetime
) -> None:
    """Propose that one in force holds until a later day; a second officer decides."""
    _works(known, by)
    _written(note)
    _sound(known, now)
    fault = expiry_fault(until=until, today=day_of(now))
    if not fault and until <= known.expires_on:
        fault = f"Choose a day after {known.expires_on:%d %b %Y}."
    if fault:
        raise BadKnown(fault, errors=[{"field": "until", "message": fault}])
    change = {"extend_to": until, "extend_by": by, "extend_at": now, "extended_by": None}
    turn(known, KnownState.IN_FORCE, change, extend_to=None)
    told = {"until": until.isoformat(), "note": note.strip()}
    note_down(known, KnownAction.EXTENSION, by, now, told)


@transaction.atomic
def extend(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """Grant an extension, as another officer; raises as `approve`."""
    until = _asked(known, by)
    _written(note)
    _sound(known, now)
    change = {"expires_on": until, "extend_to": None, "extended_by": by}
    turn(known, KnownState.IN_FORCE, change, extend_to=until, extend_at=known.extend_at)
    told = {"until": until.isoformat(), "note": note.strip()}
    note_down(known, KnownAction.EXTENDED, by, now, told)


@transaction.atomic
def keep(*, known: KnownFalsePositive, by: "User", note: str, now: datetime) -> None:
    """Turn an extension down, as another officer and with a note: the last day stays."""
    until = _asked(known, by)
    _written(note)
    turn(known, KnownState.IN_FORCE, dict(NO_EXTENSION), extend_to=until, extend_at=known.extend_at)
    note_down(known, KnownAction.KEPT, by, now, {"note": note.strip()})


def _asked(known: KnownFalsePositive, by: "User") -> date:
    """Return the day that was asked for, to an officer who may decide on it."""
    if known.extend_to is None:
        raise NotKnown("No extension waits any more.")
    _second(known.extend_by_id, by)
    return known.extend_to


def _second(first: int | None, by: "User") -> None:
    may(by, CONFIRMS, "approve or reject known false positives")
    if first == by.pk:
        raise SameOfficer("You proposed this: a different officer must decide on it.")


def _works(known: KnownFalsePositive, by: "User") -> None:
    decides = kinds.named(known.kind).decides if known.kind in KINDS else "review.decide_case"
    may(by, decides, "end or extend known false positives")


def _written(note: str) -> None:
    if fault := note_fault(note):
        raise BadKnown(fault, errors=[{"field": "note", "message": fault}])


def _sound(known: KnownFalsePositive, now: datetime) -> None:
    """Raise NotKnown for one that expired, was altered, or whose entry is another by now.

    The row is read anew under its lock: a colleague may have been faster than its events are read.
    """
    known = KnownFalsePositive.objects.select_for_update().get(pk=known.pk)
    if expired(until=known.expires_on, today=day_of(now)):
        raise NotKnown(f"It held until {known.expires_on:%d %b %Y}: propose it anew.")
    if fault := next(faults(known, events_of([known.pk])[known.pk]), ""):
        raise NotKnown(f"How it stands is not what is recorded: {fault}. Tell an administrator.")
    entry = present(known.kind, [known.entity]).get(known.entity)
    if why := woken(then=known.entry, now=entry):
        raise NotKnown(f"{WORDS[why]} What was known of it says nothing of the entry as it is now.")
