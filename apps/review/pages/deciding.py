"""The decision box: outcomes with the reasons that fit, each with the beginning of its note."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.review import kinds
from apps.review.actions.groups import fitting, stamp
from apps.review.answered import extended, unanswered
from apps.review.models import Case, DecisionEvent, Outcome
from apps.review.pages.noting import filled, told_of
from apps.review.rules.notes import GAP, Told
from apps.review.verdicts import reason_of
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Option:
    """A reason as it is offered: the digit that picks it, and how its note begins.

    `other` finds the party to be another than the listed one: that may be proposed as known.
    `left` are references of the rules that it leaves open (answered.py).
    """

    code: str
    label: str
    digit: int
    template: str
    other: bool = False
    left: tuple[str, ...] = ()


def confirmed(proposal: DecisionEvent) -> dict[str, Any]:
    """Return the one reason that a second officer confirms: the first one's, in its own words.

    Its note begins with nothing: what was found is the first officer's, to be judged afresh.
    """
    code = proposal.data.get("reason_code", "")
    words = proposal.data.get("reason") or reason_of(proposal)
    return {"code": code, "reasons": [Option(code, words, 1, "")]}


def box(
    *, case: Case, user: "User", others: Sequence[Case], drawn: dict[str, Any]
) -> dict[str, Any]:
    """Return what the decision box draws; `others` are duplicates, `drawn` the case's picture."""
    if case.kind not in KINDS:
        return {"choices": [], "stamp": "", "refers": False}
    refers = user.has_perm(kinds.named(case.kind).decides)
    if case.ended:
        return {"choices": [], "stamp": "", "refers": refers}
    known = told_of(case, drawn)
    choices = [
        (
            outcome,
            kinds.words(case.kind, outcome),
            [
                _option(digit, one, known, _left((case, *others), outcome, one))
                for digit, one in enumerate(
                    kinds.in_order(fitting(case, others, outcome), known), 1
                )
            ],
        )
        for outcome in Outcome.values
    ]
    also: dict[str, str] = {}
    for one in fitting(case, others, Outcome.APPROVE):
        also |= _left((case, *others), Outcome.APPROVE, one)
    return {"choices": choices, "also": also, "stamp": stamp(case, others), "refers": refers}


def _left(cases: Sequence[Case], outcome: str, one: kinds.Reason) -> dict[str, str]:
    return unanswered(cases, outcome=outcome, code=one.code)


def _option(digit: int, one: kinds.Reason, known: Told, left: dict[str, str]) -> Option:
    template = extended(filled(one, known), list(left.values()), gap=GAP)
    return Option(one.code, one.label, digit, template, one.false_positive, tuple(left))
