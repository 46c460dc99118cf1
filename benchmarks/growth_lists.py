"""A list of a million names: `./run bench growth_lists [--names N]`.

Listed parties are real names put together anew, with the official list's shares of persons and
companies. Measured: building the index, opening it (all files read and compared, as a process does
with each new set of lists), its files and the memory, and looking up names that are not on it.
"""

import argparse
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # a look-up of the lists is of the platform

from apps.reference.watchlists.listed_entity import ListedEntity, ListedName  # noqa: E402
from apps.reference.watchlists.matching.index import MatchIndex, Query, build_index  # noqa: E402
from apps.reference.watchlists.matching.index_builder import IndexEntry  # noqa: E402
from benchmarks import matching_data  # noqa: E402
from benchmarks.rescreen_data import mixed  # noqa: E402

TO_REACH = 50.0  # ms: p95 of a look-up


def main() -> None:
    """Build, open and search an index, and print what each took."""
    options = _options()
    rng = random.Random(11)
    read = [
        [row["name"] for row in matching_data.rows(options.data / f"matching/{file}")]
        for file in ("benign_persons_dev.csv", "benign_companies_dev.csv")
    ]
    names = mixed(*read, options.names, rng)
    asked = mixed(*read, options.queries, rng)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "list"
        _build(names, place)
        _search(_open(place), asked)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench growth_lists", description=__doc__)
    parser.add_argument("--data", type=Path, default=matching_data.default_folder())
    parser.add_argument("--names", type=int, default=1_000_000, help="on the list")
    parser.add_argument("--queries", type=int, default=300)
    return parser.parse_args()


def _entries(names: list[tuple[str, str]]) -> Iterator[IndexEntry]:
    for number, (name, schema) in enumerate(names):
        entity = ListedEntity(
            entity_id=str(number),
            schema="Person" if schema == "Person" else "Organization",
            names=(ListedName(name, "primary"),),
        )
        yield IndexEntry(ref=f"made:{number}", dataset="made", entity=entity)


def _build(names: list[tuple[str, str]], place: Path) -> None:
    began, used = time.monotonic(), time.process_time()

    def told(done: int) -> None:
        if done % 100_000 == 0:
            say(f"  {done:,} indexed, {time.monotonic() - began:.0f} s")

    build_index(entries=_entries(names), directory=place, progress=told)
    size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    cpu = time.process_time() - used
    say(f"{len(names):,} names indexed in {time.monotonic() - began:.0f} s ({cpu:.0f} s of CPU)")
    say(f"  files of {size >> 20} MB; memory of the builder {_memory()} MB at most")


def _open(place: Path) -> Any:
    began, used = time.monotonic(), time.process_time()
    found = MatchIndex.open(place)
    cpu = (time.process_time() - used) * 1000
    say(f"opened in {(time.monotonic() - began) * 1000:.0f} ms ({cpu:.0f} ms of CPU)")
    return found


def _search(index: Any, asked: list[tuple[str, str]]) -> None:
    spent, used = [], []
    for name, schema in asked:
        began, before = time.perf_counter(), time.process_time()
        index.search(Query(name, schema=schema))
        spent.append((time.perf_counter() - began) * 1000)
        used.append((time.process_time() - before) * 1000)
    warm = len(spent) // 10
    wall, cpu = (statistics.quantiles(one[warm:], n=20)[-1] for one in (spent, used))
    middle = statistics.median(used[warm:])
    say(f"look-ups of {len(asked) - warm}, each another name; load {os.getloadavg()[0]:.1f}")
    say(f"  p95 {wall:.1f} ms, of CPU {cpu:.1f} ms; half of them within {middle:.1f} ms of CPU")
    say(f"  to reach: {TO_REACH:.0f} ms, by CPU this is {TO_REACH / cpu:.2f} of it")


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def say(text: str) -> None:
    """Print at once, so that a long run shows where it is."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
