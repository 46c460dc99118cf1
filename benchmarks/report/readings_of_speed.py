"""What the JSON of a command says as figures: rates and ratios. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.report.figures import Bar, Chart, Reading, Stat, Table

Found = Mapping[str, Any]
NAMES = {"/ceiling": "the same without its work", "/bare": "a bare Django view"}


def ratio(goal: float | None = None) -> Callable[[Found], Reading]:
    """Return a reader of a benchmark that drives an endpoint beside its ceilings in turn."""
    return lambda found: _ratios(found, goal)


def _ratios(found: Found, goal: float | None) -> Reading:
    database = found["databases"][0]
    first = database["ratios"][0]
    rows = [
        (_name(path), f"{rate['per_second']:.0f}", *(f"{rate[key]:.1f}" for key in _SPANS))
        for path, rate in database["paths"].items()
    ]
    bars = tuple(
        Bar(_name(path), rate["per_second"], ours=at == 0, text=f"{rate['per_second']:.0f} /s")
        for at, (path, rate) in enumerate(database["paths"].items())
    )
    rounds = "; ".join(_rounds(ratio) for ratio in database["ratios"])
    return Reading(
        stats=(
            Stat(f"{_name(first['above'])} as a share of {_name(first['below'])}",
                 first["median"], f"{first['median']:.2f}",
                 f"goal: {goal:.2f}" if goal else "",
                 first["median"] >= goal if goal else None),
        ),
        table=Table(("asked for", "a second", "p50 ms", "p95 ms", "p99 ms"), tuple(rows)),
        chart=Chart("Answers a second", "answers a second, of one server", bars=bars),
        note=f"On {database['name']}, measured in turn. Ratios by round: {rounds}.",
    )  # fmt: skip


_SPANS = ("p50_ms", "p95_ms", "p99_ms")


def _name(path: str) -> str:
    return NAMES.get(path, path)


def _rounds(ratio: Found) -> str:
    listed = ", ".join(f"{one:.2f}" for one in ratio["rounds"])
    return f"{_name(ratio['above'])} to {_name(ratio['below'])} {listed}"


def matchers(found: Found) -> Reading:
    """Read `./run bench curves`: names that a processor looks up in a second, by matcher."""
    speeds = found["speed"]
    ours = speeds["ours"]
    rows = tuple(
        (name, f"{one:.0f}", "–" if name == "ours" else f"{ours / one:.1f}")
        for name, one in speeds.items()
    )
    best, most = max(((o, n) for n, o in speeds.items() if n != "ours"))
    return Reading(
        stats=(Stat(f"ours as a multiple of {most}", round(ours / best, 2), f"{ours / best:.1f}"),),
        table=Table(("matcher", "names a second", "ours is so many times as fast"), rows),
        chart=Chart("Names a second", "names a second of one processor", bars=tuple(
            Bar(name, one, ours=name == "ours", text=f"{one:.0f}") for name, one in speeds.items()
        )),
        note=f"Each name against {found['listed']:,} listed ones, of which the peers search only "
        "those of its kind. Processor time, in one process, so other load changes it less.",
    )  # fmt: skip
