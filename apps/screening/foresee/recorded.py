"""What a record has of the scores on which a screen was decided, as proposed thresholds see them.

From the sealed payload alone: no list is asked, so nothing depends on what lists say today.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from apps.screening.combined import ownership
from apps.screening.models import Screen
from apps.screening.rules import foreseen
from apps.screening.rules.facts import Facts
from apps.screening.rules.findings import RULES
from apps.screening.rules.foreseen import SPECIFIED, Bars
from apps.screening.rules.known import Cleared, Scored, without_known
from apps.screening.rules.owners import NodeFact, controlled
from apps.watchlists.rules import BLOCK_SCORE, MOST, percent

CODES = frozenset(rule.code for rule in RULES)
Row = Mapping[str, Any]


def otherwise(record: Screen, bars: Bars) -> str | None:
    """Return what proposed thresholds make of a screen.

    None where its record does not bear out what was decided by today's rules, or was purged.
    """
    if record.purged:
        return None
    held = {code for code in record.rules.split("; ") if code}
    if not held <= CODES:
        return None
    kept = record.data
    if foreseen.decision(facts(kept, SPECIFIED), held=held) != record.decision:
        return None
    return foreseen.decision(facts(kept, bars), held=held)


def facts(kept: Row, bars: Bars) -> Facts:
    """Return the scores of a payload as these thresholds place them; of nothing else is a fact."""
    evidence, checks = kept["evidence"], kept["response"]["checks"]
    matches = [_scored(row, bars) for row in evidence["sanctions"]]
    matches.sort(key=lambda one: -one.score)
    best = matches[0].score if matches else bars.placed(checks["sanctions"]["score"])
    pep = checks["pep"]
    plain = Facts(
        source="",
        source_label="",
        sanctions_score=best,
        pep_asked=pep["checked"],
        pep_score=bars.placed_holder(pep["score"] if pep["checked"] else None),
        nodes=_nodes(kept["request"]["lei"], evidence, bars),
    )
    return without_known(plain, matches=matches, cleared=_cleared(evidence))


def _scored(row: Row, bars: Bars) -> Scored:
    return Scored(f"{row['dataset']}:{row['entityId']}", _placed(row, bars), row["name"])


def _placed(row: Row, bars: Bars) -> int:
    """Return the placed score of a match; what is held below a match stays below any."""
    return bars.placed(min(row["score"], bars.match - 1) if _held(row) else row["score"])


def _held(row: Row) -> bool:
    """Tell whether something beside the score holds a match at the most that does not block."""
    if row["score"] != MOST:
        return False
    why = row.get("explanation") or {}
    if not why or why.get("weak_alias") or percent(float(why["score"])) > MOST:
        return True
    lowered = {one["what"] for one in row.get("effects", ()) if float(one["effect"]) < 0}
    return not lowered.isdisjoint({"bounds", "type"})


def _cleared(evidence: Row) -> dict[str, Cleared]:
    return {
        row["key"]: Cleared(row["key"], row["ref"], date.fromisoformat(row["until"]), row["case"])
        for row in evidence.get("knownFalse", ())
    }


def _nodes(lei: str, evidence: Row, bars: Bars) -> tuple[NodeFact, ...]:
    """Return the owners with placed scores, and whether listed ones control the party."""
    chain = ownership.from_record(lei, dict(evidence))
    if chain is None:
        return ()
    scores = {row["lei"]: _best(row, bars) for row in evidence["chain"]}
    listed = {owner for owner, score in scores.items() if score == BLOCK_SCORE}
    controls = controlled(subject=chain.subject, listed=listed, ties=chain.ties)
    return tuple(
        NodeFact(
            role=row["role"],
            lei=row["lei"],
            name=row["name"],
            score=scores[row["lei"]],
            controls=controls or row["lei"] == chain.subject,
        )
        for row in evidence["chain"]
    )


def _best(row: Row, bars: Bars) -> int | None:
    """Return the best placed score of an owner, None where it was not checked."""
    scores: Iterable[int] = (_placed(match, bars) for match in row["matches"])
    return None if row["status"] == "NOT_CHECKED" else max(scores, default=0)
