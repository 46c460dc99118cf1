"""The oracle in March 2020, on what was measured then: what it would have told a treasury."""

import csv
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

import apps.reference.signals.sample_data
from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.rules.decision import RunState, decide_status
from apps.insight.stability.oracle.rules.layers import (
    FINEST,
    initial_weights,
    score_layers,
    sum_contributions,
)
from apps.insight.stability.oracle.rules.measures import Facts, SeriesValues
from apps.reference.signals.derivations import thirty_day_mean
from tests.shared_data import shared

MARKETS = "signals/series/markets"
# prices of stablecoins of then are in no file that we may hold: they are taken to stand at one
ASSUMED = (series_names.USDT_PRICE, series_names.USDC_PRICE)
# real ones, of month's ends
FIGURES = Path(apps.reference.signals.sample_data.__file__).parent / "sample"
Past = list[tuple[date, Decimal]]


def daily(name: str) -> Past:
    """Return the daily prices of a file of two columns."""
    with shared(f"{MARKETS}/{name}").open() as stream:
        rows = list(csv.DictReader(stream))
    return [
        (date.fromisoformat(row["Date"]), Decimal(row["Price"])) for row in rows if row["Price"]
    ]


def uncertainty() -> Past:
    with shared(f"{MARKETS}/All_Daily_Policy_Data_EPU_US.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    return [
        (date(int(row["year"]), int(row["month"]), int(row["day"])),
         Decimal(row["daily_policy_index"]))
        for row in rows
    ]  # fmt: skip


def figures(file: str, column: str) -> Past:
    """Return a column of the figures that come with the platform."""
    with (FIGURES / file).open() as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    return [(date.fromisoformat(row["day"]), Decimal(row[column])) for row in rows if row[column]]


def spread(file: str, first: str, second: str) -> Past:
    less = dict(figures(file, second))
    return [(day, value - less[day]) for day, value in figures(file, first) if day in less]


def rates(country: str, *, turned: bool = False) -> Past:
    """Return the monthly means of a currency, each as of the first day of the next month."""
    with shared(f"{MARKETS}/fx-monthly.csv").open() as stream:
        rows = [one for one in csv.DictReader(stream) if one["Country"] == country]
    return [
        (_next(row["Date"][:7]), _turned(Decimal(row["Exchange rate"]), turned)) for row in rows
    ]


def _turned(value: Decimal, turned: bool) -> Decimal:
    return (1 / value).quantize(Decimal("0.0001")) if turned else value


def gold() -> Past:
    with shared(f"{MARKETS}/gold-monthly.csv").open() as stream:
        return [(_next(row["Date"]), Decimal(row["Price"])) for row in csv.DictReader(stream)]


def _next(month: str) -> date:
    return (date.fromisoformat(f"{month}-01") + timedelta(days=32)).replace(day=1)


@cache
def known() -> dict[str, Past]:
    """Return the real series that are here, by the names that the oracle has for them."""
    return {
        series_names.WTI: daily("wti-daily.csv"),
        series_names.GAS: daily("natgas-henryhub-daily.csv"),
        series_names.EPU: sorted(thirty_day_mean([dict(uncertainty())]).items()),
        series_names.GOLD: gold(),
        series_names.FSI: figures("stress.csv", "ofr.fsi"),
        series_names.FSI_CREDIT: figures("stress.csv", "ofr.fsi.credit"),
        series_names.FSI_FUNDING: figures("stress.csv", "ofr.fsi.funding"),
        series_names.WARMTH: figures("earth.csv", "heat.anomaly"),
        series_names.ENSO: figures("earth.csv", "sea.enso"),
        series_names.DOLLAR: figures("money.csv", "us.dollar.broad"),
        series_names.FED_ASSETS: figures("money.csv", "us.fed.assets"),
        series_names.CURVE: spread("money.csv", "us.dgs10", "us.dgs2"),
        series_names.BREAKEVEN: spread("money.csv", "us.dgs10", "us.dfii10"),
        series_names.EUR_USD: rates("Euro", turned=True),
        series_names.USD_JPY: rates("Japan"),
        series_names.USD_GBP: rates("United Kingdom"),
        series_names.USD_CNY: rates("China"),
    }


def facts(day: date, *, usdc: str = "1") -> Facts:
    """Return what was known on a day; what is older than ten weeks is none."""
    found = {}
    for name, past in known().items():
        then = [one for one in past if day - timedelta(days=400) <= one[0] <= day]
        if then and day - then[-1][0] <= timedelta(days=70):
            found[name] = SeriesValues(*then[-1], tuple(then))
    steady = timedelta(days=100)
    for name, price in zip(ASSUMED, ("1", usdc), strict=True):
        whole = Decimal(price)
        found[name] = SeriesValues(day, whole, ((day - steady, whole), (day, whole)))
    return found


def judged(day: date, **other: str) -> tuple[Decimal, str, dict[str, Decimal]]:
    """Return score, status and the values of the layers of a day."""
    counted = score_layers(facts(day, **other), weights=initial_weights())
    points = Decimal(sum_contributions(counted)) / FINEST
    off = abs(Decimal(other.get("usdc", "1")) - 1) * 10_000
    values = {one.layer.id: Decimal(one.value) / 10_000 for one in counted if one.known}
    return points, decide_status(RunState(points, off, timedelta(0), Decimal(1))).status, values


@pytest.mark.parametrize(
    ("day", "status", "least", "most"),
    [
        (date(2020, 2, 14), "STABLE", "98", "100"),
        (date(2020, 3, 6), "STABLE", "90", "95"),
        (date(2020, 3, 13), "CAUTION", "78", "83"),
        (date(2020, 3, 20), "UNSTABLE", "67", "71"),
        (date(2020, 3, 27), "UNSTABLE", "65", "70"),
        (date(2020, 4, 30), "CAUTION", "78", "83"),
        (date(2020, 6, 26), "STABLE", "92", "96"),
    ],
)
def test_the_spring_of_2020_is_told_as_it_was(
    day: date, status: str, least: str, most: str
) -> None:
    """Also with both pegs at one: other layers alone halt large settlements by the third week."""
    points, told, _ = judged(day)
    assert told == status and Decimal(least) <= points <= Decimal(most), points


def test_what_strained_most_was_markets_oil_and_credit() -> None:
    """Uncertainty of policy, a mean of thirty days, had not reached its height by then."""
    _, _, values = judged(date(2020, 3, 20))
    assert sorted(values, key=lambda name: values[name])[:3] == ["macro", "commodity", "credit"]
    assert values["macro"] < 15 and values["credit"] < 50


def test_the_worst_day_was_in_the_third_week() -> None:
    fridays = [date(2020, 1, 3) + timedelta(days=7 * n) for n in range(26)]
    scores = {day: judged(day)[0] for day in fridays}
    assert min(scores, key=lambda day: scores[day]) in (date(2020, 3, 20), date(2020, 3, 27))


def test_a_broken_peg_halts_on_a_calm_day_whatever_the_score() -> None:
    broken, whole = (judged(date(2020, 2, 14), usdc=price) for price in ("0.9949", "0.9951"))
    assert broken[0] > 90 and broken[1] == "UNSTABLE"
    assert whole[0] > 90 and whole[1] == "STABLE"
