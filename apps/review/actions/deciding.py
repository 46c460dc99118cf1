"""How a case ends: one officer's decision, or two where the stakes are high."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.desk.rules import note_fault
from apps.review import kinds
from apps.review.actions.claims import (
    AWAKE,
    UNCLAIMED,
    NotAwaiting,
    fresh,
    may_be_second,
    may_decide,
    why_lost,
)
from apps.review.actions.groups import (
    MERGED,
    asks_second,
    duplicates,
    locked_duplicates,
)
from apps.review.actions.knowing import Proposed, contradict, fall, propose
from apps.review.actions.opening import record
from apps.review.actions.referring import log_true_match
from apps.review.actions.soundness import BadDecision, as_seen, complete, unaltered
from apps.review.actions.spoken import Decision
from apps.review.answered import recorded, unanswered
from apps.review.before import Before, outcomes
from apps.review.models import (
    Action,
    BulkClear,
    Case,
    CaseQuerySet,
    Outcome,
    Status,
)
from apps.review.telling import told

if TYPE_CHECKING:
    from django.contrib.auth.models import User


SAME_REASON = "Confirm the reason that was proposed, or send it back with a note."


@transaction.atomic
def decide(
    *,
    case: Case,
    by: "User",
    outcome: str,
    reason_code: str,
    note: str,
    now: datetime,
    bulk: BulkClear | None = None,
    seen: str = "",
    template: str = "",
    known: Proposed | None = None,
    proof: Mapping[str, str] | None = None,
    also: Collection[str] | None = None,
) -> Case:
    """Decide an open case, or propose its outcome where a second officer must confirm.

    As part of a `bulk` one always must, and for duplicates that together need it (groups.py); the
    reason must fit each of them. `seen` is the stamp (groups.py) of the case as it was read: when
    it stands differently by now nothing is decided. `template` is how the note began. What is
    `known` of its listed parties is proposed with it (knowing.py); `proof` is recorded (spoken.py).
    `also` are the rules that the officer answers beside the reason: all that it leaves open
    (answered.py); None is a program's, which is not asked.

    Raises BadDecision, BadKnown, NotKnown, AlreadyDecided, ClaimedByOther, EvidenceAltered,
    Merged, NotAllowed. A final outcome calls the kind's function, for duplicates too, before the
    transaction ends: if that fails, nothing was decided.
    """
    may_decide(case, by)
    others = locked_duplicates(case)
    left = unanswered([case, *others], outcome=outcome, code=reason_code)
    said = Decision(outcome, reason_code, note, proof, tuple(recorded(left)))
    as_seen(case, others, seen, by, now)
    complete(case, others, said, template, also)
    told = outcomes([case, *others])
    bulk = bulk or _asked_of_two(case, others, said, told, by, now)
    second = case.needs_second or bulk is not None
    change = _first(said, by, now) | (
        {"status": Status.AWAITING_SECOND} if second else _end(said, now)
    )
    if not _ready(case, by, now).update(**change, bulk=bulk, **UNCLAIMED, **AWAKE):
        raise why_lost(case, by, now)
    if known:
        propose(case=case, proposed=known, why=said, by=by, now=now)
    return _settle(case, Action.PROPOSED if second else Action.DECIDED, by, now, said, told)


def _asked_of_two(
    case: Case,
    others: Sequence[Case],
    said: Decision,
    told: Mapping[int, Before],
    by: "User",
    now: datetime,
) -> BulkClear | None:
    """Return a proposal of its own where one officer would be enough for the case alone.

    Two are needed for what it is together with its duplicates, and to approve a party that was
    found to be this listed one before.
    """
    found = said.outcome == Outcome.APPROVE and any(one.found for one in told.values())
    if case.needs_second or not (found or asks_second(case, others, said.outcome)):
        return None
    key = case.entity_key
    return BulkClear.objects.create(entity_key=key, proposed_by=by, proposed_at=now)


def _first(said: Decision, by: "User", now: datetime) -> dict[str, Any]:
    return {"first_by": by, "first_at": now, "first_outcome": said.outcome}


def _end(said: Decision, now: datetime) -> dict[str, Any]:
    ended = {"status": Status.DECIDED, "decided_at": now}
    return ended | {"outcome": said.outcome, "reason_code": said.reason_code}


@transaction.atomic
def confirm(
    *,
    case: Case,
    by: "User",
    reason_code: str,
    note: str,
    now: datetime,
    seen: str = "",
    template: str = "",
    proof: Mapping[str, str] | None = None,
) -> Case:
    """Confirm, as a second and different officer, what the first one proposed.

    Outcome and reason are the first officer's: what a rejection sets in motion hangs on its
    reason, so that two officers must have found the same. Who finds another sends it back.

    Raises as `decide`, and NotAwaiting, SameOfficer; BadDecision for another reason.
    """
    may_be_second(case, by)
    others = duplicates(case)
    as_seen(case, others, seen, by, now)
    outcome = case.first_outcome
    if not outcome:
        raise NotAwaiting("No first decision waits to be confirmed.")
    left = unanswered([case, *others], outcome=outcome, code=reason_code)
    said = Decision(outcome, reason_code, note, proof, tuple(recorded(left)))
    complete(case, others, said, template)
    waiting = _awaiting(case, by, now).filter(first_outcome=outcome, first_at=case.first_at)
    change = {"second_by": by, "second_at": now} | _end(said, now)
    if not waiting.update(**change, **UNCLAIMED):
        raise why_lost(case, by, now)
    if reason_code != _proposed(case):
        unaltered(case)  # of a case that somebody changed, that is said
        raise BadDecision(SAME_REASON, errors=[{"field": "reason_code", "message": SAME_REASON}])
    return _settle(case, Action.DECIDED, by, now, said, outcomes([case]))


@transaction.atomic
def send_back(*, case: Case, by: "User", note: str, now: datetime, seen: str = "") -> Case:
    """Return a case, as a second officer, to the queue; the first decision is then void.

    Raises BadDecision, NotAwaiting, SameOfficer, AlreadyDecided, ClaimedByOther, NotAllowed.
    """
    may_be_second(case, by)
    as_seen(case, duplicates(case), seen, by, now)
    if fault := note_fault(note):
        raise BadDecision(fault, errors=[{"field": "note", "message": fault}])
    change = {"status": Status.OPEN, "first_by": None, "first_at": None, "first_outcome": ""}
    change["bulk"] = None
    if not case.first_outcome:
        raise NotAwaiting("No first decision waits to be returned.")
    if not _awaiting(case, by, now).filter(first_at=case.first_at).update(**change, **UNCLAIMED):
        raise why_lost(case, by, now)
    payload = {"note": note.strip(), "digest": unaltered(case)[1]}
    record(case, Action.RETURNED, by, now, payload)
    fall(case=case, by=by, note=note, now=now)
    return fresh(case)


def _settle(
    case: Case,
    action: Action,
    by: "User",
    now: datetime,
    said: Decision,
    before: Mapping[int, Before],
) -> Case:
    found, digest = unaltered(case)
    payload: dict[str, Any] = said.told(case) | {"digest": digest}
    payload |= _known(case, now) | before[case.pk].recorded
    record(case, action, by, now, payload, said.outcome)
    if action == Action.DECIDED:
        _tell(case, said.outcome, now)
        why = {"reason_code": said.reason_code, "note": said.note}
        log_true_match(case=found, by=by, now=now, **why)
        contradict(case=found, said=said, by=by, now=now)
        _decide_duplicates(found, by, now, payload, said)
    return found


def _proposed(case: Case) -> str:
    """Return the code of the reason that the last first decision on a case gives."""
    event = case.events.filter(action=Action.PROPOSED).order_by("-pk").first()
    return str(event.data.get("reason_code", "")) if event else ""


def _known(case: Case, now: datetime) -> dict[str, list[str]]:
    """Return what the case was told of known false positives as it was decided, in words."""
    known = [one.recorded for one in told(case, now=now)]
    return {"known": known} if known else {}


def _decide_duplicates(
    decided: Case, by: "User", now: datetime, payload: dict[str, Any], said: Decision
) -> None:
    """Close what was merged into a case as that was closed, by the same officers."""
    if MERGED.first(decided.pk) is None:
        return
    people, moments = ("first_by_id", "second_by_id"), ("first_at", "second_at", "decided_at")
    same = (*people, *moments, "status", "first_outcome", "outcome", "reason_code")
    change = {name: getattr(decided, name) for name in same}
    for one in Case.objects.filter(merged_into=decided, status=Status.OPEN).order_by("pk"):
        Case.objects.filter(pk=one.pk).update(**change, **AWAKE)
        same_words = payload | {"digest": unaltered(one)[1], "with_case": decided.pk}
        record(one, Action.DECIDED, by, now, same_words, decided.outcome)
        _tell(one, decided.outcome, now)
        told_of = {"reason_code": payload["reason_code"], "note": payload["note"]}
        log_true_match(case=fresh(one), by=by, now=now, **told_of)
        contradict(case=one, said=said, by=by, now=now)


def _tell(case: Case, outcome: str, now: datetime) -> None:
    if tell := kinds.named(case.kind).decided:
        tell(ref=case.ref, outcome=outcome, now=now)


def _ready(case: Case, by: "User", now: datetime) -> CaseQuerySet:
    """Return the case if it still stands as it was read, and nobody else holds it."""
    same = {"needs_second": case.needs_second, "escalation": case.escalation, "merged_into": None}
    return Case.objects.filter(pk=case.pk, status=Status.OPEN, **same).free_for(by, now)


def _awaiting(case: Case, by: "User", now: datetime) -> CaseQuerySet:
    return Case.objects.filter(pk=case.pk).waiting_for(by).free_for(by, now)
