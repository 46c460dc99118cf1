"""Golden tests on real figures: what publishers' own identities and another index say of ours."""

import csv
from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from apps.reference.signals import derivations
from apps.reference.signals.composites import find_composite
from apps.reference.signals.composition import compose_score
from apps.reference.signals.points import Point
from apps.reference.signals.readers import find_reader
from apps.reference.signals.selectors import series_values
from apps.reference.signals.series import FEEDS, find_feed, find_series
from tests import sampling
from tests.conftest import NOON
from tests.shared_data import shared

# weekly index of the Federal Reserve Bank of St. Louis, of the days that the sample has
STLFSI = Path(__file__).parent / "data" / "stlfsi4.csv"
MACRO = find_composite("macro-stress")
CATEGORIES = ("credit", "equity", "safe", "funding", "volatility")
Values = dict[date, Decimal]


@pytest.fixture
def past(db: Any) -> dict[str, Values]:
    """The histories of the stress index and its categories, as the sample has them."""
    sampling.load(now=NOON, files=sampling.ORACLES)
    names = ["ofr.fsi", *(f"ofr.fsi.{category}" for category in CATEGORIES)]
    return {k: dict(v) for k, v in series_values.load_histories(names, as_of=NOON).items()}


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    a, b = (sum(one) / len(one) for one in (first, second))
    over = sum((x - a) * (y - b) for x, y in zip(first, second, strict=True))
    return over / sqrt(sum((x - a) ** 2 for x in first) * sum((y - b) ** 2 for y in second))


def ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [bisect_right(ordered, value) for value in values]


def test_categories_of_the_stress_index_sum_to_it(past: dict[str, Values]) -> None:
    assert len(past["ofr.fsi"]) == 101
    for day, whole in past["ofr.fsi"].items():
        parts = sum((past[f"ofr.fsi.{category}"][day] for category in CATEGORIES), Decimal(0))
        assert abs(whole - parts) <= Decimal("0.002"), day


def test_categories_and_regions_sum_to_the_index_in_the_publishers_file() -> None:
    feed = next(one for one in FEEDS if one.name == "ofr-fsi")
    named = {f"ofr.fsi.{category}" for category in (*CATEGORIES, "us", "advanced", "emerging")} | {
        "ofr.fsi"
    }
    rows = [row for name in sorted(named) if (row := find_series(name))]
    body = shared("signals/misc/ofr_fsi_sample.csv").read_bytes()
    table: dict[tuple[Any, str], Decimal] = {
        (one.day, one.series): Decimal(one.text) for one in find_reader(feed)(body, feed, rows)
    }
    for day in {day for day, _ in table}:
        whole = table[day, "ofr.fsi"]
        for parts in (CATEGORIES, ("us", "advanced", "emerging")):
            total = sum((table[day, f"ofr.fsi.{part}"] for part in parts), Decimal(0))
            assert abs(whole - total) <= Decimal("0.002")


def test_the_curve_is_ten_years_less_two() -> None:
    row = find_series("us.curve.10y2y")
    feed = find_feed(find_series("us.dgs10"))
    assert row is not None and feed is not None
    wanted = [series for name in row.inputs if (series := find_series(name))]
    body = shared("signals/misc/fed_ddp_h15_sample.csv").read_bytes()
    body += b"1976-06-01,,,,,7.26,,,,7.94,,\n"  # the first day of the two-year yield
    tables: dict[str, Values] = {name: {} for name in row.inputs}
    for series in find_reader(feed)(body, feed, wanted):
        if series.text not in feed.missing:
            tables[series.series][series.day] = Decimal(series.text)
    assert tables["us.dgs10"][date(1962, 2, 9)] == Decimal("4.05")
    found = derivations.subtract_values([tables[name] for name in row.inputs])
    assert found == {date(1976, 6, 1): Decimal("0.68")}


def scores(past: dict[str, Values]) -> dict[date, float]:
    """The composite of each day over the full window."""
    names = [part.series for part in MACRO.parts]
    whole = {name: sorted(past[name].items()) for name in names}
    found = {}
    for day in past["ofr.fsi"]:
        points = {
            name: Point(
                series=name, day=day, value=past[name][day], unit="index", source="OFR",
                vintage=NOON, licence="", kind="observed", max_age=NOON - NOON.replace(year=1990),
            )
            for name in names
        }  # fmt: skip
        composed_score = compose_score(MACRO, points=points, histories=whole, as_of=NOON)
        found[day] = float(composed_score.score)
    return found


def of_st_louis() -> dict[date, float]:
    with STLFSI.open() as stream:
        return {
            date.fromisoformat(row["observation_date"]): float(row["STLFSI4"])
            for row in csv.DictReader(stream)
        }


def test_stress_of_markets_goes_with_the_index_of_st_louis(past: dict[str, Values]) -> None:
    found, other = scores(past), of_st_louis()
    days = sorted(found.keys() & other.keys())
    assert len(days) == 85
    # places among all values are bounded: they are held against places
    theirs = ranks([other[day] for day in days])
    assert correlation(ranks([found[day] for day in days]), theirs) >= 0.85


@pytest.mark.parametrize("later", [True, False], ids=["2020 and later", "before 2020"])
def test_so_it_does_before_and_since_the_shock_of_2020(
    past: dict[str, Values], later: bool
) -> None:
    cut, found, other = date(2020, 2, 25), scores(past), of_st_louis()
    days = sorted(day for day in found.keys() & other.keys() if (day >= cut) is later)
    assert len(days) in (42, 43)
    theirs = ranks([other[day] for day in days])
    assert correlation(ranks([found[day] for day in days]), theirs) >= 0.80


def test_a_bounded_score_goes_less_with_an_index_that_has_no_bounds(
    past: dict[str, Values],
) -> None:
    """0.76, told in docs/design.md: whoever changes the transform must look at this again."""
    found, other = scores(past), of_st_louis()
    days = sorted(found.keys() & other.keys())
    mine = correlation([found[day] for day in days], [other[day] for day in days])
    assert 0.75 <= mine <= 0.77
    assert correlation([found[day] for day in days], ranks([other[day] for day in days])) > 0.85


def test_the_curve_is_ten_years_less_two_in_every_month_that_both_have(
    past: dict[str, Values],
) -> None:
    names = ["us.dgs10", "us.dgs2", "us.curve.10y2y"]
    ten, two, curve = (
        dict(history) for history in series_values.load_histories(names, as_of=NOON).values()
    )
    assert curve == {day: ten[day] - two[day] for day in ten.keys() & two.keys()}
    assert len(curve) == 179
    # the months in which the curve was inverted, as the Federal Reserve published both yields
    inverted = sorted(f"{day:%Y-%m}" for day, value in curve.items() if value < 0)
    assert (inverted[0], inverted[-1], len(inverted)) == ("2022-07", "2023-11", 17)


@pytest.mark.parametrize(
    ("series", "file", "day", "value", "least"),
    [
        ("us.dgs10", "us10y-monthly.csv", "Date", "Rate", 200),
        ("us.cpi", "us-cpi-u-nsa.csv", "Date", "Index", 200),
    ],
)
def test_the_sample_is_what_its_publishers_gave(
    past: dict[str, Values], series: str, file: str, day: str, value: str, least: int
) -> None:
    with shared(f"signals/series/markets/{file}").open() as stream:
        real = {one[day][:7]: Decimal(one[value]) for one in csv.DictReader(stream)}
    ours = dict(series_values.load_history(series, as_of=NOON))
    assert len(ours) >= least
    assert {f"{on:%Y-%m}": one for on, one in ours.items()} == {
        f"{on:%Y-%m}": real[f"{on:%Y-%m}"] for on in ours
    }


def test_march_2020_is_in_the_top_percentile_of_the_full_window(past: dict[str, Values]) -> None:
    found = scores(past)
    worst = max(score for day, score in found.items() if (day.year, day.month) == (2020, 3))
    below = sum(score <= worst for score in found.values())
    assert below / len(found) >= 0.99
    assert MACRO.band(Decimal(str(worst))) == "CRISIS"
