"""Findings by the band that a number lies in: one rule for each band."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from apps.insight.reports.rules.conditions import build_value_rule
from apps.insight.reports.rules.findings import Data, Level, Rule
from apps.platform.common.bounds import Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """From `least` on, and below the next band's: the end of a code, a level, what follows."""

    least: float
    code: str
    level: Level
    advice: str = ""


def build_band_rules(
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
    # a band ends where the next begins, so that a number on an edge belongs to one band
    ends = [*(row.least for row in rows[1:]), None]
    return tuple(
        build_value_rule(
            code=f"{code}-{row.code}",
            ref=ref,
            level=row.level,
            weight=weight,
            title=title,
            value=path,
            condition=Bounds(least=row.least, below=end),
            say=say,
            advice=row.advice,
        )
        for row, end in zip(rows, ends, strict=True)
    )
