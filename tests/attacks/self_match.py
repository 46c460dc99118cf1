"""Every name on the live sanctions lists is looked for as it is listed: each finds itself.

Reads the lists and the index of the installation that VAR_DIR and DATABASE_URL name; the server
need not run. With a number only every so many parties are looked at.

    ./run attack self-match [EVERY]

Aliases that their list calls weak are counted apart. A name that would be approved, or a primary
name that would not be blocked, is a fault.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from apps.platform.common.clock import now
from apps.reference.watchlists import engine
from apps.reference.watchlists.matching.index import Query
from apps.reference.watchlists.rules.score_limits import (
    BLOCK_SCORE,
    PARTIAL_SCORE,
    to_whole_percent,
)

LONGEST = 300  # letters of a name that a screen takes


@dataclass
class Found:
    """How names fared: counts by kind of name and outcome, and those that are faults."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def kind_of(name: Any) -> str:
    """Return how a listed name is counted."""
    if name.weak:
        return "weak"
    return name.kind if name.full.isascii() else f"{name.kind}, other script"


def look(index: Any, every: int = 1) -> Found:
    """Look for the names of an index in itself."""
    found = Found()
    for position in range(0, len(index), every):
        party = index.entity(position)
        for name in party.names:
            if len(name.full) > LONGEST:
                found.counts[kind_of(name), "too long"] += 1
                continue
            hits = index.search(Query(name.full), cutoff=PARTIAL_SCORE / 100, limit=5)
            score = to_whole_percent(hits[0].score) if hits else 0
            outcome = "BLOCKED" if score >= BLOCK_SCORE else "FLAGGED" if hits else "APPROVED"
            found.counts[kind_of(name), outcome] += 1
            primary = name.kind == "primary" and outcome == "FLAGGED"
            if not name.weak and (outcome == "APPROVED" or primary):
                found.faults.append(f"{outcome} at {score}: {name.full} ({party.schema})")
    return found


def main(arguments: list[str]) -> int:
    """Return 0 where every name finds itself."""
    page_text = look(
        engine.load_current_engine(now()).sanctions, int(arguments[0]) if arguments else 1
    )
    for (kind, outcome), count in sorted(page_text.counts.items()):
        print(f"{kind:24} {outcome:10} {count:8,}")
    for fault in page_text.faults[:40]:
        print(fault, file=sys.stderr)
    return 1 if page_text.faults or not page_text.counts else 0
