"""What may happen to an order, and where that leads. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

State = Literal["OPEN", "SEEN", "CONFIRMING", "FINAL", "EXPIRED", "CONFLICT"]
STATES: tuple[State, ...] = get_args(State)
# in which a transfer is looked for, and in which one is held against the chain
AWAITING_TRANSFER: tuple[State, ...] = ("OPEN", "SEEN", "CONFLICT")
HAVING_TRANSFER: tuple[State, ...] = ("CONFIRMING", "FINAL")
VERSION = "chain-2026-11.3"
MOST_STEPS = 60  # neither strangers' transfers nor reports of hashes make steps without end


@dataclass(frozen=True, slots=True)
class Transition:
    """One row: in any of `states` an event leads to `next`; `tells` whoever expects the order."""

    code: str
    event: str
    states: tuple[State, ...]
    next: State
    tells: bool
    title: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition("CH-1", "REPORTED", ("OPEN", "SEEN"), "SEEN", False,
         "A transaction is named: it is looked for by its hash."),
    Transition("CH-16", "REPORTED", ("CONFLICT",), "CONFLICT", False,
         "A transaction is named of one that is unclear: it is looked for, and ends nothing."),
    Transition("CH-2", "REPORTED", ("EXPIRED",), "EXPIRED", False,
         "A transaction is named after the deadline: it is recorded, and settles nothing."),
    Transition("CH-3", "FOUND", AWAITING_TRANSFER, "CONFIRMING", True,
         "One transfer fits this order alone, in a block of the chain."),
    Transition("CH-4", "DEEP", ("CONFIRMING",), "FINAL", True,
         "The transfer stands as deep as its amount asks."),
    Transition("CH-5", "FELL", ("CONFIRMING",), "SEEN", True,
         "The chain took the block of the transfer back: it is looked for again."),
    Transition("CH-6", "UNDONE", ("FINAL",), "CONFLICT", True,
         "The chain took back what stood deep enough: an alert, and a person's to look at."),
    Transition("CH-7", "UNCLEAR", ("OPEN", "SEEN"), "CONFLICT", True,
         "A transfer fits several orders, or a transaction fits no order that names it."),
    Transition("CH-8", "RAN_OUT", ("OPEN", "SEEN"), "EXPIRED", True,
         "The chain is past the deadline, and no transfer came."),
    Transition("CH-9", "LATE", ("EXPIRED",), "EXPIRED", True,
         "A transfer came after the deadline: it is recorded, and settles nothing."),
    Transition("CH-11", "UNFIT", ("OPEN",), "OPEN", True,
         "A transfer or transaction came that does not fit: it settles nothing."),
    Transition("CH-12", "UNFIT", ("SEEN",), "SEEN", True,
         "The same, of an order that names a transaction."),
    Transition("CH-13", "ENDED", ("EXPIRED",), "EXPIRED", False,
         "Late transfers are not looked for any more."),
    Transition("CH-14", "CLOSED", AWAITING_TRANSFER, "EXPIRED", True,
         "An officer ended it: what comes later is recorded, and settles nothing."),
    Transition("CH-15", "KEPT", ("CONFLICT",), "SEEN", False,
         "An officer has it wait on, until its deadline."),
    Transition("CH-10", "FOR_GOOD", ("FINAL",), "FINAL", False,
         "The chain itself calls the block final: it is not looked at again."),
)  # fmt: skip
_BY_STATE_AND_EVENT: Mapping[tuple[str, str], Transition] = {
    (state, row.event): row for row in TRANSITIONS for state in row.states
}


def transition_by_code(code: str) -> Transition | None:
    """Return the row of a code, None for one of another release."""
    return next((transition for transition in TRANSITIONS if transition.code == code), None)


class NoSuchTransition(ValueError):
    """The table has no such row."""


def find_transition(state: str, event: str) -> Transition:
    """Return the row of an event in a state; NoSuchTransition where there is none."""
    found = _BY_STATE_AND_EVENT.get((state, event))
    if found is None:
        raise NoSuchTransition(f"{event} does not happen to an order that is {state}")
    return found
