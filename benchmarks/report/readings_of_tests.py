"""What the JSON of a command says as figures: tests, coverage and faults. Pure."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.report.figures import Reading, Stat, Table

Found = Mapping[str, Any]


def mutants(found: Found) -> Reading:
    """Read `./run mutants --list`: a line for each bug, `room-name  what it breaks`."""
    rooms = Counter(line.split("-")[0] for line in found["lines"] if line.strip())
    if not rooms:
        raise ValueError("no bug is named")
    rows = tuple((f"{room}", f"{count}") for room, count in sorted(rooms.items()))
    return Reading(
        stats=(Stat("bugs", rooms.total(), f"{rooms.total()} in {len(rooms)} rooms"),),
        table=Table(("room", "bugs"), rows),
        note="`./run mutants` runs them, `./run mutants ROOM` those of a room; it takes hours.",
    )
