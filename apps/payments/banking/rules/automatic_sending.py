"""Decide whether a bank payment is sent automatically: one table. Pure.

Document 2 section 4: APPROVED fires, FLAGGED is reviewed, BLOCKED must not proceed. Every rule that
holds is recorded with its outcome; the most severe decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Decision = Literal["APPROVED", "FLAGGED", "BLOCKED"]
# in rising severity: the index compares them
DECISIONS: tuple[Decision, ...] = ("APPROVED", "FLAGGED", "BLOCKED")


@dataclass(frozen=True, slots=True)
class PaymentFacts:
    """The findings. `action` is that of the AML engine, empty if it could not judge.

    `listed` and `near` are about names; `barred` and `doubted` say that the combined screen blocks
    or flags for another reason: a country, an address, a politically exposed person. `noted` says
    that the note names a listed party.
    """

    listed: bool = False
    near: bool = False
    barred: bool = False
    doubted: bool = False
    action: str = ""
    same_account: bool = True
    same_name: bool = True
    noted: bool = False


@dataclass(frozen=True, slots=True)
class PaymentRule:
    """One row; `code` never changes."""

    code: str
    ref: str
    decision: Decision
    says: str
    when: Callable[[PaymentFacts], bool]


ROWS: tuple[PaymentRule, ...] = (
    PaymentRule(
        "ACH-1",
        "2 §2.5 sanctionsClean",
        "BLOCKED",
        "The recipient or the account name is on a sanctions list.",
        lambda f: f.listed,
    ),
    PaymentRule(
        "ACH-2",
        "2 §2.5 anomalyScore",
        "BLOCKED",
        "The AML engine blocks it.",
        lambda f: f.action == "BLOCK",
    ),
    PaymentRule(
        "ACH-9",
        "1 §2.7",
        "BLOCKED",
        "The screen of the recipient or its bank blocks it.",
        lambda f: f.barred,
    ),
    PaymentRule(
        "ACH-3",
        "2 §2.5 sanctionsClean",
        "FLAGGED",
        "A name resembles one on a sanctions list.",
        lambda f: f.near,
    ),
    PaymentRule(
        "ACH-10",
        "1 §2.7",
        "FLAGGED",
        "The screen of the recipient or its bank flags it for an officer.",
        lambda f: f.doubted,
    ),
    PaymentRule(
        "ACH-11",
        "1 §2.7 rule 3",
        "FLAGGED",
        "The note of the payment names a listed party.",
        lambda f: f.noted,
    ),
    PaymentRule(
        "ACH-4",
        "D §4",
        "FLAGGED",
        "The account is not the one saved for the recipient.",
        lambda f: not f.same_account,
    ),
    PaymentRule(
        "ACH-5",
        "D §4",
        "FLAGGED",
        "The name is not the recipient's.",
        lambda f: not f.same_name,
    ),
    PaymentRule(
        "ACH-6",
        "2 §2.5 anomalyScore",
        "FLAGGED",
        "The payment is unusual for the account.",
        lambda f: f.action == "FLAG",
    ),
    PaymentRule(
        "ACH-7", "D §4 Fail closed", "FLAGGED", "A check could not be made.", lambda f: not f.action
    ),
)
APPROVED = PaymentRule("ACH-8", "2 §4", "APPROVED", "No objection: it fires.", lambda f: True)


@dataclass(frozen=True, slots=True)
class PaymentJudgement:
    """The outcome of a payment, and the rules that led to it."""

    decision: Decision
    rows: tuple[PaymentRule, ...]

    @property
    def fires(self) -> bool:
        """Tell whether it is sent automatically."""
        return self.decision == "APPROVED"

    @property
    def reviewed(self) -> bool:
        """Tell whether an officer reviews it."""
        return self.decision == "FLAGGED"


def judge_payment(facts: PaymentFacts) -> PaymentJudgement:
    """Return the outcome of a payment."""
    # all that hold, not the first: an officer must answer each of them
    payment_rules = tuple(row for row in ROWS if row.when(facts)) or (APPROVED,)
    decision = max((rule.decision for rule in payment_rules), key=DECISIONS.index)
    return PaymentJudgement(decision, payment_rules)
