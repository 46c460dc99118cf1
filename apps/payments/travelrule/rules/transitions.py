"""How a record's status changes: one table, every change is a row of it. Pure.

Document 2 section 3 shows the statuses at creation; what follows is ours (DESIGN.md section 4).
"""

from dataclasses import dataclass

from apps.platform.common.transition_tables import NoSuchTransition

STATUSES = ("EXEMPT", "PENDING", "SENT", "STORED", "FAILED")


@dataclass(frozen=True, slots=True)
class Transition:
    """One change: from a status, by an event, to the next; `says` is for people."""

    code: str
    status: str
    event: str
    next: str
    says: str


TRANSITIONS = (
    Transition("TR-1", "", "EXEMPT", "EXEMPT", "Recorded: below the threshold"),
    Transition("TR-2", "", "STORED", "STORED", "Recorded: kept for examiners"),
    Transition("TR-3", "", "PENDING", "PENDING", "Recorded: to be sent"),
    Transition(
        "TR-4", "", "FAILED", "FAILED", "Recorded: the message lacks data that the rules require"
    ),
    Transition("TR-5", "PENDING", "DELIVERED", "SENT", "The counterparty accepted the message"),
    Transition("TR-6", "PENDING", "GAVE_UP", "FAILED", "The message was not delivered"),
    Transition("TR-7", "FAILED", "SEND_AGAIN", "PENDING", "An officer has it sent again"),
    Transition("TR-8", "STORED", "SEND_LATER", "PENDING", "An endpoint became known: to be sent"),
    # A step that changes no status: the institution and the counterparty see statuses, and must not
    # learn what a screen found. Only inbound records have it, which are never PENDING or SENT.
    Transition("TR-9", "STORED", "SCREENED", "STORED", "Its parties were screened"),
    Transition("TR-10", "EXEMPT", "SCREENED", "EXEMPT", "Its parties were screened"),
    Transition("TR-11", "FAILED", "SCREENED", "FAILED", "Its parties were screened"),
)
_BY = {(transition.status, transition.event): transition for transition in TRANSITIONS}


def find_transition(status: str, event: str) -> Transition:
    """Return the row of an event in a status; NoSuchTransition where there is none."""
    transition = _BY.get((status, event))
    if transition is None:
        raise NoSuchTransition(f"a record that is {status or 'new'} knows no {event}")
    return transition
