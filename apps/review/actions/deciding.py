"""How a case ends: one officer's decision, or two where the stakes are high."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

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
from apps.review.actions.groups import asks_second, duplicates, locked_duplicates, misfit, stamp
from apps.review.actions.opening import record
from apps.review.actions.referring import log_true_match
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

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class EvidenceAltered(Conflict):
    """What the case shows, or how it stands, is not what was recorded of it."""

    code, title = "evidence_altered", "The case is not as it was recorded"


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
) -> Case:
    """Decide an open case, or propose its outcome where a second officer must confirm.

    A case that nobody holds may be decided at once. As part of a `bulk` a second officer must
    confirm it always; so is an approval of duplicates that together need one (groups.py). The
    reason must fit each of them. `seen` is the stamp (groups.py) of the case as it was read: when
    it stands differently by now nothing is decided. `template` is how the note began.

    Raises BadDecision, AlreadyDecided, ClaimedByOther, EvidenceAltered, Merged, NotAllowed. When
    the outcome is final the kind's function is called before the transaction ends, for the case
    and its duplicates: if that fails, nothing was decided.
    """
    may_decide(case, by)
    others = locked_duplicates(case)
    _as_seen(case, others, seen, by, now)
    _complete(case, others, outcome, reason_code, note, template)
    if not (case.needs_second or bulk) and asks_second(case, others, outcome):
        bulk = BulkClear.objects.create(entity_key=case.entity_key, proposed_by=by, proposed_at=now)
    second = case.needs_second or bulk is not None
    change = {"first_by": by, "first_at": now, "first_outcome": outcome, "bulk": bulk}
    if second:
        change |= {"status": Status.AWAITING_SECOND}
    else:
        change |= {"status": Status.DECIDED, "decided_at": now}
        change |= {"outcome": outcome, "reason_code": reason_code}
    if not _ready(case, by, now).update(**change, **UNCLAIMED, **AWAKE):
        raise why_lost(case, by, now)
    action = Action.PROPOSED if second else Action.DECIDED
    return _settle(case, action, by, now, outcome, reason_code, note)


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
) -> Case:
    """Confirm, as a second and different officer, what the first one proposed.

    Raises as `decide`, and NotAwaiting, SameOfficer.
    """
    may_be_second(case, by)
    others = duplicates(case)
    _as_seen(case, others, seen, by, now)
    outcome = case.first_outcome
    if not outcome:
        raise NotAwaiting("No first decision waits to be confirmed.")
    _complete(case, others, outcome, reason_code, note, template)
    waiting = _awaiting(case, by, now).filter(first_outcome=outcome, first_at=case.first_at)
    change = {"second_by": by, "second_at": now, "outcome": outcome, "decided_at": now}
    if not waiting.update(status=Status.DECIDED, reason_code=reason_code, **change, **UNCLAIMED):
        raise why_lost(case, by, now)
    return _settle(case, Action.DECIDED, by, now, outcome, reason_code, note)


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
    payload = {"note": note.strip(), "digest": _unaltered(case)}
    record(case, Action.RETURNED, by, now, payload)
    return fresh(case)


def _settle(
    case: Case,
    action: Action,
    by: "User",
    now: datetime,
    outcome: str,
    reason_code: str,
    note: str,
) -> Case:
    payload = {"reason_code": reason_code} | _words(case, outcome, reason_code)
    payload |= {"note": note.strip(), "digest": _unaltered(case)}
    record(case, action, by, now, payload, outcome)
    found = fresh(case)
    if action == Action.DECIDED:
        _tell(case, outcome, now)
        log_true_match(case=found, by=by, reason_code=reason_code, note=note, now=now)
        _decide_duplicates(found, by, now, payload)
    return found


def _words(case: Case, outcome: str, code: str) -> dict[str, str]:
    """Return what a reason says today and on what it rests: an old sheet keeps its words."""
    found = kinds.named(case.kind).reason(outcome=outcome, code=code)
    return {"reason": found.label, "basis": found.basis} if found else {}


def _decide_duplicates(decided: Case, by: "User", now: datetime, payload: dict[str, str]) -> None:
    """Close what was merged into a case as that was closed, by the same officers."""
    same = ("status", "first_by", "first_at", "first_outcome", "second_by", "second_at", "outcome")
    change = {name: getattr(decided, name) for name in (*same, "reason_code", "decided_at")}
    for one in Case.objects.filter(merged_into=decided, status=Status.OPEN).order_by("pk"):
        Case.objects.filter(pk=one.pk).update(**change, **AWAKE)
        told = payload | {"digest": _unaltered(one), "with_case": decided.pk}
        record(one, Action.DECIDED, by, now, told, decided.outcome)
        _tell(one, decided.outcome, now)
        told_of = {"reason_code": payload["reason_code"], "note": payload["note"]}
        log_true_match(case=fresh(one), by=by, now=now, **told_of)


def _tell(case: Case, outcome: str, now: datetime) -> None:
    if tell := kinds.named(case.kind).decided:
        tell(ref=case.ref, outcome=outcome, now=now)


def _unaltered(case: Case) -> str:
    """Return the digest of the facts as stored now; EvidenceAltered if they were changed.

    `case` is as it stood before this step: nor may its decision be another than is recorded.
    """
    found = fresh(case).facts_digest()
    events = list(DecisionEvent.objects.filter(case=case).order_by("pk"))
    opened = next((one for one in events if one.action == Action.OPENED), None)
    # also when it was blanked: a case whose record is gone is not decided
    if opened is None or any(one.mac_fault() for one in events):
        raise EvidenceAltered("What was recorded at the opening of this case is not ours, or gone.")
    if opened.data.get("digest") != found:
        raise EvidenceAltered("What this case shows is not what was recorded at its opening.")
    faults = chain(decision_faults(case, events), routing_faults(case, events))
    if fault := next(faults, ""):
        raise EvidenceAltered(f"How this case stands is not what is recorded: {fault}.")
    return found


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
    case: Case, others: Sequence[Case], outcome: str, reason_code: str, note: str, template: str
) -> None:
    errors = []
    if outcome not in Outcome.values:
        errors.append({"field": "outcome", "message": "Choose approve or reject."})
    elif fault := misfit(case, others, outcome, reason_code):
        errors.append({"field": "reason_code", "message": fault})
    if fault := note_fault(note) or open_fault(note=note, template=template):
        errors.append({"field": "note", "message": fault})
    if errors:
        raise BadDecision(" ".join(error["message"] for error in errors), errors=errors)
