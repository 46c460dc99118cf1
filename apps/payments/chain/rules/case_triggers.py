"""Transfers that an officer must review, and their severity. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Risk = Literal["LOW", "MEDIUM", "HIGH"]
NODES_DIFFER = "NODES-1"
TAKEN_BACK = "CH-6"


@dataclass(frozen=True, slots=True)
class CaseTrigger:
    """One row; `ref` is a row of matches or of transitions, or one of the nodes themselves."""

    ref: str
    risk: Risk
    says: str


_ALL = (
    CaseTrigger(TAKEN_BACK, "HIGH", "The chain reverted a transfer that had counted as final."),
    CaseTrigger("MATCH-12", "MEDIUM", "The named transfer already belongs to another order."),
    CaseTrigger("MATCH-5", "MEDIUM", "One transfer matches several orders."),
    CaseTrigger(
        "MATCH-2", "MEDIUM", "A transfer carries the reference, but something else differs."
    ),
    CaseTrigger("MATCH-7", "MEDIUM", "The named transfer is not the expected one."),
    CaseTrigger("MATCH-11", "MEDIUM", "The named transaction pays the recipient nothing."),
    CaseTrigger(
        "MATCH-13", "MEDIUM", "A transaction that may be the expected one is too large to read."
    ),
    CaseTrigger("MATCH-14", "MEDIUM", "A block has more transfers to its recipient than are read."),
    CaseTrigger("MATCH-6", "MEDIUM", "A transfer arrived after its order had ended."),
    CaseTrigger("MATCH-8", "LOW", "A transfer is similar to the expected one but differs from it."),
    CaseTrigger(NODES_DIFFER, "MEDIUM", "Two nodes of a chain have disagreed for minutes."),
)
CASE_TRIGGERS: Mapping[str, CaseTrigger] = {trigger.ref: trigger for trigger in _ALL}


def find_case_trigger(*, match: str, turn: str) -> CaseTrigger | None:
    """Return what an officer must review after a transition, None if nothing."""
    return CASE_TRIGGERS.get(match) or CASE_TRIGGERS.get(turn)
