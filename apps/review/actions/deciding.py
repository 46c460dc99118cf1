"""How a case ends: one officer's decision, or two where the stakes are high."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.core.problems import Conflict, DomainError
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
    misfit,
    stamp,
)
from apps.review.actions.knowing import Proposed, contradict, fall, propose
from apps.review.actions.opening import record
from apps.review.actions.referring import log_true_match
from apps.review.actions.spoken import Decision
from apps.review.answered import recorded, unanswered
from apps.review.before import Before, outcomes
from apps.review.models import (
    Action,
    BulkClear,
    Case,
    CaseQuerySet,
    DecisionEvent,
    Outcome,
    Status,
)
from apps.review.projection import decision_faults, routing_faults
from apps.review.rules.notes import open_fault
from apps.review.telling import told

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class EvidenceAltered(Conflict):
    """What the case shows, or how it stands, is not what was recorded of it."""

    code, title = "evidence_altered", "The case is not as it was recorded"


SAME_REASON = "Confirm the reason that was proposed, or send it back with a note."


class BadDecision(DomainError):
    """Outcome, reason or note are missing or do not fit together."""

    status, code, title = 400, "invalid_decision", "The decision is not complete"


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
    _as_seen(case, others, seen, by, now)
    _complete(case, others, said, template, also)
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
    _as_seen(case, others, seen, by, now)
    outcome = case.first_outcome
    if not outcome:
        raise NotAwaiting("No first decision waits to be confirmed.")
    left = unanswered([case, *others], outcome=outcome, code=reason_code)
    said = Decision(outcome, reason_code, note, proof, tuple(recorded(left)))
    _complete(case, others, said, template)
    waiting = _awaiting(case, by, now).filter(first_outcome=outcome, first_at=case.first_at)
    change = {"second_by": by, "second_at": now} | _end(said, now)
    if not waiting.update(**change, **UNCLAIMED):
        raise why_lost(case, by, now)
    if reason_code != _proposed(case):
        _unaltered(case)  # of a case that somebody changed, that is said
        raise BadDecision(SAME_REASON, errors=[{"field": "reason_code", "message": SAME_REASON}])
    return _settle(case, Action.DECIDED, by, now, said, outcomes([case]))


@transaction.atomic
def send_back(*, case: Case, by: "User", note: str, now: datetime, seen: str = "") -> Case:
    """Return a case, as a second officer, to the queue; the first decision is then void.

    Raises BadDecision, NotAwaiting, SameOfficer, AlreadyDecided, ClaimedByOther, NotAllowed.
    """
    may_be_second(case, by)
    _as_seen(case, duplicates(case), seen, by, now)
    if fault := note_fault(note):
        raise BadDecision(fault, errors=[{"field": "note", "message": fault}])
    change = {"status": Status.OPEN, "first_by": None, "first_at": None, "first_outcome": ""}
    change["bulk"] = None
    if not case.first_outcome:
        raise NotAwaiting("No first decision waits to be returned.")
    if not _awaiting(case, by, now).filter(first_at=case.first_at).update(**change, **UNCLAIMED):
        raise why_lost(case, by, now)
    payload = {"note": note.strip(), "digest": _unaltered(case)[1]}
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
    found, digest = _unaltered(case)
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
        same_words = payload | {"digest": _unaltered(one)[1], "with_case": decided.pk}
        record(one, Action.DECIDED, by, now, same_words, decided.outcome)
        _tell(one, decided.outcome, now)
        told_of = {"reason_code": payload["reason_code"], "note": payload["note"]}
        log_true_match(case=fresh(one), by=by, now=now, **told_of)
        contradict(case=one, said=said, by=by, now=now)


def _tell(case: Case, outcome: str, now: datetime) -> None:
    if tell := kinds.named(case.kind).decided:
        tell(ref=case.ref, outcome=outcome, now=now)


def _unaltered(case: Case) -> tuple[Case, str]:
    """Return the case as stored now and the digest of its facts; EvidenceAltered if these changed.

    `case` is as it stood before this step: nor may its decision be another than is recorded.
    """
    found = fresh(case)
    digest = found.facts_digest()
    events = list(DecisionEvent.objects.filter(case=case).order_by("pk"))
    opened = next((one for one in events if one.action == Action.OPENED), None)
    # also when it was blanked: a case whose record is gone is not decided
    if opened is None or any(one.mac_fault() for one in events):
        raise EvidenceAltered("What was recorded at the opening of this case is not ours, or gone.")
    if opened.data.get("digest") != digest:
        raise EvidenceAltered("What this case shows is not what was recorded at its opening.")
    faults = chain(decision_faults(case, events), routing_faults(case, events))
    if fault := next(faults, ""):
        raise EvidenceAltered(f"How this case stands is not what is recorded: {fault}.")
    return found, digest


def _as_seen(case: Case, others: Sequence[Case], seen: str, by: "User", now: datetime) -> None:
    """Refuse a form that was drawn of another state; one without a stamp is not judged."""
    if seen and seen != stamp(case, others):
        raise why_lost(case, by, now)


def _ready(case: Case, by: "User", now: datetime) -> CaseQuerySet:
    """Return the case if it still stands as it was read, and nobody else holds it."""
    same = {"needs_second": case.needs_second, "escalation": case.escalation, "merged_into": None}
    return Case.objects.filter(pk=case.pk, status=Status.OPEN, **same).free_for(by, now)


def _awaiting(case: Case, by: "User", now: datetime) -> CaseQuerySet:
    return Case.objects.filter(pk=case.pk).waiting_for(by).free_for(by, now)


def _complete(
    case: Case,
    others: Sequence[Case],
    said: Decision,
    template: str,
    also: Collection[str] | None = None,
) -> None:
    errors = []
    if said.outcome not in Outcome.values:
        errors.append({"field": "outcome", "message": "Choose approve or reject."})
    elif fault := misfit(case, others, said.outcome, said.reason_code):
        errors.append({"field": "reason_code", "message": fault})
    if fault := note_fault(said.note) or open_fault(note=said.note, template=template):
        errors.append({"field": "note", "message": fault})
    if also is not None and (open_ := [o for o in said.also if o["ref"] not in also]):
        message = f"Answer this too, in the note, and tick it: {open_[0]['sentence']}"
        errors.append({"field": "also", "message": message})
    if errors:
        raise BadDecision(" ".join(error["message"] for error in errors), errors=errors)
