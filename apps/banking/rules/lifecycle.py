"""How what the bank tells and is told changes: one table for each thing. Pure."""

from dataclasses import dataclass


class NoTurn(ValueError):
    """The table has no such row."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One change of a thing: from a state, by an event, to the next; `says` is for people."""

    code: str
    thing: str
    state: str
    event: str
    next: str
    says: str


TURNS: tuple[Turn, ...] = (
    Turn("BD-1", "delivery", "", "TAKEN", "TAKEN", "The bank told of something"),
    Turn("BT-1", "transaction", "", "SEEN", "SEEN", "The bank told of it"),
    Turn("BT-2", "transaction", "SEEN", "TAGGED", "WAITING", "Tagged: to be quoted"),
    Turn("BT-3", "transaction", "SEEN", "HELD", "HELD", "Tagged, and cannot be routed as it is"),
    Turn("BT-15", "transaction", "WAITING", "TAGGED", "WAITING", "Tagged otherwise: to be quoted"),
    Turn("BT-4", "transaction", "HELD", "TAGGED", "WAITING", "Tagged otherwise: to be quoted"),
    Turn("BT-5", "transaction", "HELD", "HELD", "HELD", "It still cannot be routed"),
    Turn("BT-6", "transaction", "WAITING", "ROUTED", "ROUTED", "Quoted; its order is open"),
    Turn("BT-16", "transaction", "ROUTED", "FINAL", "SETTLED", "The transfer is final"),
    Turn("BT-17", "transaction", "SETTLED", "FELL_BACK", "ROUTED", "The chain took it back"),
    Turn("BT-18", "transaction", "ROUTED", "EXPIRED", "EXPIRED", "No transfer came in time"),
    Turn(
        "BT-19",
        "transaction",
        "ROUTED",
        "CALLED_OFF",
        "CALLED_OFF",
        "It did not come about: its order is ended",
    ),
    Turn(
        "BT-21",
        "transaction",
        "ROUTED",
        "HALTED",
        "HALTED",
        "Who pays by now is halted: its order is ended",
    ),
    Turn("BT-20", "transaction", "CALLED_OFF", "HELD", "HELD", "It came about after all"),
    Turn("BT-7", "transaction", "WAITING", "HALTED", "HALTED", "The checks halt it"),
    Turn("BT-8", "transaction", "WAITING", "HELD", "HELD", "It cannot be routed any more"),
    Turn("BT-9", "transaction", "WAITING", "DROPPED", "SEEN", "It did not come about"),
    Turn("BT-10", "transaction", "HELD", "DROPPED", "SEEN", "It did not come about"),
    Turn("BT-11", "transaction", "HELD", "RELEASED", "WAITING", "An officer has it tried again"),
    Turn("BT-12", "transaction", "HALTED", "RELEASED", "WAITING", "An officer has it tried again"),
    Turn("BT-13", "transaction", "HELD", "REFUSED", "REFUSED", "An officer refused it"),
    Turn("BT-14", "transaction", "HALTED", "REFUSED", "REFUSED", "An officer refused it"),
    Turn("BP-1", "recipient", "", "NEW", "NEW", "Given; to be saved at the bank"),
    Turn("BP-2", "recipient", "NEW", "SAVED", "SAVED", "Saved at the bank"),
    Turn("BP-3", "recipient", "NEW", "REFUSED", "REFUSED", "The bank does not take it"),
    Turn("BS-1", "send", "", "TAKEN", "TAKEN", "To be sent"),
    Turn("BS-2", "send", "", "HELD", "HELD", "An officer is to look at it first"),
    Turn("BS-3", "send", "", "STOPPED", "STOPPED", "It may not be sent"),
    Turn("BS-4", "send", "TAKEN", "SENT", "SENT", "The bank has taken it"),
    Turn("BS-5", "send", "TAKEN", "REFUSED", "REFUSED", "The bank does not take it"),
    Turn("BS-6", "send", "TAKEN", "STOPPED", "STOPPED", "It may not be sent any more"),
    Turn("BS-7", "send", "HELD", "RELEASED", "TAKEN", "An officer released it"),
    Turn("BS-8", "send", "HELD", "STOPPED", "STOPPED", "An officer refused it"),
    Turn("BS-9", "send", "SENT", "CLEARED", "SETTLED", "The bank tells that it went"),
    Turn("BS-10", "send", "SENT", "RETURNED", "RETURNED", "The bank tells that it came back"),
    Turn("BS-11", "send", "SENT", "FAILED", "FAILED", "The bank tells that it did not go"),
    # what the bank tells last holds, whichever of its deliveries comes first
    Turn("BS-12", "send", "SETTLED", "RETURNED", "RETURNED", "It went, and came back"),
    Turn("BS-13", "send", "SETTLED", "FAILED", "FAILED", "It counted as gone, and did not go"),
    Turn("BS-14", "send", "SETTLED", "UNDER_WAY", "SENT", "It is under way again"),
    Turn("BS-15", "send", "RETURNED", "CLEARED", "SETTLED", "It went after all"),
    Turn("BS-16", "send", "RETURNED", "FAILED", "FAILED", "It did not go in the first place"),
    Turn("BS-17", "send", "RETURNED", "UNDER_WAY", "SENT", "It is under way again"),
    Turn("BS-18", "send", "FAILED", "CLEARED", "SETTLED", "It went after all"),
    Turn("BS-19", "send", "FAILED", "RETURNED", "RETURNED", "It went, and came back"),
    Turn("BS-20", "send", "FAILED", "UNDER_WAY", "SENT", "It is under way again"),
    Turn("BS-21", "send", "TAKEN", "UNCLEAR", "UNCLEAR", "Whether the bank took it is not known"),
    Turn("BS-22", "send", "UNCLEAR", "RELEASED", "TAKEN", "An officer has the bank asked again"),
    Turn("BS-23", "send", "UNCLEAR", "REFUSED", "REFUSED", "An officer knows that it did not go"),
)
# how a payment that left stands, by the status that the bank tells; another is under way
ENDS = {
    "sent": "CLEARED",
    "reversed": "RETURNED",
    "cancelled": "FAILED",
    "failed": "FAILED",
    "blocked": "FAILED",
}
UNDER_WAY = "UNDER_WAY"
LEFT = ("SENT", "SETTLED", "RETURNED", "FAILED")  # the bank has taken it
_BY = {(one.thing, one.state, one.event): one for one in TURNS}


def states(thing: str) -> tuple[str, ...]:
    """Return the states of a thing, in the order of the table."""
    return tuple(dict.fromkeys(one.next for one in TURNS if one.thing == thing))


def turn(thing: str, state: str, event: str) -> Turn:
    """Return the row of an event in a state; NoTurn where there is none."""
    found = _BY.get((thing, state, event))
    if found is None:
        raise NoTurn(f"a {thing} that is {state or 'new'} knows no {event}")
    return found


def knows(thing: str, state: str, event: str) -> bool:
    """Tell whether the table has a row of an event in a state."""
    return (thing, state, event) in _BY
