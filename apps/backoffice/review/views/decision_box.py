"""The decision box: outcomes with the reasons that fit, each with the beginning of its note."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case, DecisionEvent, Outcome
from apps.backoffice.review.rules.note_templates import GAP, NoteFacts
from apps.backoffice.review.selectors.recorded_decisions import format_recorded_reason
from apps.backoffice.review.services.decision_scope import compute_case_stamp, list_fitting_reasons
from apps.backoffice.review.unanswered_rules import extend_note_template, find_unanswered_rules
from apps.backoffice.review.views.note_templates import build_case_note_facts, fill_note_template

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class ReasonOption:
    """An offered reason: the digit that selects it, and the beginning of its note.

    `other` finds that the party is not the listed party, which may be proposed as known.
    `left` are references of the rules that it leaves open (unanswered_rules.py).
    """

    code: str
    label: str
    digit: int
    template: str
    other: bool = False
    left: tuple[str, ...] = ()


def build_confirmation(proposal: DecisionEvent) -> dict[str, Any]:
    """Return the one reason that a second officer confirms: the first officer's."""
    # without a template: the second officer judges afresh and writes their own note
    code = proposal.data.get("reason_code", "")
    words = proposal.data.get("reason") or format_recorded_reason(proposal)
    return {"code": code, "reasons": [ReasonOption(code, words, 1, "")]}


def build_decision_box(
    *, case: Case, user: "User", others: Sequence[Case], drawn: dict[str, Any]
) -> dict[str, Any]:
    """Return what the decision box draws; `others` are duplicates, `drawn` the case's picture."""
    if case.kind not in CASE_TYPES:
        return {"choices": [], "stamp": "", "refers": False}
    refers = user.has_perm(case_types.get_case_type(case.kind).decides)
    if case.ended:
        return {"choices": [], "stamp": "", "refers": refers}
    note_facts = build_case_note_facts(case, drawn)
    choices = [
        (
            outcome,
            case.words_of(outcome),
            [
                _build_option(
                    digit, reason, note_facts, _find_unanswered((case, *others), outcome, reason)
                )
                for digit, reason in enumerate(case_types.order_reasons(reasons, note_facts), 1)
            ],
        )
        for outcome in Outcome.values
        # every decision needs a reason: an outcome for which none fits cannot be chosen
        if (reasons := list_fitting_reasons(case, others, outcome))
    ]
    also: dict[str, str] = {}
    for fitting_reason in list_fitting_reasons(case, others, Outcome.APPROVE):
        also |= _find_unanswered((case, *others), Outcome.APPROVE, fitting_reason)
    return {
        "choices": choices,
        "also": also,
        "stamp": compute_case_stamp(case, others),
        "refers": refers,
    }


def _find_unanswered(
    cases: Sequence[Case], outcome: str, reason: case_types.Reason
) -> dict[str, str]:
    return find_unanswered_rules(cases, outcome=outcome, code=reason.code)


def _build_option(
    digit: int, reason: case_types.Reason, note_facts: NoteFacts, left: dict[str, str]
) -> ReasonOption:
    template = extend_note_template(
        fill_note_template(reason, note_facts), list(left.values()), gap=GAP
    )
    return ReasonOption(
        reason.code, reason.label, digit, template, reason.false_positive, tuple(left)
    )
