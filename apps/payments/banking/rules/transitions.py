"""State changes of what is exchanged with the bank: one table for each thing. Pure."""

from dataclasses import dataclass

from apps.platform.common.transition_tables import NoSuchTransition


@dataclass(frozen=True, slots=True)
class Transition:
    """One change of a thing: from a state, by an event, to the next; `says` is for people."""

    code: str
    thing: str
    state: str
    event: str
    next: str
    says: str


TRANSITIONS: tuple[Transition, ...] = (
    Transition("BD-1", "delivery", "", "TAKEN", "TAKEN", "The bank sent a message"),
    Transition("BT-1", "transaction", "", "SEEN", "SEEN", "The bank reported it"),
    Transition("BT-2", "transaction", "SEEN", "TAGGED", "WAITING", "Tagged: to be quoted"),
    Transition(
        "BT-3", "transaction", "SEEN", "HELD", "HELD", "Tagged, and cannot be routed as it is"
    ),
    Transition(
        "BT-15", "transaction", "WAITING", "TAGGED", "WAITING", "Tagged otherwise: to be quoted"
    ),
    Transition(
        "BT-4", "transaction", "HELD", "TAGGED", "WAITING", "Tagged otherwise: to be quoted"
    ),
    Transition("BT-5", "transaction", "HELD", "HELD", "HELD", "It still cannot be routed"),
    Transition("BT-6", "transaction", "WAITING", "ROUTED", "ROUTED", "Quoted; its order is open"),
    Transition("BT-16", "transaction", "ROUTED", "FINAL", "SETTLED", "The transfer is final"),
    Transition("BT-17", "transaction", "SETTLED", "FELL_BACK", "ROUTED", "The chain took it back"),
    Transition("BT-18", "transaction", "ROUTED", "EXPIRED", "EXPIRED", "No transfer came in time"),
    Transition(
        "BT-19",
        "transaction",
        "ROUTED",
        "CALLED_OFF",
        "CALLED_OFF",
        "It did not go through: its order ends",
    ),
    Transition(
        "BT-21",
        "transaction",
        "ROUTED",
        "HALTED",
        "HALTED",
        "Who pays by now is halted: its order is ended",
    ),
    Transition("BT-20", "transaction", "CALLED_OFF", "HELD", "HELD", "It came about after all"),
    Transition("BT-7", "transaction", "WAITING", "HALTED", "HALTED", "The checks halt it"),
    Transition("BT-8", "transaction", "WAITING", "HELD", "HELD", "It cannot be routed any more"),
    Transition("BT-9", "transaction", "WAITING", "DROPPED", "SEEN", "It did not come about"),
    Transition("BT-10", "transaction", "HELD", "DROPPED", "SEEN", "It did not come about"),
    Transition(
        "BT-11", "transaction", "HELD", "RELEASED", "WAITING", "An officer has it tried again"
    ),
    Transition(
        "BT-12", "transaction", "HALTED", "RELEASED", "WAITING", "An officer has it tried again"
    ),
    Transition("BT-13", "transaction", "HELD", "REFUSED", "REFUSED", "An officer refused it"),
    Transition("BT-14", "transaction", "HALTED", "REFUSED", "REFUSED", "An officer refused it"),
    Transition("BP-1", "recipient", "", "NEW", "NEW", "Given; to be saved at the bank"),
    Transition("BP-2", "recipient", "NEW", "SAVED", "SAVED", "Saved at the bank"),
    Transition("BP-3", "recipient", "NEW", "REFUSED", "REFUSED", "The bank does not take it"),
    Transition("BS-1", "send", "", "TAKEN", "TAKEN", "To be sent"),
    Transition("BS-2", "send", "", "HELD", "HELD", "An officer is to look at it first"),
    Transition("BS-3", "send", "", "STOPPED", "STOPPED", "It may not be sent"),
    Transition("BS-4", "send", "TAKEN", "SENT", "SENT", "The bank has taken it"),
    Transition("BS-5", "send", "TAKEN", "REFUSED", "REFUSED", "The bank does not take it"),
    Transition("BS-6", "send", "TAKEN", "STOPPED", "STOPPED", "It may not be sent any more"),
    Transition("BS-7", "send", "HELD", "RELEASED", "TAKEN", "An officer released it"),
    Transition("BS-8", "send", "HELD", "STOPPED", "STOPPED", "An officer refused it"),
    Transition("BS-9", "send", "SENT", "CLEARED", "SETTLED", "The bank tells that it went"),
    Transition("BS-10", "send", "SENT", "RETURNED", "RETURNED", "The bank tells that it came back"),
    Transition("BS-11", "send", "SENT", "FAILED", "FAILED", "The bank tells that it did not go"),
    # the bank's latest report counts, whichever delivery arrives first
    Transition("BS-12", "send", "SETTLED", "RETURNED", "RETURNED", "It went, and came back"),
    Transition(
        "BS-13", "send", "SETTLED", "FAILED", "FAILED", "It counted as gone, and did not go"
    ),
    Transition("BS-14", "send", "SETTLED", "UNDER_WAY", "SENT", "It is under way again"),
    Transition("BS-15", "send", "RETURNED", "CLEARED", "SETTLED", "It went after all"),
    Transition("BS-16", "send", "RETURNED", "FAILED", "FAILED", "It did not go in the first place"),
    Transition("BS-17", "send", "RETURNED", "UNDER_WAY", "SENT", "It is under way again"),
    Transition("BS-18", "send", "FAILED", "CLEARED", "SETTLED", "It went after all"),
    Transition("BS-19", "send", "FAILED", "RETURNED", "RETURNED", "It went, and came back"),
    Transition("BS-20", "send", "FAILED", "UNDER_WAY", "SENT", "It is under way again"),
    Transition(
        "BS-21", "send", "TAKEN", "UNCLEAR", "UNCLEAR", "It is unknown whether the bank accepted it"
    ),
    Transition(
        "BS-22", "send", "UNCLEAR", "RELEASED", "TAKEN", "An officer resubmits it with the same key"
    ),
    Transition("BS-24", "send", "TAKEN", "HELD", "HELD", "A check flags it before it is sent"),
    Transition(
        "BS-23", "send", "UNCLEAR", "REFUSED", "REFUSED", "An officer confirms that it was not sent"
    ),
)
# the state of a payment that left, by the bank's status; any other status means in transit
EVENTS_BY_BANK_STATUS = {
    "sent": "CLEARED",
    "reversed": "RETURNED",
    "cancelled": "FAILED",
    "failed": "FAILED",
    "blocked": "FAILED",
}
UNDER_WAY = "UNDER_WAY"
# the bank has accepted it
TAKEN_STATES = ("SENT", "SETTLED", "RETURNED", "FAILED")
_BY = {
    (transition.thing, transition.state, transition.event): transition for transition in TRANSITIONS
}


def states_of(thing: str) -> tuple[str, ...]:
    """Return the states of a thing, in the order of the table."""
    return tuple(
        dict.fromkeys(transition.next for transition in TRANSITIONS if transition.thing == thing)
    )


def find_transition(thing: str, state: str, event: str) -> Transition:
    """Return the row of an event in a state; NoSuchTransition if there is none."""
    transition = _BY.get((thing, state, event))
    if transition is None:
        raise NoSuchTransition(f"a {thing} that is {state or 'new'} knows no {event}")
    return transition


def has_transition(thing: str, state: str, event: str) -> bool:
    """Tell whether the table has a row of an event in a state."""
    return (thing, state, event) in _BY
