"""Checks before a decision: the case is as seen and as recorded, and the decision is complete."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from apps.backoffice.review.integrity import find_decision_faults, find_routing_faults
from apps.backoffice.review.models import Action, Case, DecisionEvent, Outcome
from apps.backoffice.review.rules.note_templates import find_unfinished_note_fault
from apps.backoffice.review.services.claims import build_lost_step_error, reload_case
from apps.backoffice.review.services.decision_inputs import Decision
from apps.backoffice.review.services.decision_scope import compute_case_stamp, find_reason_fault
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.desk.note_validation import find_note_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class EvidenceAltered(Conflict):
    """The evidence or state of the case differs from its record."""

    code, title = "evidence_altered", "Case integrity check failed"


class InvalidDecision(DomainError):
    """Outcome, reason or note are missing or do not fit together."""

    status, code, title = 400, "invalid_decision", "The decision is incomplete"


def load_unaltered_case(case: Case) -> tuple[Case, str]:
    """Return the stored case and the digest of its facts; EvidenceAltered if these changed.

    `case` is its state before this step: EvidenceAltered also if its decision differs from the
    record.
    """
    stored = reload_case(case)
    digest = stored.facts_digest()
    events = list(DecisionEvent.objects.filter(case=case).order_by("pk"))
    opened = next((event for event in events if event.action == Action.OPENED), None)
    # a blanked payload has no valid MAC either: a case whose opening is gone is not decided
    if opened is None or any(event.mac_fault() for event in events):
        raise EvidenceAltered(
            "The opening record of this case is missing or was not written by this system."
        )
    if opened.data.get("digest") != digest:
        raise EvidenceAltered("This case no longer matches its opening record.")
    faults = chain(find_decision_faults(case, events), find_routing_faults(case, events))
    if fault := next(faults, ""):
        raise EvidenceAltered(f"The state of this case does not match its records: {fault}.")
    return stored, digest


def require_current_stamp(
    case: Case, others: Sequence[Case], seen: str, by: "User", now: datetime
) -> None:
    """Refuse a form that was drawn of another state; one without a stamp is not judged."""
    # calls of programs have no form, and no stamp
    if seen and seen != compute_case_stamp(case, others):
        raise build_lost_step_error(case, by, now)


def require_complete_decision(
    case: Case,
    others: Sequence[Case],
    decision: Decision,
    template: str,
    also: Collection[str] | None = None,
) -> None:
    """Refuse a decision that lacks a reason, a note or an answer; InvalidDecision names the
    fields.
    """
    errors = []
    if decision.outcome not in Outcome.values:
        errors.append({"field": "outcome", "message": "Choose approve or reject."})
    elif fault := find_reason_fault(case, others, decision.outcome, decision.reason_code):
        errors.append({"field": "reason_code", "message": fault})
    if fault := find_note_fault(decision.note) or find_unfinished_note_fault(
        note=decision.note, template=template
    ):
        errors.append({"field": "note", "message": fault})
    if also is not None and (open_ := [o for o in decision.also if o["ref"] not in also]):
        message = f"Address this in the note too, and tick it: {open_[0]['sentence']}"
        errors.append({"field": "also", "message": message})
    if errors:
        raise InvalidDecision(" ".join(error["message"] for error in errors), errors=errors)
