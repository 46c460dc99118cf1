"""Why a payment waits for an officer though no check found anything. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CaseRule:
    """What brings a payment to an officer: its code and reference."""

    code: str
    ref: str
    title: str


NOT_CHECKED = CaseRule(
    "payment.not_checked",
    "D §4 Fail closed, payment",
    "The checks of the payment could not be made, despite repeated attempts",
)
