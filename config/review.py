"""Kinds of cases: what officers decide on, and whom the decision concerns.

`review` knows no domain. A kind names the function that is called, inside the decision's
transaction, when a case of it has been decided: `decided(*, ref, outcome, now) -> None`. It is
told the outcome and nothing of what officers wrote: reasons and notes never leave the desk.
`picture(evidence) -> dict` turns the domain's evidence into what the case page draws
(apps/review/evidence.py has the shapes).
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of case, with dotted paths; empty where there is nothing to call."""

    title: str
    decided: str = ""
    picture: str = ""


KINDS: dict[str, Kind] = {
    "screen": Kind(title="Flagged screen", picture="apps.screening.picture.picture"),
}
