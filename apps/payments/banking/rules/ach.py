"""Whether a payment by the bank fires by itself: one table. Pure.

Document 2 section 4: APPROVED fires, FLAGGED is reviewed, BLOCKED must not proceed. A row of each
outcome that holds is recorded; the gravest decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Decision = Literal["APPROVED", "FLAGGED", "BLOCKED"]
DECISIONS: tuple[Decision, ...] = ("APPROVED", "FLAGGED", "BLOCKED")


@dataclass(frozen=True, slots=True)
class PaymentFacts:
    """What was found. `action` is that of the AML engine, empty where it could not judge.

    `listed` and `near` are of names; `barred` and `doubted` say that the combined screen blocks or
    flags for another reason: a country, an address, a politically exposed person. `noted` says that
    the note names a listed party.
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
        "The AML engine says that it must not go.",
        lambda f: f.action == "BLOCK",
    ),
    PaymentRule(
        "ACH-9",
        "1 §2.7",
        "BLOCKED",
        "The screen of the recipient or its bank says that it must not go.",
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
        "The screen of the recipient or its bank asks for an officer.",
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
        "The account is not the one that was saved for the recipient.",
        lambda f: not f.same_account,
    ),
    PaymentRule(
        "ACH-5",
        "D §4",
        "FLAGGED",
        "The name is not that of the recipient.",
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
APPROVED = PaymentRule(
    "ACH-8", "2 §4", "APPROVED", "Nothing stands against it: it fires.", lambda f: True
)


@dataclass(frozen=True, slots=True)
class PaymentJudgement:
    """What a payment comes to, and by which rows."""

    decision: Decision
    rows: tuple[PaymentRule, ...]

    @property
    def fires(self) -> bool:
        """Whether it is sent by itself."""
        return self.decision == "APPROVED"

    @property
    def reviewed(self) -> bool:
        """Whether an officer looks at it."""
        return self.decision == "FLAGGED"


def judge_payment(facts: PaymentFacts) -> PaymentJudgement:
    """Return what a payment comes to."""
    held = tuple(row for row in ROWS if row.when(facts)) or (APPROVED,)
    decision = max((one.decision for one in held), key=DECISIONS.index)
    return PaymentJudgement(decision, held)
