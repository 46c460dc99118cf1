"""How the note of a decision begins: the template of a reason, filled from the case."""

from typing import Any

from apps.review import kinds
from apps.review.actions.groups import duplicates
from apps.review.answered import extended, unanswered
from apps.review.models import Case
from apps.review.pages.evidence import picture
from apps.review.rules.notes import GAP, Told, told
from config.review import KINDS


def told_of(case: Case, drawn: dict[str, Any]) -> Told:
    """Return what a template may say of a case; `drawn` is its picture."""
    return told(party=case.party or case.title, rules=case.told, picture=drawn)


def template_of(case: Case, *, outcome: str, code: str) -> str:
    """Return how the note for a reason begins, or an empty text."""
    cases = (case, *duplicates(case))
    left = unanswered(cases, outcome=outcome, code=code)
    found = (
        kinds.named(case.kind).reason(outcome=outcome, code=code) if case.kind in KINDS else None
    )
    begun = filled(found, told_of(case, picture(case))) if found and found.note else ""
    return extended(begun, list(left.values()), gap=GAP)


def filled(reason: kinds.Reason, known: Told) -> str:
    """Return a reason's template filled with what is known, or an empty text."""
    return reason.note(known) if reason.note else ""
