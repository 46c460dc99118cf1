"""The decision box: outcomes with the reasons that fit, each with the beginning of its note."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.review import kinds
from apps.review.actions.groups import fitting, stamp
from apps.review.models import Case, Outcome, Status
from apps.review.pages.noting import filled, told_of
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Option:
    """A reason as it is offered: the digit that picks it, and how its note begins."""

    code: str
    label: str
    digit: int
    template: str


def box(
    *, case: Case, user: "User", others: Sequence[Case], drawn: dict[str, Any]
) -> dict[str, Any]:
    """Return what the decision box draws; `others` are duplicates, `drawn` the case's picture."""
    if case.kind not in KINDS or case.status == Status.DECIDED:
        return {"choices": [], "stamp": "", "refers": False}
    known = told_of(case, drawn)
    choices = [
        (
            outcome,
            kinds.words(case.kind, outcome),
            [
                Option(one.code, one.label, digit, filled(one, known))
                for digit, one in enumerate(fitting(case, others, outcome), 1)
            ],
        )
        for outcome in Outcome.values
    ]
    refers = user.has_perm(kinds.named(case.kind).decides)
    return {"choices": choices, "stamp": stamp(case, others), "refers": refers}
