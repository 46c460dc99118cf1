"""What must hold before a case is decided: it is as it was seen and recorded; all is said."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from apps.core.problems import Conflict, DomainError
from apps.desk.rules import note_fault
from apps.review.actions.claims import fresh, why_lost
from apps.review.actions.groups import misfit, stamp
from apps.review.actions.spoken import Decision
from apps.review.models import Action, Case, DecisionEvent, Outcome
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


def unaltered(case: Case) -> tuple[Case, str]:
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


def as_seen(case: Case, others: Sequence[Case], seen: str, by: "User", now: datetime) -> None:
    """Refuse a form that was drawn of another state; one without a stamp is not judged."""
    if seen and seen != stamp(case, others):
        raise why_lost(case, by, now)


def complete(
    case: Case,
    others: Sequence[Case],
    said: Decision,
    template: str,
    also: Collection[str] | None = None,
) -> None:
    """Refuse a decision that lacks a reason, a note or an answer; BadDecision names the fields."""
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
