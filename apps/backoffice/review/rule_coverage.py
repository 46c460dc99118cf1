"""What an approval answers beside its reason: rules of other levels that brought a case here.

A reason answers the gravest rules alone (`Kind.offered`). That the party is another one does not
say why its payment is so large: each rule that is left is answered in the note, and ticked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case, Outcome

ANSWER_PROMPT = "Answered by"


def find_unanswered_rules(cases: Iterable[Case], *, outcome: str, code: str) -> dict[str, str]:
    """Return the rules that a reason to approve leaves open, by reference, as officers read them.

    `cases` is a case with what was merged into it. What informs alone asks nothing.
    """
    found: dict[str, str] = {}
    for case in cases:
        if outcome != Outcome.APPROVE or case.kind not in CASE_TYPES:
            continue
        left = case_types.get_case_type(case.kind).left_open(code=code, refs=case.refs)
        found |= {one["ref"]: one["sentence"] for one in case.told if one["ref"] in left}
    return found


def serialize_answered_rules(left: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return what goes on record of the rules that were answered beside the reason."""
    return [{"ref": ref, "sentence": sentence} for ref, sentence in left.items()]


def extend_note_template(template: str, left: Sequence[str], *, gap: str) -> str:
    """Return a template that goes on to ask for an answer to each rule that is left."""
    return " ".join(filter(None, (template, *(f"{said} {ANSWER_PROMPT}: {gap}" for said in left))))
