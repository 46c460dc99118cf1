"""The next step for a registration that waits, one row per rule. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from apps.compliance.payees.rules.lei_states import LAPSED, RETIRED, UNVERIFIED


@dataclass(frozen=True, slots=True)
class WaitingRegistration:
    """The LEI status of a waiting registration, and whether it has an open case.

    `case` is empty, OPEN or AWAITING_SECOND; `successor` is the LEI that GLEIF names instead.
    """

    lei_status: str
    case: str = ""
    successor: str = ""


@dataclass(frozen=True, slots=True)
class NextRule:
    """The next step when this holds, and who takes it."""

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
             "Check with GLEIF: the status of the LEI is unknown"),
    NextRule("WAIT.7", lambda w: True, "Contact an officer: under review without an open case"),
)  # fmt: skip


def describe_next_step(waits: WaitingRegistration) -> str:
    """Return the next step in words."""
    rule = next(rule for rule in NEXT if rule.when(waits))
    # only WAIT.3 names it
    return rule.says.format(successor=waits.successor)
