"""The transitions of a settlement: one table of states, events and guards.

Pure. docs/settlement.md.

The first row that has the state and the event, and whose guard holds, is taken; no other
transitions exist.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from apps.platform.common.transition_tables import find_guarded_transition, find_transition_by_code

State = Literal["", "AWAITING_SETTLEMENT", "HELD", "RELEASED", "SETTLED", "BLOCKED", "EXPIRED"]
Event = Literal[
    "ASKED", "RESUBMITTED", "RELEASED", "REJECTED", "CONFIRMED", "UNDONE", "RAN_OUT"
]  # fmt: skip

# Raised whenever a row below changes; part of every event.
VERSION = "2026-11.2"
STATES: tuple[State, ...] = (
    "AWAITING_SETTLEMENT",
    "HELD",
    "RELEASED",
    "SETTLED",
    "BLOCKED",
    "EXPIRED",
)
# states in which the reference may be resubmitted and is then checked again
WAITING: frozenset[State] = frozenset({"HELD", "RELEASED"})


@dataclass(frozen=True, slots=True)
class CheckResults:
    """The results of the checks: the decision of the flow, and the checks that do not pass.

    `not_run` are those of them that did not run. `halts` says that the stability oracle is
    UNSTABLE. `held_for` are the checks that held it last, `seen` those that held it when an officer
    released it. `sandbox`: nothing is transferred.
    """

    decision: str = ""
    holding: frozenset[str] = frozenset()
    not_run: frozenset[str] = frozenset()
    halts: bool = False
    seen: Collection[str] = ()
    held_for: Collection[str] = ()
    sandbox: bool = False

    @property
    def oracle(self) -> bool:
        """Tell whether only the oracle held it."""
        return tuple(self.held_for) == ("stability",)

    @property
    def anew(self) -> bool:
        """Whether a check holds it that did not before; checks that did not run are ignored."""
        return not self.holding - self.not_run <= {*self.held_for, *self.seen}

    @property
    def unseen(self) -> bool:
        """Tell whether a check holds it that no officer saw; an officer must review that."""
        return not self.holding - self.not_run <= frozenset(self.seen)

    @property
    def clear(self) -> bool:
        """Tell whether no objection is left that officers have not released.

        A check that did not run, and a settlement while the oracle is UNSTABLE, cannot be released.
        """
        if self.decision == "PROCEED":
            return True
        # a release covers the checks that the officers saw, and BLOCKED is never released
        waived = self.holding <= frozenset(self.seen)
        return self.decision == "HOLD" and waived and not self.not_run and not self.halts


@dataclass(frozen=True, slots=True)
class Transition:
    """One row. `code` never changes. `review`: a case opens. `expects`: a transfer is expected."""

    code: str
    ref: str
    state: State
    event: Event
    next: State
    title: str
    guard: Callable[[CheckResults], bool] = lambda _: True
    review: bool = False
    expects: bool = False


def _check_transitions(code: int, event: Event, state: State) -> tuple[Transition, ...]:
    """Return the rows of a settlement that is checked, at first or after resubmission."""
    # in this order: what blocks wins, and only a rehearsal settles without a transfer
    again = event == "RESUBMITTED"
    on_hold: State = "RELEASED" if state == "RELEASED" else "HELD"
    waits = "It still waits." if again else "A check holds it, or did not run."
    return (
        Transition(f"SET-{code}", "2 §2.4 BLOCKED", state, event, "BLOCKED", "A check blocks it.",
             lambda c: c.decision == "BLOCKED"),
        Transition(f"SET-{code + 1}", "2 §2.4 sandbox", state, event, "SETTLED",
             "No check found anything against it, and it is a rehearsal: nothing is transferred.",
             lambda c: c.sandbox and c.clear),
        Transition(f"SET-{code + 2}", "2 §1 non-custodial", state, event, "AWAITING_SETTLEMENT",
             "No check found anything against it: the caller executes the transfer.",
             lambda c: c.clear, expects=True),
        Transition(f"SET-{code + 3}", "2 §3 held", state, event, on_hold, waits, review=not again),
    )  # fmt: skip


TRANSITIONS: tuple[Transition, ...] = (
    *_check_transitions(1, "ASKED", ""),
    # before SET-6 to SET-9: while a check other than the oracle's holds it, only an officer may let
    # it go, whatever the checks find by now. A block is not waited for.
    Transition("SET-5", "2 §3 held", "HELD", "RESUBMITTED", "HELD",
         "A check other than the oracle's held it: an officer decides.",
         lambda c: not c.oracle and c.decision != "BLOCKED" and not c.sandbox),
    *_check_transitions(6, "RESUBMITTED", "HELD"),
    Transition("SET-19", "2 §3 held", "RELEASED", "RESUBMITTED", "HELD",
         "A check that no officer saw at its release holds it.",
         lambda c: c.decision == "HOLD" and c.unseen, review=True),
    *_check_transitions(10, "RESUBMITTED", "RELEASED"),
    Transition("SET-14", "2 §3 held", "HELD", "RELEASED", "RELEASED",
         "An officer released it: its caller sends it again."),
    Transition("SET-15", "2 §3 held", "HELD", "REJECTED", "BLOCKED", "An officer rejected it."),
    Transition("SET-16", "D §4 Settlement rails", "AWAITING_SETTLEMENT", "CONFIRMED", "SETTLED",
         "Its transfer is final on the chain."),
    Transition("SET-17", "D §4 Settlement rails", "SETTLED", "UNDONE", "AWAITING_SETTLEMENT",
         "The chain reverted its final transfer: it is not settled."),
    Transition("SET-18", "D §4 Settlement rails", "AWAITING_SETTLEMENT", "RAN_OUT", "EXPIRED",
         "Its deadline passed on the chain without a transfer."),
)  # fmt: skip


def find_transition(state: str, event: str, checks: CheckResults = CheckResults()) -> Transition:
    """Return the row that an event takes; NoSuchTransition if the table has none."""
    return find_guarded_transition(
        TRANSITIONS, thing="settlement", state=state, event=event, checks=checks
    )


def transition_by_code(code: str) -> Transition | None:
    """Return the row of a code, None for one of another release."""
    return find_transition_by_code(TRANSITIONS, code)
