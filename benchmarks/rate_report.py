"""What benchmarks of endpoints print: rates, latencies, and ratios of what was driven in turn."""

import argparse
import json
import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.load_generator import Result, drive

Runs = Mapping[str, Sequence[Result]]
_told: list[dict[str, Any]] = []  # what the tables of this run say, for `--json`


def offer_json(parser: argparse.ArgumentParser) -> None:
    """Let a benchmark be asked for its figures as JSON."""
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")


def offer_postgres(parser: argparse.ArgumentParser) -> None:
    """Let a benchmark be given a PostgreSQL database."""
    parser.add_argument(
        "--postgres",
        default=os.environ.get("BENCH_DATABASE_URL", ""),
        help="URL of an empty database that may be filled",
    )


def iter_databases(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Yield name and URL of the databases to measure: SQLite, and PostgreSQL where one is given."""
    yield "SQLite", ""
    if options.postgres:
        yield "PostgreSQL", options.postgres
    else:
        print("PostgreSQL: not measured (no --postgres URL)")


def write_json(options: argparse.Namespace) -> None:
    """Write what the tables of this run said, where that was asked: by database, medians."""
    if options.json:
        text = json.dumps({"databases": _told}, indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")


def in_turn(
    *,
    paths: Sequence[str],
    rounds: int,
    requests: int,
    payloads: Callable[[str, int, int], Sequence[bytes]],
    clients: int,
    port: int,
) -> Runs:
    """Drive each path once a round and return the results by path; the first round warms up.

    `payloads` gives so many whole requests of a path, with a seed that does not come again.
    """
    runs: dict[str, list[Result]] = {path: [] for path in paths}
    for turn in range(rounds + 1):
        for place, path in enumerate(paths):
            seed = 1000 + turn * len(paths) + place
            made = payloads(path, requests if turn else min(requests, 200), seed)
            result = drive(port=port, requests=made, clients=clients)
            if result.failed:
                first = result.failed[0].decode(errors="replace") or "the connection was closed"
                count = len(result.failed)
                raise SystemExit(f"{path}: {count} requests were not answered with 200: {first}")
            if turn:
                runs[path].append(result)
    return runs


def report_in_turn(
    name: str,
    options: argparse.Namespace,
    *,
    paths: Sequence[str],
    payloads: Callable[[str, int, int], Sequence[bytes]],
    ratios: Sequence[tuple[str, str]],
    port: int,
) -> None:
    """Drive the paths in turn; print the rounds and the median ratios."""
    runs = in_turn(
        paths=paths,
        rounds=options.rounds,
        requests=options.requests,
        payloads=payloads,
        clients=options.clients,
        port=port,
    )
    print(table(name, runs, ratios))


def table(name: str, runs: Runs, ratios: Sequence[tuple[str, str]]) -> str:
    """Return the medians of the rounds as lines, then the ratios of the pairs of paths."""
    lines = [f"\n{name}"]
    _told.append({"name": name, "paths": {}, "ratios": [_share(runs, *pair) for pair in ratios]})
    for path, results in runs.items():
        rate = statistics.median(r.per_second for r in results)
        p50, p95, p99 = (
            statistics.median(r.percentile(s) for r in results) for s in (0.5, 0.95, 0.99)
        )
        figures = {"per_second": rate, "p50_ms": p50, "p95_ms": p95, "p99_ms": p99}
        _told[-1]["paths"][path] = {key: round(one, 2) for key, one in figures.items()}
        spread = f"p50 {p50:5.1f}  p95 {p95:5.1f}  p99 {p99:5.1f} ms"
        lines.append(f"  {path:<32} {rate:7.0f} req/s   {spread}")
    return "\n".join([*lines, *(f"  {_ratio(runs, above, below)}" for above, below in ratios)])


def _ratio(runs: Runs, above: str, below: str) -> str:
    """Return the median over the rounds of one throughput as a share of another, in words."""
    found = _share(runs, above, below)
    listed = ", ".join(f"{ratio:.2f}" for ratio in found["rounds"])
    return f"{above} / {below}: {found['median']:.2f} (rounds: {listed})"


def _share(runs: Runs, above: str, below: str) -> dict[str, Any]:
    """Return one throughput as a share of another: of each round, and their median."""
    pairs = zip(runs[above], runs[below], strict=True)
    ratios = [a.per_second / b.per_second for a, b in pairs]
    median = round(statistics.median(ratios), 4)
    return {"above": above, "below": below, "median": median, "rounds": ratios}
