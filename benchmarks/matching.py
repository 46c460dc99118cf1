"""How good and how fast the name matcher is: `./run bench matching [--data DIR] [--quick]`."""

import argparse
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import django
import numpy as np
from numpy.typing import NDArray

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # a look-up of the lists is of the platform

from apps.reference.watchlists.matching.index import MatchIndex, Query, build_index  # noqa: E402
from apps.reference.watchlists.matching.score import score_pair  # noqa: E402
from apps.reference.watchlists.matching.token_weights import TokenWeights  # noqa: E402
from benchmarks import matching_data, matching_forms, matching_peers, namesakes  # noqa: E402
from benchmarks.matching_data import Data, Sought  # noqa: E402
from benchmarks.matching_processes import print_processes, two_processes  # noqa: E402
from benchmarks.ranking import auc  # noqa: E402

THRESHOLDS = [0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90]


def main() -> None:
    """Build the indexes, then print quality, false alarms, speed and memory."""
    options = _options()
    data = matching_data.load(folder=options.data, at_most=1500 if options.quick else None)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        started = time.monotonic()
        build_index(entries=matching_data.entries(data.listed), directory=root / "list")
        say(f"list of {len(data.listed):,} names: built in {time.monotonic() - started:.1f} s")
        index = MatchIndex.open(root / "list")
        pairs(data, index)
        finding(data, index, root)
        false_alarms(data, index, title="merged list")
        official(data, root / "official", every=10 if options.quick else 1)
        equal_names(data, root / "official-lists", quick=options.quick)
        speed(data, root / "list", names=2000 if options.quick else 6000)
        if not options.quick:
            million(data, root / "million", names=1_000_000)


def official(data: Data, folder: Path, *, every: int) -> None:
    """Print what the official files of one publisher say of benign names and of their own."""
    entries = matching_data.official(data.folder)
    if entries is None:
        say(f"\nno {matching_data.OFFICIAL} here: left out")
        return
    build_index(entries=entries, directory=folder)
    index = MatchIndex.open(folder)
    false_alarms(data, index, title=matching_data.OFFICIAL)
    own_names(index, every=every)
    forms(data, index, folder.with_suffix(".csv"), every=every)


def equal_names(data: Data, folder: Path, *, quick: bool) -> None:
    """Print the AUC among pairs whose names agree wholly; see `benchmarks.namesakes`."""
    entries = matching_data.official_lists(data.folder)
    if entries is None:
        say(f"\nno {matching_data.OFFICIAL} or {matching_data.UNITED_NATIONS} here: left out")
        return
    say("\npairs whose names agree wholly")
    namesakes.show(namesakes.measure(entries, folder, quick=quick))


def forms(data: Data, index: MatchIndex, out: Path, *, every: int) -> None:
    """Print how many listed parties are found as payments write their names."""
    rows = matching_forms.made(data.folder, out)
    if rows is None:
        say(f"\nno {matching_forms.TOOL} beside the data: left out")
        return
    say("\nlisted parties as payments write them     n   at 0.70   at 0.45")
    for form, (count, match, look) in matching_forms.table(rows, index, every=every).items():
        say(f"{form:36s} {count:6d} {match:9.3f} {look:9.3f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench matching", description=__doc__)
    parser.add_argument("--data", type=Path, default=matching_data.default_folder())
    parser.add_argument("--quick", action="store_true", help="fewer benign names, no large list")
    options = parser.parse_args()
    if not (options.data / matching_data.LIST).exists():
        parser.error(f"no {matching_data.LIST} in {options.data}: set SHARED_DATA or give --data")
    return options


def say(text: str = "") -> None:
    """Print at once, so that a long run shows where it is."""
    print(text, flush=True)


def pairs(data: Data, index: MatchIndex) -> None:
    """Print precision, recall and F1 over the thresholds, and AUC, of the labelled pairs.

    With the weights of the list, and with general ones alone: the latter in two halves as well,
    split by the listed name, so that what fits single rows shows.
    """
    truth = np.array([row["is_match"] == "1" for row in data.pairs])
    with_list = scores(data, index.weights)
    _print_thresholds("labelled pairs, weights of the list", truth, with_list)
    general = scores(data, TokenWeights.general())
    _print_thresholds("labelled pairs, general weights", truth, general)
    half = np.array([crc32(row["candidate"].encode()) & 1 for row in data.pairs])
    for number in (0, 1):
        some = half == number
        _print_thresholds(f"half {number + 1}", truth[some], general[some], only=(0.45, 0.70))


def scores(data: Data, weights: TokenWeights) -> "NDArray[np.float64]":
    return np.array(
        [
            score_pair(
                query=row["query"],
                candidate=row["candidate"],
                schema=row["schema"],
                weights=weights,
            )
            for row in data.pairs
        ]
    )


def _print_thresholds(
    title: str,
    truth: "NDArray[np.bool_]",
    scores: "NDArray[np.float64]",
    only: Sequence[float] = THRESHOLDS,
) -> None:
    say(f"\n{title}: {len(truth):,}, AUC {auc(truth, scores):.4f}")
    say("threshold  precision  recall     F1")
    for threshold in only:
        said = scores >= threshold
        right = int((said & truth).sum())
        precision, recall = right / max(1, said.sum()), right / truth.sum()
        f1 = 2 * right / (said.sum() + truth.sum())
        say(f"{threshold:9.2f} {precision:10.3f} {recall:7.3f} {f1:6.3f}")


def finding(data: Data, index: MatchIndex, root: Path) -> None:
    """Print how often the listed party is found from a treated name or a withheld alias."""
    sets = matching_data.sought(data)
    outcomes = {
        "treated": [outcome for _set in [sets["treated"]] for outcome in _found(index, _set)]
    }
    outcomes["alias"] = []
    for number, batch in enumerate(matching_data.batches(sets["alias"])):
        directory = root / f"without-{number}"
        without = frozenset(alias.withheld for alias in batch)
        build_index(
            entries=matching_data.entries(data.listed, without=without), directory=directory
        )
        outcomes["alias"] += _found(MatchIndex.open(directory), batch)
    outcomes["both"] = outcomes["treated"] + outcomes["alias"]
    say("\nthe listed party is found, and mean hits at or above the threshold")
    say("threshold " + "".join(f"{f'{name} n={len(o)}':>22s}" for name, o in outcomes.items()))
    for threshold in THRESHOLDS:
        cells = []
        for found in outcomes.values():
            share = np.mean([best >= threshold for best, _scores in found])
            hits = np.mean([sum(s >= threshold for s in scores) for _best, scores in found])
            cells.append(f"{share:14.3f} {hits:7.2f}")
        say(f"{threshold:9.2f} " + "".join(cells))


def _found(index: MatchIndex, soughts: list[Sought]) -> list[tuple[float, list[float]]]:
    outcomes = []
    for sought in soughts:
        hits = index.search(Query(name=sought.query, schema=sought.schema), cutoff=0.4, limit=1000)
        best = max((hit.score for hit in hits if hit.ref in sought.refs), default=0.0)
        outcomes.append((best, [hit.score for hit in hits]))
    return outcomes


def false_alarms(data: Data, index: MatchIndex, *, title: str) -> None:
    """Print the share of benign names that have any hit: with their type, and with none said.

    With none said, as most requests come, vessels and aircraft count as `matching.types` has it.
    """
    asked: dict[str, list[Query]] = {}
    for schema, names in data.benign.items():
        asked[schema] = [Query(name, schema) for name in names]
        asked[f"{schema}, none said"] = [Query(name, known="Unknown") for name in names]
    best = {
        kind: np.array([_best(index, query) for query in queries])
        for kind, queries in asked.items()
    }
    say(f"\nbenign names with any hit, {title}")
    say("threshold " + "".join(f"{f'{kind} n={len(b):,}':>32s}" for kind, b in best.items()))
    for threshold in THRESHOLDS:
        shares = "".join(f"{(b >= threshold).mean():32.2%}" for b in best.values())
        say(f"{threshold:9.2f} {shares}")


def _best(index: MatchIndex, query: Query) -> float:
    return max((hit.score for hit in index.search(query, cutoff=0.4, limit=1)), default=0.0)


def own_names(index: MatchIndex, *, every: int) -> None:
    """Print how many listed names, spelt exactly and no type said, do not find any party."""
    told: Counter[str] = Counter()
    lost = []
    for position in range(0, len(index), every):
        for name in index.entity(position).names:
            best = _best(index, Query(name.full))
            outcome = "match" if best >= 0.70 else "look" if best >= 0.45 else "nothing"
            told[f"{'weak alias' if name.weak else 'name'}: {outcome}"] += 1
            if outcome == "nothing" or (outcome == "look" and not name.weak):
                lost.append(name.full)
    say("\neach listed name sought as it is spelt")
    for kind, count in sorted(told.items()):
        say(f"{kind:20s} {count:7,}")
    say("not found: " + ("; ".join(lost[:20]) or "none"))


def speed(data: Data, folder: Path, *, names: int) -> None:
    """Print speed and memory of two processes on the list, beside other matchers."""
    queries = _queries(data, names)
    report = two_processes(folder, queries)
    print_processes(report)
    few = queries[:200]
    say("\nmatcher                           names/s    p50 ms    p99 ms   ours is")
    ours = report[0]["per_second"]
    say(f"{'this':32s} {ours:9.0f} {report[0]['p50_ms']:9.2f} {report[0]['p99_ms']:9.2f}")
    for name, took in matching_peers.rapidfuzz_speeds(data=data, queries=few).items():
        say(matching_peers.line(name, took, ours=ours))
    took = matching_peers.logic_v2(data=data, queries=few[:100])
    if took is None:
        say("nomenklatura logic-v2: not installed here, left out")
    else:
        say(matching_peers.line("token_sort 50 + logic-v2", took, ours=ours))


def million(data: Data, folder: Path, *, names: int) -> None:
    """Print build time, speed and memory on a constructed list."""
    started = time.monotonic()
    build_index(
        entries=matching_data.constructed(data, names=names),
        directory=folder,
        progress=lambda n: say(f"  {n:,} parties") if n % 100_000 == 0 else None,
    )
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    took = time.monotonic() - started
    say(
        f"\nconstructed list of {names:,} names: built in {took:.0f} s, {size / 1e6:.0f} MB on disk"
    )
    print_processes(two_processes(folder, _queries(data, 1000)))


def _queries(data: Data, names: int) -> list[tuple[str, str]]:
    queries = [(schema, name) for schema, every in data.benign.items() for name in every]
    random.Random(4).shuffle(queries)
    return queries[:names]


if __name__ == "__main__":
    main()
