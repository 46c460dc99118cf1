"""The case of a party that came up before and matches what changed on a list.

DESIGN.md section 5 (Lists) and section 8.
"""

from collections.abc import Collection
from datetime import timedelta

from apps.ongoing.deciding import decided
from apps.ongoing.picture import entries, listed_labels, picture, sanctions_lists
from apps.ongoing.rules import FOUND, FOUND_HOLDER, FULL, PARTIAL
from apps.review.kinds import Kind, Pace, Reason, RuleWords, SecondRule, Words
from apps.review.rules.notes import GAP, Template, Told

MATCH, LOOK = frozenset({FOUND[FULL].ref}), frozenset({FOUND[PARTIAL].ref})
HIT = MATCH | LOOK
HOLDER = frozenset({FOUND_HOLDER.ref})
EITHER = HIT | HOLDER


def _note(words: str) -> Template:
    def template(told: Told) -> str:
        said = " ".join(text for ref, text in told.rules.items() if ref in EITHER)
        return f"{said} {words}: {GAP}".strip()

    return template


def _hours(*, high: int, medium: int, low: int) -> dict[str, timedelta]:
    """Return by risk how long a case may wait, in hours of an open desk."""
    given = {"HIGH": high, "MEDIUM": medium, "LOW": low}
    return {risk: timedelta(hours=hours) for risk, hours in given.items()}


APPROVE = (
    Reason(
        "DIFFERENT_PARTY",
        "Another party: identifiers or dates differ",
        "FATF R.6",
        EITHER,
        _note("Not the listed party, because"),
        false_positive=True,
    ),
    Reason(
        "NAME_ONLY",
        "Another party: only a common name agrees",
        "FATF R.6",
        EITHER,
        _note("Only the name agrees, because"),
        false_positive=True,
    ),
    Reason(
        "PEP_ACCEPTED",
        "PEP: relationship and source of funds established",
        "FATF R.12",
        HOLDER,
        _note("Relationship and source of funds"),
        is_listed=True,
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)
REJECT = (
    Reason(
        "LISTED_PARTY",
        "The party is the listed one",
        "FATF R.6",
        HIT,
        _note("The listed party, because"),
        is_listed=True,
    ),
    Reason(
        "PEP_DECLINED",
        "PEP: source of funds not established",
        "FATF R.12",
        HOLDER,
        _note("Not established"),
        is_listed=True,
    ),
    Reason(
        "NOT_IDENTIFIED",
        "The party could not be identified",
        "FATF R.10",
        EITHER,
        _note("Asked for and not given"),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)


def concerns_ofac(refs: Collection[str], *, owed: bool) -> bool:
    """Tell whether OFAC may be owed a report: where a sanctioned party may be meant."""
    return owed and not HIT.isdisjoint(refs)


RESCREEN = Kind(
    title="Party re-screened",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    gravity=(MATCH, LOOK, HOLDER),
    due=_hours(high=4, medium=8, low=8),
    paces=(Pace("A match at 70 % or more", MATCH, _hours(high=2, medium=2, low=2)),),
    risks=("A match of a sanctioned party from 60 % is HIGH, otherwise it is MEDIUM.",),
    seconds=(SecondRule("RESCREEN-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),),
    words={
        "APPROVE": Words("Not the listed party", "Not the listed party"),
        "REJECT": Words("Treat as listed", "Treated as listed"),
    },
    true_matches=("LISTED_PARTY",),
    concerns_ofac=concerns_ofac,
    lists=sanctions_lists,
    picture=picture,
    listed=listed_labels,
    entries=entries,
    decided=decided,
    rules={one.ref: RuleWords(one.title) for one in (*FOUND.values(), FOUND_HOLDER)},
)
