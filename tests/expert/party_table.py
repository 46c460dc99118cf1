"""Reads the table of parties, and tells what a screen has decided of them.

Each file of `parties/` is a part. `facts` are what the caller tells, as `key=value; key=value`
(KEYS); `decision` is APPROVED, FLAGGED, BLOCKED, HELD (either of the two that stop a payment) or
503 (nothing is decided); `rules` are those that an expert would name for it. `cause` says why a
row is known to come out otherwise on the lists beside this, `cause_real` why on the real ones
(empty: the same, `none`: there it is right).
"""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.compliance.screening.rules.screen import RULES
from tests.expert.sample_register import code

HERE = Path(__file__).parent
PARTS = sorted(path.stem for path in (HERE / "parties").glob("*.csv"))
KEYS = {
    "country": "country",
    "address": "address",
    "source": "sourceCountry",
    "amount": "amount",
    "currency": "currency",
    "type": "paymentType",
    "person": "individual",
    "lei": "lei",
    "entity": "entityType",
    "born": "birthDate",
    "nationality": "nationality",
    "id": "identifiers",
    "wallet": "walletAddress",
    "alias": "aliases",
}
DECIDES = {rule.code: rule.decision for rule in RULES if rule.decision}
GRAVITY = {"APPROVED": 0, "FLAGGED": 1, "HELD": 1, "BLOCKED": 2}


# Of all parties at most so many may be known to come out otherwise, whatever their cause.
# To reach: none missed.
MOST = {"missed": 0.005, "avoidable BLOCKED": 0.03, "avoidable FLAGGED": 0.08}


@dataclass(frozen=True, slots=True)
class Row:
    """A party with the expert's decision; `state` is that of the lists."""

    id: str
    body: dict[str, Any]
    state: str
    decision: str
    rules: frozenset[str]
    why: str
    causes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out: the decision (or the HTTP status), the rules behind it, the sentences."""

    decision: str
    rules: frozenset[str] = frozenset()
    reasons: tuple[str, ...] = ()


def rows(part: str) -> list[Row]:
    """Return the rows of a part."""
    with (HERE / "parties" / f"{part}.csv").open(encoding="utf-8", newline="") as source:
        return [_row(line) for line in csv.DictReader(source)]


def _row(line: dict[str, str]) -> Row:
    facts = dict(_fact(text) for text in line["facts"].split(";") if text.strip())
    state = facts.pop("state", "")
    body = {KEYS[key]: _value(key, text) for key, text in facts.items()}
    return Row(
        id=line["id"],
        body={"name": line["name"], **body},
        state=state,
        decision=line["decision"],
        rules=frozenset(line["rules"].split()),
        why=line["why"],
        causes={"own": line["cause"], "real": _on_real_lists(line)},
    )


def _on_real_lists(line: dict[str, str]) -> str:
    """Return the cause there: the same, another, or `none` where a row is right there alone."""
    cause = line["cause_real"] or line["cause"]
    return "" if cause == "none" else cause


def _fact(text: str) -> tuple[str, str]:
    key, _, value = text.strip().partition("=")
    return key, value


def _value(key: str, text: str) -> Any:
    if key == "person":
        return True
    if key == "amount":
        return float(text)
    if key == "lei":
        return code(text)
    if key == "alias":
        return text.split("|")
    if key == "id":
        kind, value, country = [*text.split(":"), ""][:3]
        return [{"type": kind, "value": value} | ({"country": country} if country else {})]
    return text


def outcome(response: Any) -> Outcome:
    """Return what an answer of the API says."""
    if response.status_code != 200:
        return Outcome(str(response.status_code), reasons=(response.json()["detail"],))
    answer = response.json()
    decided = {code for code in answer["rules"] if DECIDES.get(code) == answer["decision"]}
    return Outcome(answer["decision"], frozenset(decided), tuple(answer["reasons"]))


def right(row: Row, found: Outcome) -> bool:
    """Tell whether it is the expert's decision, and for the expert's reasons."""
    if row.decision == "HELD":
        return found.decision in ("FLAGGED", "BLOCKED")
    return found.decision == row.decision and found.rules == row.rules


def kind_of_miss(row: Row, found: Outcome) -> str:
    """Return in which way an outcome differs from the expert's."""
    if row.decision == found.decision:
        return "right decision, other rules"
    if row.decision not in GRAVITY or found.decision not in GRAVITY:
        return f"{found.decision} instead of {row.decision}"
    if found.decision == "APPROVED":
        return "missed"
    if GRAVITY[found.decision] < GRAVITY[row.decision]:
        return "FLAGGED instead of BLOCKED"
    return f"avoidable {found.decision}"


def too_many(results: Sequence[tuple[Row, Outcome]]) -> list[str]:
    """Return the ways of being wrong that are commoner than they may be."""
    wrong = [(row, found) for row, found in results if not right(row, found)]
    kinds = Counter(kind_of_miss(row, found) for row, found in wrong)
    return [kind for kind, most in MOST.items() if kinds[kind] / len(results) > most]


def report(results: Iterable[tuple[Row, Outcome]], lists: str) -> str:
    """Return the result of a run in words: how many are right, and the rest by kind and cause."""
    told = list(results)
    wrong = [(row, found) for row, found in told if not right(row, found)]
    kinds = Counter(kind_of_miss(row, found) for row, found in wrong)
    lines = [f"{lists} lists: {len(told) - len(wrong)} of {len(told)} parties as an expert decides"]
    lines += [f"  {kind}: {count} ({count / len(told):.1%})" for kind, count in kinds.items()]
    causes = Counter(row.causes[lists] or "not known yet" for row, _ in wrong)
    lines += [f"  because {cause}: {count}" for cause, count in causes.most_common()]
    return "\n".join(lines)
