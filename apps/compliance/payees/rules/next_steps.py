"""What is to be done next with a registration that waits: one row a rule. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from apps.compliance.payees.rules.lei_states import LAPSED, RETIRED, UNVERIFIED


@dataclass(frozen=True, slots=True)
class WaitingRegistration:
    """What is known of one that waits: its LEI, and whether a case of it is open.

    `case` is empty, OPEN or AWAITING_SECOND; `successor` is the LEI that GLEIF names instead.
    """

    lei_status: str
    case: str = ""
    successor: str = ""


@dataclass(frozen=True, slots=True)
class NextRule:
    """What is to be done when this holds, and who does it."""

    code: str
    when: Callable[[WaitingRegistration], bool]
    says: str


NEXT = (  # first match wins
    NextRule("WAIT.1", lambda w: w.case == "AWAITING_SECOND", "A second officer confirms its case"),
    NextRule("WAIT.2", lambda w: w.case == "OPEN", "An officer decides its case"),
    NextRule("WAIT.3", lambda w: w.lei_status == RETIRED and bool(w.successor),
             "Ask whether {successor} holds the wallet now, and propose a change of entity"),
    NextRule("WAIT.4", lambda w: w.lei_status == RETIRED,
             "Ask who holds the wallet now, or deactivate it"),
    NextRule("WAIT.5", lambda w: w.lei_status == LAPSED, "Ask the entity to renew its LEI"),
    NextRule("WAIT.6", lambda w: w.lei_status == UNVERIFIED,
             "Look at GLEIF: it does not say whether the LEI is in force"),
    NextRule("WAIT.7", lambda w: True, "Ask an officer: it is under review, and no case is open"),
)  # fmt: skip


def describe_next_step(waits: WaitingRegistration) -> str:
    """Return what is to be done next, in words."""
    rule = next(rule for rule in NEXT if rule.when(waits))
    return rule.says.format(successor=waits.successor)
