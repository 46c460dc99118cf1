"""Which cases may be cleared together, and which are duplicates (features 18 and 24)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

MOST = 25  # cases that are claimed or assigned at once


@dataclass(frozen=True, slots=True)
class CaseTraits:
    """What must agree between cases that are worked on together.

    `entity` names the listed parties that the case matches, `rules` what brought it here: not
    those that only inform.
    """

    kind: str
    owner: str
    risk: str
    entity: str
    rules: str
    needs_second: bool
    escalated: bool = False  # by an officer, so that it is the seniors'


def find_bulk_fault(cases: Sequence[CaseTraits], *, cap: int, risks: Collection[str]) -> str:
    """Return why these cases cannot be cleared together, or an empty text.

    `cap` is how many their kind lets clear at once, `risks` of which risk; 0 is none at all.
    """
    if not cases:
        return "Choose at least one case."
    if not cap:
        return "Cases of this kind are decided one by one."
    if len(cases) > cap:
        return f"Choose at most {cap} cases: {len(cases)} are too many to review together."
    if any(not case.entity for case in cases):
        return "One of the cases matches no listed party: decide it by itself."
    if len({(case.kind, case.entity) for case in cases}) > 1:
        return "The cases match different listed parties: clear one party's at a time."
    if len({case.rules for case in cases}) > 1:
        return "The cases are here for different reasons: clear those with the same ones."
    grave = next((case.risk for case in cases if case.risk not in risks), "")
    return f"A {grave} risk case is decided by itself." if grave else ""


def list_unticked_cases(*, seen: Collection[int], ticked: Collection[int]) -> frozenset[int]:
    """Return which of the reviewed cases go back to the queue.

    ValueError, with a sentence, if nothing is ticked, or a case that was not reviewed.
    """
    if not ticked:
        raise ValueError("Tick the cases that you confirm, or return all of them to the queue.")
    if not set(ticked) <= set(seen):
        raise ValueError("The cases have changed in the meantime. Review them again.")
    return frozenset(seen) - frozenset(ticked)


def find_merge_fault(*, duplicate: CaseTraits, into: CaseTraits) -> str:
    """Return why a case is no duplicate of another, or an empty text (feature 18)."""
    if (duplicate.kind, duplicate.owner) != (into.kind, into.owner):
        return "Only cases of the same kind and client can be merged."
    if duplicate.needs_second and not into.needs_second:
        return "This case needs a second officer and the other does not: merge that one into this."
    if duplicate.escalated and not into.escalated:
        return "This case was escalated and the other was not: merge that one into this."
    return ""
