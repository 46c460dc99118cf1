"""Regimes of four classes, four weeks ahead: a Markov chain against climatology and persistence.

    ./run bench volatility [--file CSV] [--bounds 15,20,30] [--realised] [--weeks N]

The file has a day and a value a line: FRED's and Cboe's files of the VIX are read as they are, and
are not bundled, because Cboe's terms forbid it. Without one it is the sample's price of oil, of
which the volatility of the last twenty changes is taken (`--realised` does so of another file of
prices). Values are the last of each week; bounds that are not given are drawn where the first three
fifths have 33, 31, 28 and 8 in a hundred, about as the VIX had. The first three fifths teach, the
rest is foretold: by what was learnt once, and walking forward, with all that was over by then.
"""

import argparse
import csv
import sys
from bisect import bisect_right
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path

import numpy as np

from apps.insight.intelligence.rules import forecast_scores

OWN = Path("apps/reference/signals/sample/oil.csv")
WINDOW, YEAR = 20, 252  # changes that make a volatility, and those of a year
SHARES = (0.33, 0.64, 0.92)
LEARNT, BLOCK, NEAR = 0.6, 13, 15.0
FORMS = ("%Y-%m-%d", "%m/%d/%Y")
Chances = list[float]
Method = Callable[[Sequence[float], Sequence[int], float, int], Chances]


def weekly(path: Path, *, realised: bool) -> list[float]:
    """Return the last value of each week; lines without a day and a number are left out."""
    daily: list[tuple[date, float]] = []
    with path.open(encoding="utf-8", newline="") as stream:
        for line in csv.reader(stream):
            if len(line) >= 2 and (day := _day(line[0])) is not None and _number(line[1]):
                daily.append((day, float(line[1])))
    found = {day.isocalendar()[:2]: value for day, value in (moving(daily) if realised else daily)}
    return [found[week] for week in sorted(found)]


def moving(daily: Sequence[tuple[date, float]]) -> list[tuple[date, float]]:
    """Return the volatility of the last twenty changes, in per cent a year."""
    good = [(day, value) for day, value in daily if value > 0]
    moves = np.diff(np.log([value for _, value in good]))
    squares = np.concatenate([[0.0], np.cumsum(moves**2)])
    sums = squares[WINDOW:] - squares[:-WINDOW]
    days = [day for day, _ in good][WINDOW:]
    return list(zip(days, 100 * np.sqrt(YEAR * sums / WINDOW), strict=True))


def _day(text: str) -> date | None:
    for form in FORMS:
        try:
            return datetime.strptime(text, form).date()  # noqa: DTZ007  a day has no zone
        except ValueError:
            continue
    return None


def _number(text: str) -> bool:
    return text.replace(".", "", 1).removeprefix("-").isdigit()


def climatology(values: Sequence[float], classes: Sequence[int], now: float, weeks: int) -> Chances:
    """How often each class was, with one case more of each (Laplace)."""
    counts = np.bincount(classes, minlength=4) + 1.0
    return list(counts / counts.sum())


def persistence(values: Sequence[float], classes: Sequence[int], now: float, weeks: int) -> Chances:
    """All stays as it is."""
    return [float(at == classes[-1]) for at in range(4)]


def markov(values: Sequence[float], classes: Sequence[int], now: float, weeks: int) -> Chances:
    """Where each class was so many weeks later, with one case more of each (Laplace)."""
    counts = np.ones(4)
    for before, after in zip(classes, classes[weeks:], strict=False):
        if before == classes[-1]:
            counts[after] += 1
    return list(counts / counts.sum())


def near(values: Sequence[float], classes: Sequence[int], now: float, weeks: int) -> Chances:
    """Where values that stood near this one were later: as `transition-risk`, without signals."""
    past = np.asarray(values)
    places = 100 * np.searchsorted(np.sort(past), past, side="right") / len(past)
    weights = np.exp(-0.5 * ((places[:-weeks] - places[-1]) / NEAR) ** 2)
    counts = np.bincount(classes[weeks:], weights=weights, minlength=4)
    counts = counts + np.asarray(climatology(values, classes, now, weeks))
    return list(counts / counts.sum())


METHODS: dict[str, Method] = {
    "climatology": climatology, "persistence": persistence, "Markov chain": markov,
    "near values": near,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--file", type=Path, default=OWN)
    parser.add_argument("--bounds", default="")
    parser.add_argument("--realised", action="store_true", help="the file has prices")
    parser.add_argument("--weeks", type=int, default=4)
    options = parser.parse_args()
    values = weekly(options.file, realised=options.realised or options.file == OWN)
    cut = int(LEARNT * len(values))
    bounds = [float(part) for part in options.bounds.split(",") if part]
    bounds = bounds or [float(np.quantile(values[:cut], share)) for share in SHARES]
    classes = [bisect_right(bounds, value) for value in values]
    shares = [round(classes.count(at) / len(classes), 3) for at in range(4)]
    print(
        f"{options.file.name}: {len(values)} weeks, {cut} of them learnt from, {options.weeks} on"
    )
    print(f"bounds {[round(bound, 3) for bound in bounds]}, shares of the classes {shares}")
    for walking in (False, True):
        print("walking forward" if walking else "learnt once")
        for line in told(values, classes, cut, options.weeks, walking=walking):
            print(f"  {line}")
    return 0


def told(
    values: Sequence[float], classes: Sequence[int], cut: int, weeks: int, *, walking: bool
) -> list[str]:
    """Return a line for each method: its scores, and its skill with intervals of 95 in 100."""
    brier: dict[str, list[float]] = {name: [] for name in METHODS}
    ranked: dict[str, list[float]] = {name: [] for name in METHODS}
    for at in range(cut, len(values) - weeks):
        end = at + 1 if walking else cut
        past, held = [*values[:end]], [*classes[:end]]
        if not walking:  # the present is known, though nothing is learnt from it
            past, held = [*past, values[at]], [*held, classes[at]]
        for name, method in METHODS.items():
            said = method(past, held, values[at], weeks)
            brier[name].append(forecast_scores.brier_score(said, classes[at + weeks]))
            ranked[name].append(forecast_scores.ranked_probability_score(said, classes[at + weeks]))
    return [_line(name, brier, ranked) for name in METHODS]


def _line(name: str, brier: dict[str, list[float]], ranked: dict[str, list[float]]) -> str:
    own = brier[name]
    parts = [f"{name:13} n {len(own)}  Brier {np.mean(own):.3f}  RPS {np.mean(ranked[name]):.3f}"]
    for other in ("climatology", "persistence"):
        if other != name and (skill := forecast_scores.skill_score(own, brier[other])) is not None:
            within = forecast_scores.skill_interval(own, brier[other], block=BLOCK)
            shown = f" [{within[0]:+.2f}, {within[1]:+.2f}]" if within else ""
            parts.append(f"over {other} {skill:+.3f}{shown}")
    return "  ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
