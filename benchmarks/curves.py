"""The name matcher beside plain string scorers: `./run bench curves [--quick] [--json OUT]`.

On labelled pairs: precision over recall, AUC with its 95 % interval, and F1. On innocent names held
against the whole list: the share for which any listed name is found, ours at its two thresholds,
the peers at the threshold at which they find as many of the labelled pairs as ours does at a
match, for at equal recall the share of innocents is what a matcher costs. Peers are what one would
write first: rapidfuzz's scorers over every listed name of the same kind.
"""

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process, utils
from rapidfuzz.distance import JaroWinkler

from benchmarks import matching, matching_data
from benchmarks.intervals import drawn, wilson
from benchmarks.matching_data import Data
from benchmarks.ranking import auc

from apps.reference.watchlists.matching.index import MatchIndex, Query, build_index  # isort: skip

MATCH, LOOK = 0.70, 0.45
PEERS: dict[str, Callable[..., float]] = {
    "token_sort_ratio": fuzz.token_sort_ratio,
    "WRatio": fuzz.WRatio,
    "Jaro-Winkler": JaroWinkler.normalized_similarity,
}
DRAWS = 200
Scores = NDArray[np.float64]
Truth = NDArray[np.bool_]


def main() -> None:
    """Measure, print, and write the figures where that is asked."""
    parser = argparse.ArgumentParser(prog="./run bench curves", description=__doc__)
    parser.add_argument("--data", type=Path, default=matching_data.default_folder())
    parser.add_argument("--quick", action="store_true", help="150 innocent names of each kind")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    options = parser.parse_args()
    if not (options.data / matching_data.LIST).exists():
        parser.error(f"no {matching_data.LIST} in {options.data}: set SHARED_DATA or give --data")
    data = matching_data.load(folder=options.data, at_most=150 if options.quick else 3000)
    with tempfile.TemporaryDirectory() as folder:
        build_index(entries=matching_data.entries(data.listed), directory=Path(folder))
        index = MatchIndex.open(Path(folder))
        pairs = on_pairs(data, index)
        peers = 150 if options.quick else 600
        speeds: dict[str, list[float]] = defaultdict(list)
        troubled = on_innocents(data, index, pairs["matchers"], peers=peers, speeds=speeds)
    found = {"listed": len(data.listed), "pairs": pairs, "innocents": troubled}
    # names that one thread looks up in a second of its own processor time
    found["speed"] = {name: round(of / took, 1) for name, (of, took) in _sums(speeds).items()}
    show(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def on_pairs(data: Data, index: MatchIndex) -> dict[str, Any]:
    """Return the curves of all matchers on the labelled pairs."""
    truth = np.array([row["is_match"] == "1" for row in data.pairs])
    scores = {"ours": matching.scores(data, index.weights)}
    scores |= {name: peer_scores(data, scorer) for name, scorer in PEERS.items()}
    recalls = [at(truth, scores["ours"], bound)["recall"] for bound in (MATCH, LOOK)]
    return {
        "number": len(truth),
        "matchers": {name: _curve(truth, some, name, recalls) for name, some in scores.items()},
    }


def peer_scores(data: Data, scorer: Callable[..., float]) -> Scores:
    """Return the peer's scores of the labelled pairs, 0 to 1."""
    return np.array(
        [
            _likeness(scorer, *(utils.default_process(row[key]) for key in ("query", "candidate")))
            for row in data.pairs
        ]
    )


def _likeness(scorer: Callable[..., float], one: str, other: str) -> float:
    return float(scorer(one, other)) / _most(scorer)


def _most(scorer: Callable[..., float]) -> float:
    """Return what a scorer gives two equal names."""
    return 1.0 if scorer is PEERS["Jaro-Winkler"] else 100.0


def _curve(truth: Truth, scores: Scores, name: str, wanted: Sequence[float]) -> dict[str, Any]:
    bounds = (MATCH, LOOK) if name == "ours" else [_finds(truth, scores, one) for one in wanted]
    some = drawn(len(truth), DRAWS, lambda picked: auc(truth[picked], scores[picked]))
    return {
        "auc": round(auc(truth, scores), 4),
        "auc_interval": some,
        "at": at(truth, scores, bounds[0]),
        "look": at(truth, scores, bounds[1]),
        "curve": [at(truth, scores, bound) for bound in np.arange(0.3, 0.96, 0.025)],
    }


def _finds(truth: Truth, scores: Scores, recall: float) -> float:
    """Return the highest threshold at which a matcher finds that share of the matches."""
    own = np.sort(scores[truth])[::-1]
    return float(own[max(0, round(recall * len(own)) - 1)])


def at(truth: Truth, scores: Scores, threshold: float) -> dict[str, float]:
    """Return precision, recall and F1 at a threshold."""
    said = scores >= threshold
    right = int((said & truth).sum())
    return {
        "threshold": round(float(threshold), 4),
        "precision": round(right / max(1, int(said.sum())), 4),
        "recall": round(right / int(truth.sum()), 4),
        "f1": round(2 * right / int(said.sum() + truth.sum()), 4),
    }


def on_innocents(
    data: Data,
    index: MatchIndex,
    matchers: dict[str, Any],
    *,
    peers: int,
    speeds: dict[str, list[float]],
) -> dict[str, Any]:
    """Return, by kind of party, for which share of innocent names each matcher finds any.

    Numbers of names and processor seconds are put in `speeds`, in turn, by matcher.
    """
    found: dict[str, Any] = {}
    for schema, names in data.benign.items():
        best = _timed(speeds["ours"], names, partial(_of_index, index, schema))
        told = {"ours": _told(best, MATCH, True), "ours, review": _told(best, LOOK, False)}
        listed = [utils.default_process(r["name"]) for r in data.listed if r["schema"] == schema]
        some = names[:: max(1, len(names) // peers)]
        for name, scorer in PEERS.items():
            bound = matchers[name]["at"]["threshold"]
            near = _timed(speeds[name], some, partial(_nearest, scorer, listed))
            told[name] = _told(near, bound, True)
        found["people" if schema == "Person" else "companies"] = {"matchers": told}
    return found


def _timed(speeds: list[float], names: Sequence[str], best: Callable[[str], float]) -> list[float]:
    """Return the best score of each name; notes how many took how many processor seconds."""
    began = time.process_time()
    scores = [best(name) for name in names]
    speeds += [len(names), time.process_time() - began]
    return scores


def _sums(speeds: dict[str, list[float]]) -> dict[str, tuple[float, float]]:
    return {name: (sum(some[::2]), sum(some[1::2])) for name, some in speeds.items()}


def _of_index(index: MatchIndex, schema: str, name: str) -> float:
    hits = index.search(Query(name, schema), cutoff=0.4, limit=1)
    return max((hit.score for hit in hits), default=0.0)


def _nearest(scorer: Callable[..., float], listed: list[str], name: str) -> float:
    near = process.extractOne(utils.default_process(name), listed, scorer=scorer)
    return float(near[1]) / _most(scorer) if near else 0.0


def _told(best: Sequence[float], bound: float, equal: bool) -> dict[str, Any]:
    hits = sum(score >= bound for score in best)
    return {
        "names": len(best),
        "threshold": round(bound, 4),
        "share": round(hits / len(best), 5),
        "interval": wilson(hits, len(best)),
        "equal": equal,
    }


def show(found: dict[str, Any]) -> None:
    """Print the figures as a table."""
    print(f"{found['pairs']['number']:,} labelled pairs; list of {found['listed']:,} names")
    for name, one in found["pairs"]["matchers"].items():
        print(f"{name:18} AUC {one['auc']:.4f} {one['auc_interval']}  {json.dumps(one['at'])}")
    for kind, told in found["innocents"].items():
        for name, one in told["matchers"].items():
            print(f"{kind:8} {name:18} any hit {one['share']:.2%} {json.dumps(one)}")
    print(f"names a second of a processor: {json.dumps(found['speed'])}")


if __name__ == "__main__":
    main()
