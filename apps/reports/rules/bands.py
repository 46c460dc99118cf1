"""Findings by which band a number lies in: a row for each band, so that each edge is one row's."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from apps.reports.rules.findings import Data, Level, Rule
from apps.reports.rules.reading import at, num


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """From `least` on, and below the next band's: the end of a code, a level, what follows."""

    least: float
    code: str
    level: Level
    advice: str = ""


def banded(
    bands: Iterable[Band],
    *,
    code: str,
    ref: str,
    weight: int,
    path: str,
    title: str,
    say: Callable[[Data, float], str],
) -> tuple[Rule, ...]:
    """Return a rule for each band of the number at a path; bands are in order of `least`."""
    rows = list(bands)
    ends = [*(row.least for row in rows[1:]), None]
    return tuple(
        Rule(
            code=f"{code}-{row.code}",
            ref=ref,
            level=row.level,
            weight=weight,
            condition=_condition(title, row.least, end),
            finds=_finds(path, row.least, end, say),
            advice=row.advice,
        )
        for row, end in zip(rows, ends, strict=True)
    )


def _condition(title: str, least: float, end: float | None) -> str:
    return f"{title} is {num(least, 2)} or more" + (f", below {num(end, 2)}" if end else "")


def _finds(
    path: str, least: float, end: float | None, say: Callable[[Data, float], str]
) -> Callable[[Data], Iterable[str]]:
    def finds(data: Data) -> Iterator[str]:
        value = at(data, path)
        if value is not None and value >= least and (end is None or value < end):
            yield say(data, value)

    return finds
