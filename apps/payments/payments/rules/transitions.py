"""What becomes of a payment: one table of states, events and guards. Pure. DESIGN.md section 4.

The first row that has the state and the event, and whose guard holds, is taken; there is no other
way from state to state. Each is one compare-and-set of the payment's row, with a sealed event and
with what follows from it in the same transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from apps.platform.common.transition_tables import find_guarded_transition, find_transition_by_code

State = Literal[
    "", "SUBMITTED", "VERIFIED", "AWAITING_SETTLEMENT", "HELD", "SETTLED", "BLOCKED", "FAILED"
]
Event = Literal[
    "ACCEPTED",
    "CHECKED",
    "NOT_CHECKED",
    "RECHECKED",
    "RELEASED",
    "REJECTED",
    "PRICED",
    "NOT_PRICED",
    "PRICE_LAPSED",
    "SETTLED",
    "REFUSED",
    "NOT_SETTLED",
    "UNDONE",
]

# Raised whenever a row below changes; part of every event.
VERSION = "2026-11.5"
STATES: tuple[State, ...] = (
    "SUBMITTED",
    "VERIFIED",
    "AWAITING_SETTLEMENT",
    "HELD",
    "SETTLED",
    "BLOCKED",
    "FAILED",
)
FINAL: frozenset[State] = frozenset({"SETTLED", "BLOCKED", "FAILED"})
# the platform works on these by itself; one that is HELD waits for an officer
MOVING: frozenset[State] = frozenset(STATES) - FINAL - {"HELD"}


@dataclass(frozen=True, slots=True)
class CheckResults:
    """Results of a payment's checks; `screens` are the decisions on its parties.

    `answered` says that officers released all that these checks flag.
    """

    payee: str = ""
    aml: str = ""
    screens: tuple[str, ...] = ()
    answered: bool = False

    @property
    def ran(self) -> bool:
        """Whether each check ran."""
        # fail closed: no screen at all, or a result that is none of these, counts as not run
        decided = bool(self.screens) and set(self.screens) <= {"APPROVED", "FLAGGED", "BLOCKED"}
        return bool(self.payee) and self.aml in ("PROCEED", "FLAG", "BLOCK") and decided

    @property
    def blocked(self) -> bool:
        """Whether any of them blocks the payment."""
        return self.payee == "BLOCKED" or self.aml == "BLOCK" or "BLOCKED" in self.screens

    @property
    def flagged(self) -> bool:
        """Whether any of them wants an officer to look."""
        return self.aml == "FLAG" or "FLAGGED" in self.screens


@dataclass(frozen=True, slots=True)
class Transition:
    """One row. `code` never changes.

    `work`: processing continues, in the current job or in a new one. `tells`: the institution is
    notified, in the feed and by callback. `hands`: the data that the travel rule requires is handed
    over. `review`: a case opens. `counts`: attempts continue to be counted, so that a rail that
    never answers is given up even though quotes expire in the meantime. `corrects`: an earlier
    final callback was wrong, and a correction is sent.
    """

    code: str
    ref: str
    state: State
    event: Event
    next: State
    title: str
    guard: Callable[[CheckResults], bool] = lambda _: True
    work: bool = False
    tells: bool = False
    hands: bool = False
    review: bool = False
    counts: bool = False
    corrects: bool = False


# the order matters where guards overlap: a block before a flag, an answered flag before an open one
TRANSITIONS: tuple[Transition, ...] = (
    Transition("PAY-1", "D §4 Payment status", "", "ACCEPTED", "SUBMITTED",
         "The instruction is valid and its reference is new.", work=True),
    Transition("PAY-2", "2 §3 payee verification", "SUBMITTED", "CHECKED", "BLOCKED",
         "The payee check is BLOCKED.", lambda c: c.payee == "BLOCKED", tells=True),
    Transition("PAY-3", "1 §2.4 BLOCK", "SUBMITTED", "CHECKED", "BLOCKED",
         "The AML screen blocks it.", lambda c: c.aml == "BLOCK", tells=True),
    Transition("PAY-4", "1 §2.7 BLOCKED", "SUBMITTED", "CHECKED", "BLOCKED",
         "The screen of a party is BLOCKED.", lambda c: "BLOCKED" in c.screens, tells=True),
    Transition("PAY-5", "D §4 Payment status, HELD", "SUBMITTED", "CHECKED", "HELD",
         "The AML screen flags it.", lambda c: c.aml == "FLAG", review=True, tells=True),
    Transition("PAY-6", "1 §2.7 FLAGGED", "SUBMITTED", "CHECKED", "HELD",
         "The screen of a party is FLAGGED.", lambda c: "FLAGGED" in c.screens, review=True,
         tells=True),
    Transition("PAY-7", "D §4 Payment status", "SUBMITTED", "CHECKED", "VERIFIED",
         "Every check ran, and none found anything against the payment.",
         lambda c: bool(c.payee) and c.aml == "PROCEED" and set(c.screens) == {"APPROVED"},
         work=True),
    Transition("PAY-8", "D §4 Fail closed", "SUBMITTED", "NOT_CHECKED", "HELD",
         "A check could not be made after repeated attempts.", review=True, tells=True),
    Transition("PAY-9", "D §4 Payment status, HELD", "HELD", "RELEASED", "VERIFIED",
         "An officer released it.", work=True),
    Transition("PAY-10", "D §4 Payment status, HELD", "HELD", "REJECTED", "BLOCKED",
         "An officer rejected it.", tells=True),
    Transition("PAY-11", "2 §1 FX rate", "VERIFIED", "PRICED", "AWAITING_SETTLEMENT",
         "Its rate is locked and its fee is quoted.", work=True, counts=True),
    Transition("PAY-12", "D §4 Fail closed", "VERIFIED", "NOT_PRICED", "FAILED",
         "No rate for its currency was found after repeated attempts.", tells=True),
    Transition("PAY-13", "3 §2.2 quote validity", "AWAITING_SETTLEMENT", "PRICE_LAPSED", "VERIFIED",
         "Its quote expired before settlement: it is priced again.", work=True, counts=True),
    Transition("PAY-14", "2 §3 settlement", "AWAITING_SETTLEMENT", "SETTLED", "SETTLED",
         "The rail confirms the settlement.", tells=True, hands=True),
    Transition("PAY-15", "2 §3 settlement", "AWAITING_SETTLEMENT", "REFUSED", "FAILED",
         "The rail refuses the settlement.", tells=True),
    Transition("PAY-16", "2 §3 settlement", "AWAITING_SETTLEMENT", "NOT_SETTLED", "FAILED",
         "The rail could not be reached after repeated attempts.", tells=True),
    Transition("PAY-17", "D §4 Payment status, HELD", "VERIFIED", "RECHECKED", "BLOCKED",
         "A check blocks it on the current lists.", lambda c: c.blocked, tells=True),
    Transition("PAY-18", "D §4 Payment status, HELD", "VERIFIED", "RECHECKED", "VERIFIED",
         "A check flags it on the current lists, only for findings that an officer has answered.",
         lambda c: c.ran and c.flagged and c.answered, work=True, counts=True),
    Transition("PAY-19", "D §4 Payment status, HELD", "VERIFIED", "RECHECKED", "HELD",
         "A check flags it on the current lists, for findings that no officer has answered.",
         lambda c: c.ran and c.flagged, review=True, tells=True),
    Transition("PAY-20", "D §4 Payment status", "VERIFIED", "RECHECKED", "VERIFIED",
         "No check found anything against it on the current lists.",
         lambda c: c.ran, work=True, counts=True),
    Transition("PAY-21", "D §4 Fail closed", "VERIFIED", "NOT_CHECKED", "FAILED",
         "It could not be checked again after repeated attempts.", tells=True),
    Transition("PAY-22", "D §4 Settlement rails", "SETTLED", "UNDONE", "AWAITING_SETTLEMENT",
         "The chain reverted its transfer: it is not settled.", work=True, tells=True,
         corrects=True),
)  # fmt: skip


def find_transition(state: str, event: str, checks: CheckResults = CheckResults()) -> Transition:
    """Return the row that an event takes; NoSuchTransition where the table has none."""
    return find_guarded_transition(
        TRANSITIONS, thing="payment", state=state, event=event, checks=checks
    )


def transition_by_code(code: str) -> Transition | None:
    """Return the row of a code, None for one of another release."""
    return find_transition_by_code(TRANSITIONS, code)
