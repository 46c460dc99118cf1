"""Rules that an approval must answer in addition to those of its reason.

A reason answers only the most severe rules (`CaseType.offered`). That the party is a different one
does not explain why its payment is so large: each remaining rule is answered in the note, and
ticked.
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
    unanswered_rules: dict[str, str] = {}
    for case in cases:
        if outcome != Outcome.APPROVE or case.kind not in CASE_TYPES:
            continue
        left = case_types.get_case_type(case.kind).left_open(code=code, refs=case.refs)
        unanswered_rules |= {
            rule["ref"]: rule["sentence"] for rule in case.told if rule["ref"] in left
        }
    return unanswered_rules


def serialize_answered_rules(left: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return what goes on record of the rules that were answered beside the reason."""
    return [{"ref": ref, "sentence": sentence} for ref, sentence in left.items()]


def extend_note_template(template: str, left: Sequence[str], *, gap: str) -> str:
    """Return a template that goes on to ask for an answer to each rule that is left."""
    return " ".join(
        filter(None, (template, *(f"{sentence} {ANSWER_PROMPT}: {gap}" for sentence in left)))
    )
