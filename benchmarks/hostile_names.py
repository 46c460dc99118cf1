"""Names that somebody may send to tire a worker, and what each costs: `./run bench hostile_names`.

    ./run bench hostile_names [--names N] [--seed N] [--data DIR] [--json OUT]

Every name is screened, that is looked for among sanctioned parties and office holders, and compared
with another as a payee check does, each within its budget and without what was answered before.
Goals: 99.9 % of screens take at most 100 ms of CPU time, 99.9 % of payee checks too, none of either
more than 1 s, and none ends in an error.
"""

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # a look-up of the lists is of the platform

from apps.reference.names.payee import compare_payee_names  # noqa: E402
from apps.reference.watchlists import lookup  # noqa: E402
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET, screen_cpu_budget  # noqa: E402
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, build_index  # noqa: E402
from apps.reference.watchlists.subjects import Subject  # noqa: E402
from benchmarks import hostile_forms, matching_data, pep_data  # noqa: E402
from config import warm_up  # noqa: E402


def main() -> int:
    """Screen the names, print what they cost, and fail where a goal is missed."""
    options = _options()
    warm_up.load_name_tables()
    with tempfile.TemporaryDirectory() as folder:
        rows = matching_data.rows(options.data / matching_data.LIST)
        sanctions = _index(Path(folder) / "list", matching_data.entries(rows))
        holders = _index(Path(folder) / "holders", pep_data.entries(options.data))
        listed = [sanctions.entity(at).names[0].full for at in range(0, len(sanctions), 7)]
        warm_up.freeze_garbage_collector()  # as a worker does before its first screen
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        costs: dict[str, list[float]] = defaultdict(list)
        checks: list[float] = []
        found: Counter[str] = Counter()
        worst: list[tuple[float, str, str]] = []
        for kind, name in hostile_forms.names(
            seed=options.seed, count=options.names, listed=listed
        ):
            took, checked, outcome = cost(name, sanctions=sanctions, holders=holders)
            costs[kind].append(took)
            checks.append(checked)
            found[outcome] += 1
            worst = sorted([*worst, (took, kind, name)], reverse=True)[:10]
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    durations = sorted(took for some in costs.values() for took in some)
    checks.sort()
    figures = {
        "names": len(durations),
        "p50_ms": _percentile(durations, 0.5),
        "p99_ms": _percentile(durations, 0.99),
        "p999_ms": _percentile(durations, 0.999),
        "max_ms": round(durations[-1] * 1000, 1),
        "payee_p999_ms": _percentile(checks, 0.999),
        "payee_max_ms": round(checks[-1] * 1000, 1),
        "over_budget": found["over budget"],
        "failed": found["failed"],
        "grown_mb": round(grown, 1),
    }
    for kind, some in sorted(costs.items()):
        some.sort()
        print(
            f"{kind:28s} {len(some):6d}  p50 {_percentile(some, 0.5):7.1f}  "
            f"p99 {_percentile(some, 0.99):7.1f}  max {some[-1] * 1000:7.1f} ms"
        )
    for took, kind, name in worst:
        print(f"{took * 1000:8.1f} ms  {kind}: {name[:90]!r}")
    print(json.dumps(figures))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    likely = max(figures["p999_ms"], figures["payee_p999_ms"])
    longest = max(figures["max_ms"], figures["payee_max_ms"])
    return 1 if likely > 100 or longest > 1000 or figures["failed"] else 0


def cost(name: str, *, sanctions: MatchIndex, holders: MatchIndex) -> tuple[float, float, str]:
    """Return the seconds of CPU time that a screen and a payee check take, and how they ended.

    What the indexes keep of answers given before is not used: each name is new to them.
    """
    subject = Subject(name=name)
    started = screened = time.thread_time()
    outcome = "checked"
    try:
        with screen_cpu_budget():
            first = lookup.match_sanctions_in_index(
                index=sanctions, subject=subject, most=lookup.SHOWN
            )
            second = lookup.match_peps_in_index(index=holders, subject=subject, most=lookup.SHOWN)
        screened = time.thread_time()
        with screen_cpu_budget():
            compared = compare_payee_names(submitted=name, registered=f"{name[::-1]} {name[:20]}")
        if OVER_BUDGET in (*first.unread, *second.unread) or compared.decided.code == "P.67":
            outcome = "over budget"
    except Exception as error:  # an error is what is looked for
        print(f"{type(error).__name__} {error}: {name!r}", file=sys.stderr)
        outcome = "failed"
    return screened - started, time.thread_time() - screened, outcome


def _index(folder: Path, entries: Iterable[IndexEntry]) -> MatchIndex:
    build_index(entries=entries, directory=folder)
    return MatchIndex.open(folder)


def _percentile(ranked: Sequence[float], share: float) -> float:
    return round(ranked[min(len(ranked) - 1, int(len(ranked) * share))] * 1000, 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench hostile_names", description=__doc__)
    parser.add_argument("--data", type=Path, default=matching_data.default_folder())
    parser.add_argument("--names", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
