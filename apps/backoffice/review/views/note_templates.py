"""How the note of a decision begins: the template of a reason, filled from the case."""

from typing import Any

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.note_templates import GAP, NoteFacts, build_note_facts
from apps.backoffice.review.services.decision_scope import list_duplicates
from apps.backoffice.review.unanswered_rules import extend_note_template, find_unanswered_rules
from apps.backoffice.review.views.evidence import draw_case_evidence


def build_case_note_facts(case: Case, drawn: dict[str, Any]) -> NoteFacts:
    """Return what a template may say of a case; `drawn` is its picture."""
    return build_note_facts(party=case.party or case.title, rules=case.told, picture=drawn)


def build_note_template(case: Case, *, outcome: str, code: str) -> str:
    """Return how the note for a reason begins, or an empty text."""
    cases = (case, *list_duplicates(case))
    unanswered_rules = find_unanswered_rules(cases, outcome=outcome, code=code)
    reason = (
        case_types.get_case_type(case.kind).reason(outcome=outcome, code=code)
        if case.kind in CASE_TYPES
        else None
    )
    begun = (
        fill_note_template(reason, build_case_note_facts(case, draw_case_evidence(case)))
        if reason and reason.note
        else ""
    )
    return extend_note_template(begun, list(unanswered_rules.values()), gap=GAP)


def fill_note_template(reason: case_types.Reason, known: NoteFacts) -> str:
    """Return a reason's template filled with what is known, or an empty text."""
    return reason.note(known) if reason.note else ""
