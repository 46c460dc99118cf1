"""Which transfers an officer is to look at, and how grave that is. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Risk = Literal["LOW", "MEDIUM", "HIGH"]
NODES_DIFFER = "NODES-1"
TAKEN_BACK = "CH-6"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One row; `ref` is a row of matches or of turns, or one of the nodes themselves."""

    ref: str
    risk: Risk
    says: str


_ALL = (
    Trouble(TAKEN_BACK, "HIGH", "The chain took back a transfer that had counted as final."),
    Trouble("MATCH-12", "MEDIUM", "The transfer that is named is another order's already."),
    Trouble("MATCH-5", "MEDIUM", "One transfer fits several orders."),
    Trouble("MATCH-2", "MEDIUM", "A transfer bears the reference, and something else differs."),
    Trouble("MATCH-7", "MEDIUM", "The transfer that is named is not the expected one."),
    Trouble("MATCH-11", "MEDIUM", "The transaction that is named pays the recipient nothing."),
    Trouble("MATCH-13", "MEDIUM", "A transaction that may be it is too large to be read."),
    Trouble("MATCH-14", "MEDIUM", "A block has more transfers to its recipient than are read."),
    Trouble("MATCH-6", "MEDIUM", "A transfer came after its order had ended."),
    Trouble("MATCH-8", "LOW", "A transfer is like the expected one, and differs from it."),
    Trouble(NODES_DIFFER, "MEDIUM", "Two nodes of a chain do not say the same for minutes."),
)
TROUBLES: Mapping[str, Trouble] = {one.ref: one for one in _ALL}


def trouble(*, match: str, turn: str) -> Trouble | None:
    """Return what an officer is to look at after a turn, None where there is nothing."""
    return TROUBLES.get(match) or TROUBLES.get(turn)
