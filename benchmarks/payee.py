"""How payees' names are told apart, beside edit distance: `./run bench payee [--json OUT]`.

On the labelled pairs of tests/names: the bands of those that were in view while the rules were
written, of those that were not, and of near misses; and whether each score lies in the tier that
its pair needs. The peer is the scorer of rapidfuzz with the two thresholds that together do best
on the pairs in view; how it does on the others is what counts. Where the shared data has
published examples, those too.
"""

import argparse
import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz, utils
from rapidfuzz.distance import JaroWinkler

from apps.reference.names.payee import compare_payee_names
from apps.reference.names.payee.evaluation import LabelledPair, PairCounts
from benchmarks.matching_data import default_folder

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "names"
IN_VIEW, UNSEEN, NEAR = "payee_cases.csv", "payee_cases_unseen.csv", "payee_near.csv"
TIERS = ("payee_tiers.csv", "payee_tiers_unseen.csv")
PUBLISHED = "payee/payee_names_dev.csv"
Band = Callable[[LabelledPair], str]
SCORERS: dict[str, Callable[[str, str], float]] = {
    "token_sort_ratio": fuzz.token_sort_ratio,
    "token_set_ratio": fuzz.token_set_ratio,
    "WRatio": fuzz.WRatio,
    "Jaro-Winkler": lambda one, other: 100 * JaroWinkler.similarity(one, other),
}


def main() -> None:
    """Print the figures, and write them where that is asked."""
    parser = argparse.ArgumentParser(prog="./run bench payee", description=__doc__)
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    options = parser.parse_args()
    found = measured(options.data)
    for name, row in found["bands"].items():
        print(f"{name:24} {json.dumps(row)}")
    for name, tier in found["tiers"].items():
        print(f"{name:24} {json.dumps(tier)}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def measured(data: Path) -> dict[str, Any]:
    """Return the figures of bands, ours and the peer's by set, and of tiers."""
    sets = {name: pairs(FOLDER / name) for name in (IN_VIEW, UNSEEN, NEAR)}
    if (data / PUBLISHED).exists():
        sets["published examples"] = pairs(data / PUBLISHED)
    scorer, low, high = fitted(sets[IN_VIEW])
    return {
        "peer": {"name": f"rapidfuzz {scorer}", "close": low, "match": high},
        "bands": {
            name: {"ours": shares(some, _ours), "peer": shares(some, _peer(scorer, low, high))}
            for name, some in sets.items()
        },
        "tiers": {name: tiers(FOLDER / name) for name in TIERS},
    }


def pairs(path: Path) -> list[LabelledPair]:
    """Return the labelled pairs of a CSV file."""
    fields = ("submitted", "registered", "expected", "alt", "category")
    with path.open(encoding="utf-8-sig", newline="") as source:
        return [LabelledPair(*(row[name] for name in fields)) for row in csv.DictReader(source)]


def shares(some: Sequence[LabelledPair], band: Band) -> dict[str, float | int]:
    """Return how many pairs are told as they should be, and the errors that cost most."""
    count = PairCounts()
    for pair in some:
        count.add(pair, band(pair))
    return count.shares()


def _ours(pair: LabelledPair) -> str:
    return compare_payee_names(submitted=pair.submitted, registered=pair.registered).band


def likeness(pair: LabelledPair, scorer: str) -> float:
    """Return the peer's score of a pair, 0 to 100."""
    names = (utils.default_process(name) for name in (pair.submitted, pair.registered))
    return SCORERS[scorer](*names)


def _peer(scorer: str, low: int, high: int) -> Band:
    return lambda pair: banded(likeness(pair, scorer), low, high)


def banded(score: float, low: int, high: int) -> str:
    """Return the band of a score under two thresholds."""
    return "MATCH" if score >= high else "CLOSE" if score >= low else "NO"


def fitted(some: Sequence[LabelledPair]) -> tuple[str, int, int]:
    """Return the scorer and the two thresholds under which most pairs are told as allowed."""
    best, most = ("", 0, 0), -1
    for scorer in SCORERS:
        scores = [(likeness(pair, scorer), {pair.expected, pair.alt}) for pair in some]
        for high in range(60, 102):
            for low in range(30, high + 1):
                right = sum(banded(score, low, high) in allowed for score, allowed in scores)
                if right > most:
                    best, most = (scorer, low, high), right
    return best


def tiers(path: Path) -> dict[str, int]:
    """Return how many pairs score in their tier, and how many of the others above and below."""
    told = {"pairs": 0, "right": 0, "above": 0, "below": 0}
    with path.open(encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source):
            score = compare_payee_names(
                submitted=row["submitted"], registered=row["registered"]
            ).score
            told["pairs"] += 1
            told["above"] += score > int(row["most"])
            told["below"] += score < int(row["least"])
    told["right"] = told["pairs"] - told["above"] - told["below"]
    return told


if __name__ == "__main__":
    main()
