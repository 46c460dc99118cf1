"""The input of a decision: outcome, reason, note and answered rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Case, Outcome


@dataclass(frozen=True, slots=True)
class Decision:
    """An outcome (APPROVE, REJECT), the code of its reason, and the note for the examiner.

    `proof` says when (`at`) and how the officer confirmed their identity, if that was required.
    `also` are rules (`ref`, `sentence`) that the note answers beside those of the reason; `ticked`
    are references of those that the officer said so of.
    """

    outcome: str
    reason_code: str
    note: str
    proof: Mapping[str, str] | None = None
    also: tuple[Mapping[str, str], ...] = ()
    ticked: frozenset[str] = frozenset()

    def reason(self, case: Case) -> case_types.Reason | None:
        """Return the reason as the case's kind has it today, or None."""
        return case_types.get_case_type(case.kind).reason(
            outcome=self.outcome, code=self.reason_code
        )

    def told(self, case: Case) -> dict[str, Any]:
        """Return the record of the decision, with today's wording for later sheets."""
        chosen = self.reason(case)
        words = {"reason": chosen.label, "basis": chosen.basis} if chosen else {}
        payload: dict[str, Any] = {
            "reason_code": self.reason_code,
            **words,
            "note": self.note.strip(),
        }
        payload |= {"also": [dict(other_reason) for other_reason in self.also]} if self.also else {}
        payload |= self.answered(case)
        return payload | ({"proof": dict(self.proof)} if self.proof else {})

    def answered(self, case: Case) -> dict[str, list[dict[str, str]]]:
        """Return the case's rules that an approval answers, under `answered`; others stay open."""
        if self.outcome != Outcome.APPROVE:
            return {}
        by_reason = case_types.get_case_type(case.kind).answered(
            code=self.reason_code, refs=case.refs
        )
        rows = [rule for rule in case.rules if rule["ref"] in by_reason | self.ticked]
        return {"answered": [{"ref": row["ref"], "sentence": row["sentence"]} for row in rows]}
