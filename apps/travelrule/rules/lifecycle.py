"""How a record's status changes: one table, every change is a row of it. Pure.

Document 2 section 3 shows the statuses at creation; what follows is ours (DESIGN.md section 4).
"""

from dataclasses import dataclass

STATUSES = ("EXEMPT", "PENDING", "SENT", "STORED", "FAILED")


class NoTurn(ValueError):
    """The table has no such row."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One change: from a status, by an event, to the next; `says` is for people."""

    code: str
    status: str
    event: str
    next: str
    says: str


TURNS = (
    Turn("TR-1", "", "EXEMPT", "EXEMPT", "Recorded: below the threshold"),
    Turn("TR-2", "", "STORED", "STORED", "Recorded: kept for examiners"),
    Turn("TR-3", "", "PENDING", "PENDING", "Recorded: to be sent"),
    Turn("TR-4", "", "FAILED", "FAILED", "Recorded: the message lacks what the rules want"),
    Turn("TR-5", "PENDING", "DELIVERED", "SENT", "The counterparty took the message"),
    Turn("TR-6", "PENDING", "GAVE_UP", "FAILED", "The message was not delivered"),
    Turn("TR-7", "FAILED", "SEND_AGAIN", "PENDING", "An officer has it sent again"),
    Turn("TR-8", "STORED", "SEND_LATER", "PENDING", "An endpoint became known: to be sent"),
)
_BY = {(one.status, one.event): one for one in TURNS}


def turn(status: str, event: str) -> Turn:
    """Return the row of an event in a status; NoTurn where there is none."""
    found = _BY.get((status, event))
    if found is None:
        raise NoTurn(f"a record that is {status or 'new'} knows no {event}")
    return found
