"""How fast known parties are held against a change: `./run bench rescreen [--parties N]`.

Parties are real names put together anew, the change is of the official list. Printed beside the
run: what the index alone takes, and what looking up every party would take.
"""

import argparse
import os
import random
import resource
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # a look-up of the lists is of the platform

from apps.compliance.screening.rescreening import entry_matcher  # noqa: E402
from apps.compliance.screening.rescreening import party_index as filing  # noqa: E402
from apps.compliance.screening.rescreening.list_changes import EntryChange  # noqa: E402
from apps.compliance.screening.rescreening.subjects import build_subject  # noqa: E402
from apps.reference.watchlists.matching.index import MatchIndex, Query, build_index  # noqa: E402
from apps.reference.watchlists.matching.reverse_index import PartyIndex  # noqa: E402
from apps.reference.watchlists.models import Party  # noqa: E402
from benchmarks import matching_data  # noqa: E402
from benchmarks.rescreen_data import mixed  # noqa: E402

PLANTED, LOOKED_UP = 200, 400
TO_REACH = 60.0


def main() -> None:
    """File the parties, hold them against a change, and print how long each part took."""
    options = _options()
    listed = matching_data.official(options.data)
    if listed is None:
        raise SystemExit(f"no {matching_data.OFFICIAL} in {options.data}: set SHARED_DATA")
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        build_index(entries=listed, directory=Path(folder) / "list")
        live = MatchIndex.open(Path(folder) / "list")
        changed = rng.sample([one.entity for one in listed], options.changes)
        names = _names(options, changed, rng)
        filed = _filed(names, Path(folder) / "parties", live)
        changes = [EntryChange(one, None, "", "", ("names",)) for one in changed]
        _measure(names, filed, changes, live)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench rescreen", description=__doc__)
    parser.add_argument("--data", type=Path, default=matching_data.default_folder())
    parser.add_argument("--parties", type=int, default=1_000_000)
    parser.add_argument("--changes", type=int, default=500)
    return parser.parse_args()


def say(text: str) -> None:
    """Print at once, so that a long run shows where it is."""
    print(text, flush=True)


def _names(options: argparse.Namespace, changed: Any, rng: random.Random) -> list[tuple[str, str]]:
    read = {
        kind: [row["name"] for row in matching_data.rows(options.data / f"matching/{file}")]
        for kind, file in (("p", "benign_persons_dev.csv"), ("c", "benign_companies_dev.csv"))
    }
    planted = [rng.choice(choice.names).full for choice in rng.choices(changed, k=PLANTED)]
    made = mixed(read["p"], read["c"], options.parties - PLANTED, rng)
    return [*made, *((name, "Unknown") for name in planted)]


def _party(number: int, name: str, schema: str) -> Party:
    return Party(pk=number, kind="screened", schema=schema, name=name, reference="screen:1")


def _filed(names: list[tuple[str, str]], place: Path, live: MatchIndex) -> filing.OpenedPartyIndex:
    started = time.monotonic()

    def told(done: int) -> None:
        if done % 100_000 == 0:
            say(f"  {done:,} filed, {time.monotonic() - started:.0f} s")

    parties = (_party(n, *one) for n, one in enumerate(names))
    numbers, cutoffs, apart = filing.write_index(
        parties=parties, place=place, lender=live, progress=told
    )
    size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    say(f"{len(names):,} parties filed in {time.monotonic() - started:.0f} s, {size >> 20} MB")
    index = PartyIndex.open(place, lender=live)
    return filing.OpenedPartyIndex(index, numbers, cutoffs, tuple(apart), datetime.now(UTC))


def _measure(
    names: list[tuple[str, str]],
    filed: filing.OpenedPartyIndex,
    changes: list[EntryChange],
    live: MatchIndex,
) -> None:
    with entry_matcher.open_changed_entries(slug="ofac", changes=changes, lender=live) as entries:
        _warm(names, entries)
        started, cpu = time.monotonic(), time.process_time()
        candidates = sorted(entry_matcher.find_candidates(filed=filed, changes=changes))
        asked = time.monotonic() - started
        hits = sum(
            bool(entries.found(build_subject(_party(n, *names[n]))).found) for n in candidates
        )
        whole, cpu = time.monotonic() - started, time.process_time() - cpu
        ceiling = _raw(filed, changes)
        every = _each(names, entries) * len(names)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    say(f"load of the machine {os.getloadavg()[0]:.1f}; memory {memory} MB")
    say(f"change of {len(changes)} entries against {len(names):,} parties: {whole:.1f} s")
    say(f"  {cpu:.1f} s of a processor: what it takes where nothing else runs")
    say(
        f"  of this the index {asked:.1f} s: {len(candidates):,} candidates, of which "
        f"{hits:,} match"
    )
    say(f"  to reach: {TO_REACH:.0f} s, this is {whole / TO_REACH:.2f} of it")
    say(f"the index alone, its best 20 of each name: {ceiling:.1f} s, {whole / ceiling:.2f} times")
    say(f"looking up every party: {every:,.0f} s, {every / whole:,.0f} times as long")


def _warm(names: list[tuple[str, str]], entries: entry_matcher.OpenedEntries) -> None:
    """Load what the first looked-up names load: words of companies, once a process."""
    for n in range(len(names) - 50, len(names)):
        entries.found(build_subject(_party(n, *names[n])))


def _raw(filed: filing.OpenedPartyIndex, changes: list[EntryChange]) -> float:
    """Return how long the index takes to give the best few parties of each changed name."""
    started = time.monotonic()
    for change in changes:
        for name in change.after.names:
            filed.index.search(Query(name.full, schema=change.after.schema), cutoff=0.45)
    return time.monotonic() - started


def _each(names: list[tuple[str, str]], entries: entry_matcher.OpenedEntries) -> float:
    step = max(1, len(names) // LOOKED_UP)
    started = time.monotonic()
    some = range(0, len(names), step)
    for n in some:
        entries.found(build_subject(_party(n, *names[n])))
    return (time.monotonic() - started) / len(some)


if __name__ == "__main__":
    main()
