"""The tables of signals are judged at each start."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from apps.reference.signals.checks import check_signal_tables, find_table_problems
from apps.reference.signals.composites import COMPOSITES, Composite, Part
from apps.reference.signals.series import FEEDS, SERIES
from apps.reference.signals.series.definitions import plausible_range

FEED, ROW = FEEDS[0], next(row for row in SERIES if row.feed and not row.name.endswith("*"))
MADE = next(row for row in SERIES if row.inputs)
COMPOSITE = COMPOSITES[0]


def test_the_tables_are_whole() -> None:
    assert check_signal_tables() == []


def test_every_composite_here_has_an_input_without_which_it_is_none() -> None:
    assert [row.name for row in COMPOSITES if not any(one.required for one in row.parts)] == []


def test_the_check_is_one_of_the_system() -> None:
    from django.core.checks import run_checks

    assert [check for check in run_checks() if check.id == "signals.E001"] == []


def feed(**changed: Any) -> list[str]:
    made = replace(FEED, **changed)
    return find_table_problems(feeds=[*FEEDS[1:], made], series=SERIES, composites=COMPOSITES)


def series(**changed: Any) -> list[str]:
    made = replace(ROW, name="test.row", **changed)
    return find_table_problems(feeds=FEEDS, series=[*SERIES, made], composites=COMPOSITES)


def composite(**changed: Any) -> list[str]:
    made: Composite = replace(COMPOSITE, name="test", **changed)
    return find_table_problems(feeds=FEEDS, series=SERIES, composites=[*COMPOSITES, made])


def part(name: str, weight: str, direction: int = 1) -> Part:
    return Part(series=name, weight=Decimal(weight), direction=direction)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (lambda: feed(reader="none"), "no reader is called none"),
        (lambda: feed(licence=""), "needs a publisher, an address, a licence"),
        (lambda: feed(cite=""), "needs a publisher, an address, a licence"),
        (lambda: feed(publisher="x" * 21), "longer than 20"),
        (lambda: feed(calendar="LUNAR"), "no calendar is called LUNAR"),
        (lambda: feed(name="empty"), "File empty: no series is read from it"),
        (lambda: series(feed="none"), "no file is called none"),
        (lambda: series(inputs=(ROW.name,), op="total"), "not both"),
        (lambda: series(feed="", inputs=(ROW.name,), op="none"), "no operation is called none"),
        (lambda: series(feed="", inputs=(ROW.name,), op="difference"), "takes 2 inputs"),
        (lambda: series(feed="", inputs=("none",), op="total"), "no row names none"),
        (lambda: series(fallback=("none",)), "no row names none"),
        (lambda: series(fallback=("fx.eur.USD",)), "has another unit"),
        (lambda: series(fallback=("test.row",)), "rests on itself"),
        (lambda: series(plausible=plausible_range("5", "5")), "must be within"),
        (lambda: series(plausible=plausible_range("0", "10000001")), "must be within"),
        (lambda: series(leader="other"), "does not cover its leader"),
        (lambda: composite(parts=(part(ROW.name, "0.9"),)), "do not sum to 1"),
        (lambda: composite(parts=(part("none", "1"),)), "no row names none"),
        (lambda: composite(parts=(part(ROW.name, "1", 0),)), "with direction 1 or -1"),
        (lambda: composite(parts=(part(ROW.name, "0.5"),) * 2), "Two rows are the input of test"),
        (lambda: composite(bands=((50, "A"),)), "do not rise to 100"),
        (lambda: composite(bands=((100, "A"), (50, "B"))), "do not rise to 100"),
        (lambda: composite(coverage=Decimal("0.59")), "below 0.6"),
    ],
)
def test_what_is_wrong_is_said(found: Any, told: str) -> None:
    assert any(told in one for one in found())


@pytest.mark.parametrize(
    "largest", [plausible_range("0", "10000000"), plausible_range("-10000000", "0")]
)
def test_what_a_column_can_hold_is_plausible(largest: Any) -> None:
    assert series(plausible=largest) == []


@pytest.mark.parametrize("kind", ["file", "series", "composite"])
def test_a_name_stands_once(kind: str) -> None:
    tables: dict[str, Any] = {"feeds": FEEDS, "series": SERIES, "composites": COMPOSITES}
    place = {"file": "feeds", "series": "series", "composite": "composites"}[kind]
    tables[place] = [*tables[place], tables[place][0]]
    assert any(
        table_problem.startswith(f"Two rows are the {kind}")
        for table_problem in find_table_problems(**tables)
    )
