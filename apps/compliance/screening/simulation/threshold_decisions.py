"""Decide a recorded screen again, with proposed thresholds applied to its scores.

From the sealed payload alone: no list is queried, so nothing depends on today's lists.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from apps.compliance.screening.combined import ownership_record
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import threshold_effects
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import RULES
from apps.compliance.screening.rules.known_false_positives import (
    ClearedMatch,
    ScoredMatch,
    exclude_known_matches,
)
from apps.compliance.screening.rules.owners import NodeFact, is_controlled_by_listed
from apps.compliance.screening.rules.threshold_effects import SPECIFIED, Thresholds
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, MOST, to_whole_percent

CODES = frozenset(rule.code for rule in RULES)
Row = Mapping[str, Any]


def decide_with_thresholds(record: Screen, bars: Thresholds) -> str | None:
    """Return what proposed thresholds make of a screen.

    None where its record does not confirm what was decided by today's rules, or was purged.
    """
    if record.purged:
        return None
    codes = {code for code in record.rules.split("; ") if code}
    # a rule that has been removed since: today's table cannot tell what it decided
    if not codes <= CODES:
        return None
    data = record.data
    # unless the specified thresholds lead to the recorded decision, the comparison means nothing
    if (
        threshold_effects.decide_by_placed_scores(build_placed_facts(data, SPECIFIED), held=codes)
        != record.decision
    ):
        return None
    return threshold_effects.decide_by_placed_scores(build_placed_facts(data, bars), held=codes)


def build_placed_facts(payload: Row, bars: Thresholds) -> ScreenFacts:
    """Return the scores of a payload as these thresholds place them; of nothing else is a fact."""
    evidence, checks = payload["evidence"], payload["response"]["checks"]
    matches = [
        ScoredMatch(f"{row['dataset']}:{row['entityId']}", _placed_score(row, bars), row["name"])
        for row in evidence["sanctions"]
    ]
    matches.sort(key=lambda match: -match.score)
    best = matches[0].score if matches else bars.placed(checks["sanctions"]["score"])
    pep = checks["pep"]
    plain = ScreenFacts(
        source="",
        source_label="",
        sanctions_score=best,
        pep_asked=pep["checked"],
        pep_score=bars.placed_holder(pep["score"] if pep["checked"] else None),
        nodes=_build_node_facts(payload["request"]["lei"], evidence, bars),
    )
    return exclude_known_matches(
        plain,
        matches=matches,
        cleared={
            row["key"]: ClearedMatch(
                row["key"], row["ref"], date.fromisoformat(row["until"]), row["case"]
            )
            for row in evidence.get("knownFalse", ())
        },
    )


def _placed_score(row: Row, bars: Thresholds) -> int:
    """Return the placed score of a match; one that was capped below a match stays below any."""
    return bars.placed(min(row["score"], bars.match - 1) if _is_capped_match(row) else row["score"])


def _is_capped_match(row: Row) -> bool:
    """Return whether something other than the score keeps a match at 69 %, just below a block."""
    if row["score"] != MOST:
        return False
    why = row.get("explanation") or {}
    if not why or why.get("weak_alias") or to_whole_percent(float(why["score"])) > MOST:
        return True
    lowered = {effect["what"] for effect in row.get("effects", ()) if float(effect["effect"]) < 0}
    return not lowered.isdisjoint({"bounds", "type"})


def _build_node_facts(lei: str, evidence: Row, bars: Thresholds) -> tuple[NodeFact, ...]:
    """Return the owners with placed scores, and whether listed ones control the party."""
    chain = ownership_record.parse_ownership(lei, dict(evidence))
    if chain is None:
        return ()
    scores = {row["lei"]: _best_owner_score(row, bars) for row in evidence["chain"]}
    listed = {owner for owner, score in scores.items() if score == BLOCK_SCORE}
    controls = is_controlled_by_listed(subject=chain.subject, listed=listed, ties=chain.ties)
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


def _best_owner_score(row: Row, bars: Thresholds) -> int | None:
    """Return the best placed score of an owner, None where it was not checked."""
    scores: Iterable[int] = (_placed_score(match, bars) for match in row["matches"])
    return None if row["status"] == "NOT_CHECKED" else max(scores, default=0)
