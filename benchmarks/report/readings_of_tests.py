"""What the JSON of a command says as figures: tests, coverage and faults. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.report.figures import Reading, Stat, Table

Found = Mapping[str, Any]


def coverage(kind: str) -> Callable[[Found], Reading]:
    """Return a reader of one kind of `./run bench coverage`."""
    return lambda found: _covered(found["kinds"][kind], kind)


def _covered(one: Found, kind: str) -> Reading:
    documents: dict[str, list[bool]] = {}
    for row in one["rows"]:
        documents.setdefault(row["place"].split(" ")[0], []).append(row["shown"])
    rows = [
        (f"document {name}", f"{sum(some)}", f"{len(some)}", f"{100 * sum(some) / len(some):.0f} %")
        for name, some in sorted(documents.items())
    ]
    lacking = [
        (f"{row['place']} {row['what']}", "–", "–", row["lacks"])
        for row in one["rows"]
        if not row["shown"]
    ]
    share = one["shown"] / one["of"]
    text = f"{one['shown']} ({100 * share:.0f} %)"
    # rows of a printed table may be tested with it and named nowhere: that is no shortfall
    wanted = () if kind == "rule of the code" else ("goal: all", one["shown"] == one["of"])
    return Reading(
        stats=(Stat(f"shown, of {one['of']}", share, text, *wanted),),
        table=Table((kind, "shown", "of", "share, or what lacks"), (*rows, *lacking)),
    )  # fmt: skip


def faults(found: Found) -> Reading:
    """Read `./run bench faults`: each fault, what is lost, and what shows it."""
    some = found["faults"]
    results = Counter(one["result"] for one in some)
    shown = sum(not one["lacks"] for one in some)
    rows = tuple(
        (one["fault"], one["client"], one["lost"], one["lacks"] or one["command"], one["result"])
        for one in some
    )
    run = ", ".join(f"{count} {result}" for result, count in sorted(results.items()))
    return Reading(
        stats=(
            Stat("faults that a test or a command in this tree shows", shown,
                 f"{shown} of {len(some)}", "goal: all", shown == len(some)),
            Stat("in this run", results["survived"], run),
        ),
        table=Table(("fault", "what a client sees", "what is lost", "command", "this run"), rows),
        note="`./run report --faults` runs them, which takes a long time.",
    )  # fmt: skip


def mutants(found: Found) -> Reading:
    """Read `./run mutants --list`: a line for each bug, `room-name  what it breaks`."""
    rooms = Counter(line.split("-")[0] for line in found["lines"] if line.strip())
    if not rooms:
        raise ValueError("no bug is named")
    rows = tuple((f"{room}", f"{count}") for room, count in sorted(rooms.items()))
    return Reading(
        stats=(Stat("bugs", rooms.total(), f"{rooms.total()} in {len(rooms)} rooms"),),
        table=Table(("room", "bugs"), rows),
        note="`./run mutants` runs them, `./run mutants ROOM` those of a room; it takes most of an "
        "hour.",
    )
