"""Which transfers an officer is to look at, and how grave that is. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Risk = Literal["LOW", "MEDIUM", "HIGH"]
NODES_DIFFER = "NODES-1"
TAKEN_BACK = "CH-6"


@dataclass(frozen=True, slots=True)
class CaseTrigger:
    """One row; `ref` is a row of matches or of turns, or one of the nodes themselves."""

    ref: str
    risk: Risk
    says: str


_ALL = (
    CaseTrigger(TAKEN_BACK, "HIGH", "The chain took back a transfer that had counted as final."),
    CaseTrigger("MATCH-12", "MEDIUM", "The transfer that is named is another order's already."),
    CaseTrigger("MATCH-5", "MEDIUM", "One transfer fits several orders."),
    CaseTrigger("MATCH-2", "MEDIUM", "A transfer bears the reference, and something else differs."),
    CaseTrigger("MATCH-7", "MEDIUM", "The transfer that is named is not the expected one."),
    CaseTrigger("MATCH-11", "MEDIUM", "The transaction that is named pays the recipient nothing."),
    CaseTrigger("MATCH-13", "MEDIUM", "A transaction that may be it is too large to be read."),
    CaseTrigger("MATCH-14", "MEDIUM", "A block has more transfers to its recipient than are read."),
    CaseTrigger("MATCH-6", "MEDIUM", "A transfer came after its order had ended."),
    CaseTrigger("MATCH-8", "LOW", "A transfer is like the expected one, and differs from it."),
    CaseTrigger(NODES_DIFFER, "MEDIUM", "Two nodes of a chain do not say the same for minutes."),
)
CASE_TRIGGERS: Mapping[str, CaseTrigger] = {one.ref: one for one in _ALL}


def find_case_trigger(*, match: str, turn: str) -> CaseTrigger | None:
    """Return what an officer is to look at after a turn, None where there is nothing."""
    return CASE_TRIGGERS.get(match) or CASE_TRIGGERS.get(turn)
