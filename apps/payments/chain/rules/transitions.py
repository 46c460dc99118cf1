"""The transitions of an order. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from apps.platform.common.transition_tables import NoSuchTransition, find_transition_by_code

State = Literal["OPEN", "SEEN", "CONFIRMING", "FINAL", "EXPIRED", "CONFLICT"]
STATES: tuple[State, ...] = get_args(State)
# states in which a transfer is searched for, and in which one is checked against the chain
AWAITING_TRANSFER: tuple[State, ...] = ("OPEN", "SEEN", "CONFLICT")
HAVING_TRANSFER: tuple[State, ...] = ("CONFIRMING", "FINAL")
VERSION = "chain-2026-11.3"
# neither strangers' transfers nor reports of hashes can make steps without end
MOST_STEPS = 60


@dataclass(frozen=True, slots=True)
class Transition:
    """One row: in any of `states` an event leads to `next`; `tells` notifies the expecting app."""

    code: str
    event: str
    states: tuple[State, ...]
    next: State
    tells: bool
    title: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition("CH-1", "REPORTED", ("OPEN", "SEEN"), "SEEN", False,
         "A transaction is named: we look for its hash."),
    Transition("CH-16", "REPORTED", ("CONFLICT",), "CONFLICT", False,
         "A transaction is named for an unclear transfer: we look for it, but it ends nothing."),
    Transition("CH-2", "REPORTED", ("EXPIRED",), "EXPIRED", False,
         "A transaction is named after the deadline: it is recorded but settles nothing."),
    Transition("CH-3", "FOUND", AWAITING_TRANSFER, "CONFIRMING", True,
         "A transfer in a block of the chain matches this order and no other."),
    Transition("CH-4", "DEEP", ("CONFIRMING",), "FINAL", True,
         "The transfer has as many confirmations as its amount requires."),
    Transition("CH-5", "FELL", ("CONFIRMING",), "SEEN", True,
         "The chain reverted the block of the transfer: we look for it again."),
    Transition("CH-6", "UNDONE", ("FINAL",), "CONFLICT", True,
         "The chain reverted a final transfer: an alert is raised and an officer reviews it."),
    Transition("CH-7", "UNCLEAR", ("OPEN", "SEEN"), "CONFLICT", True,
         "A transfer matches several orders, or a transaction matches no order that names it."),
    Transition("CH-8", "RAN_OUT", ("OPEN", "SEEN"), "EXPIRED", True,
         "The deadline passed on the chain without a transfer."),
    Transition("CH-9", "LATE", ("EXPIRED",), "EXPIRED", True,
         "A transfer arrived after the deadline: it is recorded but settles nothing."),
    Transition("CH-11", "UNFIT", ("OPEN",), "OPEN", True,
         "A transfer or transaction does not match: it settles nothing."),
    Transition("CH-12", "UNFIT", ("SEEN",), "SEEN", True,
         "The same, for an order that names a transaction."),
    Transition("CH-13", "ENDED", ("EXPIRED",), "EXPIRED", False,
         "The platform no longer looks for late transfers."),
    Transition("CH-14", "CLOSED", AWAITING_TRANSFER, "EXPIRED", True,
         "An officer ended the order: later transfers are recorded but settle nothing."),
    Transition("CH-15", "KEPT", ("CONFLICT",), "SEEN", False,
         "An officer keeps the order waiting until its deadline."),
    Transition("CH-10", "FOR_GOOD", ("FINAL",), "FINAL", False,
         "The chain itself reports the block as final: it is not checked again."),
)  # fmt: skip
_BY_STATE_AND_EVENT: Mapping[tuple[str, str], Transition] = {
    (state, row.event): row for row in TRANSITIONS for state in row.states
}


def transition_by_code(code: str) -> Transition | None:
    """Return the row of a code, None for one of another release."""
    return find_transition_by_code(TRANSITIONS, code)


def find_transition(state: str, event: str) -> Transition:
    """Return the row of an event in a state; NoSuchTransition if there is none."""
    transition = _BY_STATE_AND_EVENT.get((state, event))
    if transition is None:
        raise NoSuchTransition(f"{event} does not happen to an order that is {state}")
    return transition
