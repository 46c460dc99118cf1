"""The method: tables that hold together, and properties of scores and books."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.insight.forecast import component_strains, computation
from apps.insight.forecast.rules import (
    book_risk,
    crop_risk_calendar,
    lights_and_outlooks,
    regions,
    scenarios,
    strain,
)
from apps.insight.forecast.rules.book_risk import Position
from apps.insight.forecast.rules.markets import MARKETS, SYMBOLS, market_of_symbol
from apps.insight.forecast.series_snapshot import SeriesSnapshot
from apps.reference.signals.quality import TooFewInputs
from apps.reference.signals.series import find_series
from apps.reference.signals.series.growing_regions import GROWING_REGIONS
from tests.conftest import NOON
from tests.forecast.worlds import world

FEW = settings(max_examples=25)
SCORES = st.decimals(0, 100, places=4)
NOTIONALS = st.decimals(-(10**11), 10**11, places=2)
ROWS = st.lists(st.builds(Position, st.sampled_from(SYMBOLS), NOTIONALS), min_size=1, max_size=20)


def market(symbol: str, known: SeriesSnapshot) -> computation.MarketOutlook:
    row = market_of_symbol(symbol)
    assert row is not None
    return computation.compute_market(known, row)


def test_weights_of_every_market_sum_to_one() -> None:
    for one in MARKETS:
        assert sum(one.weights.values()) == 1
        strains = component_strains.strains_of_market(world({}), one, lambda _: 7)
        assert sum(each.weight for each in strains) == pytest.approx(Decimal(1))


def test_every_region_yields_something_and_every_series_has_a_row() -> None:
    assert (
        set(regions.REGIONS)
        == set(GROWING_REGIONS)
        == {growth.region for growth in regions.GROWTHS}
    )
    assert all(find_series(name) for name in computation.list_forecast_series())
    for symbol in SYMBOLS:
        shares = [one.share for one in regions.growths_of_symbol(symbol)]
        assert 0 < sum(shares) <= 1 and shares == sorted(shares, reverse=True)


def test_where_nothing_is_unusual_all_lights_are_green() -> None:
    for symbol in SYMBOLS:
        market_outlook = market(symbol, world({}))
        assert (market_outlook.status, market_outlook.quality) == ("GREEN", "LIVE")


@pytest.mark.parametrize(
    ("score", "light"), [("0", "GREEN"), ("24.9999", "GREEN"), ("25", "YELLOW"),
                         ("44.9999", "YELLOW"), ("45", "RED"), ("100", "RED")],
)  # fmt: skip
def test_lights_begin_at_their_bounds(score: str, light: str) -> None:
    assert lights_and_outlooks.light_of_score(Decimal(score)).name == light


@pytest.mark.parametrize(
    ("change", "sure", "outlook"),
    [("5", "1", "DETERIORATING"), ("4.99", "1", "STABLE"), ("-5", "1", "IMPROVING"),
     ("-4.99", "1", "STABLE"), (None, "1", "UNCERTAIN"), ("9", "0.29", "UNCERTAIN"),
     ("9", "0.3", "DETERIORATING")],
)  # fmt: skip
def test_an_outlook_begins_at_its_bound(change: str | None, sure: str, outlook: str) -> None:
    moved = None if change is None else Decimal(change)
    assert lights_and_outlooks.outlook_of_change(moved, confidence=Decimal(sure)) == outlook


def test_strain_runs_from_the_median_to_the_end() -> None:
    past = [Decimal(n) for n in range(1, 101)]
    assert [strain.strain_of_high_value(Decimal(n), past) for n in (1, 50, 75, 100, 200)] == [
        0,
        0,
        50,
        100,
        100,
    ]
    assert [strain.strain_of_low_value(Decimal(n), past) for n in (0, 1, 26, 51, 100)] == [
        100,
        100,
        50,
        0,
        0,
    ]
    assert [strain.strain_of_count(Decimal(n), Decimal(20)) for n in (0, 5, 20, 21)] == [
        0,
        25,
        100,
        100,
    ]


def test_weather_out_of_season_counts_less() -> None:
    hot = world({"grow.heat.br-southeast": Decimal(99)})
    row = market_of_symbol("COFFEE")
    assert row is not None
    found = {}
    for month in (4, 11):  # after the harvest; flowering
        parts = component_strains.strains_of_market(hot, row, lambda _, month=month: month)  # type: ignore[misc]
        adds = zip(parts, computation.split_contributions(parts), strict=True)
        found[month] = next(
            add for one, add in adds if (one.component, one.region) == ("heat", "br-southeast")
        )
    assert found[11] > 10
    assert found[4] == pytest.approx(found[11] * Decimal("0.4"), abs=Decimal("0.0001"))


def test_cold_counts_in_months_of_frost_and_heat_does_not() -> None:
    row = market_of_symbol("COFFEE")
    assert row is not None
    for value, month, component in ((-9, 7, "cold"), (99, 7, ""), (99, 11, "heat"), (-9, 11, "")):
        hot = world({"grow.heat.br-southeast": Decimal(value)})
        parts = component_strains.strains_of_market(hot, row, lambda _, month=month: month)  # type: ignore[misc]
        adds = computation.split_contributions(parts)
        components = [one.component for one, add in zip(parts, adds, strict=True) if add > 2]
        assert components == ([component] if component else [])


def test_what_is_missing_lowers_the_coverage_and_never_the_score() -> None:
    hot = {"grow.heat.br-southeast": Decimal(99)}
    whole = market("COFFEE", world(hot))
    fires = frozenset(name for name in computation.list_forecast_series() if ".fires." in name)
    part = market("COFFEE", world(hot, left_out=fires))
    assert part.score > whole.score
    assert part.body["coverage"] == Decimal("0.9500") and part.quality == "PARTIAL"
    assert part.body["signals"]["wildfire_activity"] is None
    assert set(part.body["missing"]) <= fires


def test_below_the_coverage_or_without_a_price_there_is_no_number() -> None:
    rain = frozenset(n for n in computation.list_forecast_series() if ".rain." in n)
    with pytest.raises(TooFewInputs, match="Too little"):
        market("COFFEE", world({}, left_out=rain))
    with pytest.raises(TooFewInputs, match="no current price"):
        market("COFFEE", world({}, left_out=frozenset({"coffee"})))


def test_what_is_too_old_is_not_known() -> None:
    series_snapshot = world({})
    late = SeriesSnapshot(
        as_of=series_snapshot.as_of + timedelta(days=121),
        points=series_snapshot.points,
        past=series_snapshot.past,
    )
    with pytest.raises(TooFewInputs):
        market("COFFEE", late)


def test_lumber_says_which_price_stands_in() -> None:
    market_outlook = market("LUMBER", world({}))
    assert (
        market_outlook.price.series == "us.lumber"
        and "producer price index" in market_outlook.body["price_note"]
    )
    without = market("LUMBER", world({}, left_out=frozenset({"us.lumber"})))
    assert without.price.series == "timber"


@FEW
@given(
    st.sampled_from(["heat", "fires", "storms"]),
    st.sampled_from(["br-southeast", "us-corn-belt", "ci-forest"]),
    st.lists(st.integers(0, 40), min_size=2, max_size=4),
)
def test_a_score_never_falls_as_weather_grows_worse(
    what: str, place: str, values: list[int]
) -> None:
    for symbol in regions.symbols_of_region(place):
        scores = [
            market(symbol, world({f"grow.{what}.{place}": Decimal(value)})).score
            for value in sorted(values)
        ]
        assert scores == sorted(scores)


@FEW
@given(st.lists(st.integers(0, 500), min_size=2, max_size=4))
def test_a_score_never_falls_as_drought_grows_worse(values: list[int]) -> None:
    scores = [
        market("CORN", world({"drought.midwest": Decimal(value)})).score for value in sorted(values)
    ]
    assert scores == sorted(scores)


@FEW
@given(st.lists(st.integers(50, 400), min_size=2, max_size=4))
def test_a_score_never_falls_as_a_price_rises(values: list[int]) -> None:
    scores = [market("COFFEE", world({"coffee": Decimal(value)})).score for value in sorted(values)]
    assert scores == sorted(scores)


@FEW
@given(st.lists(st.integers(0, 3), min_size=2, max_size=4))
def test_a_score_never_falls_as_rain_fails(values: list[int]) -> None:
    scores = [
        market("COFFEE", world({"grow.rain.br-southeast": Decimal(value)})).score
        for value in sorted(values, reverse=True)
    ]
    assert scores == sorted(scores)


@FEW
@given(
    st.dictionaries(
        st.sampled_from(computation.list_forecast_series()), st.integers(1, 300).map(Decimal)
    )
)
def test_contributions_sum_to_the_score_and_it_is_a_score(changed: dict[str, Decimal]) -> None:
    series_snapshot = world(changed)
    for symbol in ("COFFEE", "WTI", "LUMBER"):
        market_outlook = market(symbol, series_snapshot)
        assert (
            sum(
                contribution["contribution"]
                for contribution in market_outlook.body["contributions"]
            )
            == market_outlook.score
        )
        assert 0 <= market_outlook.score <= 100
    for region in computation.compute_regions(series_snapshot):
        assert (
            sum(contribution["contribution"] for contribution in region["contributions"])
            == region["climate_risk_score"]
        )


def judged(rows: list[Position], scores: dict[str, Decimal]) -> Any:
    nets = book_risk.net_positions(rows)
    moves = {name: (Decimal("0.1"), Decimal("-0.2")) for name in SYMBOLS[:5]}
    loss = book_risk.worst_month(nets, scenario="x", event="y", moves=moves)
    return nets, book_risk.score_book(nets, scores), loss


@given(ROWS, st.lists(SCORES, min_size=11, max_size=11), st.randoms())
def test_neither_order_nor_splitting_changes_a_book(
    rows: list[Position], scores: list[Decimal], by: Any
) -> None:
    told = dict(zip(SYMBOLS, scores, strict=True))
    first = judged(rows, told)
    shuffled = list(rows)
    by.shuffle(shuffled)
    assert judged(shuffled, told) == first
    row = rows[0]
    part = (row.notional / 3).quantize(Decimal("0.01"))
    split = [
        Position(row.symbol, part),
        *rows[1:],
        Position(row.symbol, row.notional - part),
    ]
    assert judged(split, told) == first


@given(ROWS, st.lists(SCORES, min_size=11, max_size=11))
def test_what_markets_add_sums_to_the_score_of_a_book(
    rows: list[Position], scores: list[Decimal]
) -> None:
    told = dict(zip(SYMBOLS, scores, strict=True))
    score, adds = book_risk.score_book(book_risk.net_positions(rows), told)
    assert sum(adds.values()) == score
    assert score == 0 or min(scores) - 1 < score < max(scores) + 1


@given(ROWS)
def test_a_loss_is_never_a_gain_and_its_mirror_loses_what_it_gains(rows: list[Position]) -> None:
    moves = {"WHEAT": (Decimal("0.3"), Decimal("-0.1"))}
    nets = book_risk.net_positions(rows)
    loss = book_risk.worst_month(nets, scenario="x", event="y", moves=moves)
    wheat = nets.get("WHEAT", Decimal(0))
    assert loss.usd == min(Decimal(0), wheat * Decimal("0.3"), wheat * Decimal("-0.1"))


def test_nine_scenarios_move_markets_that_there_are_and_have_a_past() -> None:
    assert len(scenarios.SCENARIOS) == 9
    for scenario in scenarios.SCENARIOS:
        assert set(scenario.symbols) <= set(SYMBOLS) and len(scenario.analogues) >= 3
        assert bool(scenario.index) != bool(scenario.years)
        assert all(scenario.first <= year <= scenario.last for year in scenario.years)
        began = [(analogue.year, analogue.month) for analogue in scenario.analogues]
        assert began == sorted(began) and len({e.event for e in scenario.analogues}) == len(began)
        rows = [row for analogue in scenario.analogues for row in analogue.harvests]
        assert all(row.symbol in scenario.symbols and -100 <= row.change_pct <= 0 for row in rows)
        shares = {(g.symbol, regions.REGIONS[g.region].country): g.share for g in regions.GROWTHS}
        for row in rows:
            if row.share is not None and (row.symbol, row.area) in shares:
                assert row.share >= shares[row.symbol, row.area]


@pytest.mark.parametrize(
    ("hits", "cases", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)],
)
def test_the_interval_is_that_of_wilson(hits: int, cases: int, low: float, high: float) -> None:
    assert scenarios.wilson_interval(hits, cases) == pytest.approx((low, high), abs=0.0001)


@pytest.mark.parametrize(
    ("count", "word"), [(0, "LOW"), (1, "LOW"), (2, "MODERATE"), (5, "MODERATE"), (6, "HIGH")]
)
def test_severity_begins_at_its_bounds(count: int, word: str) -> None:
    assert crop_risk_calendar.severity_of_month(count) == word


def test_no_score_changes_with_the_calendar_alone() -> None:
    """October's figures are October's, on the last of November as on the first of December."""
    series_snapshot = world(
        {"grow.rain.ci-forest": Decimal(-9), "grow.heat.br-southeast": Decimal(99)}
    )
    late = datetime(2026, 12, 1, 1, tzinfo=UTC)
    then = SeriesSnapshot(as_of=late, points=series_snapshot.points, past=series_snapshot.past)
    for symbol in SYMBOLS:
        assert market(symbol, series_snapshot).score == market(symbol, then).score


def test_in_months_of_frost_drought_counts_as_out_of_season() -> None:
    row = market_of_symbol("WHEAT")
    assert row is not None
    parts = component_strains.strains_of_market(world({}), row, lambda _: 12)
    russia = {part.component: part.season for part in parts if part.region == "ru-south"}
    assert russia["cold"] == 1
    assert {russia[name] for name in ("drought", "flood", "storm", "fire")} == {Decimal("0.4")}


def test_a_region_is_under_frost_and_not_under_heat_in_its_months_of_frost() -> None:
    series_snapshot = world({"grow.heat.ru-south": Decimal(-9)})
    points = {
        name: replace(one, day=date(2026, 12, 31)) if name == "grow.heat.ru-south" else one
        for name, one in series_snapshot.points.items()
    }
    then = SeriesSnapshot(
        as_of=datetime(2027, 1, 15, tzinfo=UTC), points=points, past=series_snapshot.past
    )
    region = computation.compute_region(then, "ru-south")
    assert region is not None and region["primary_threat"] == "frost"
    assert region["contributions"][0]["component"] == "cold"


@pytest.mark.parametrize(("symbol", "adds"), [("WTI", 40), ("NG", 35)])
def test_one_hurricane_over_the_gulf_in_its_season_turns_oil_and_gas(
    symbol: str, adds: int
) -> None:
    series_snapshot = world({"grow.storms.us-gulf": Decimal(1)})
    points = {
        name: replace(one, day=date(2026, 9, 30)) if name == "grow.storms.us-gulf" else one
        for name, one in series_snapshot.points.items()
    }
    market_outlook = market(
        symbol, SeriesSnapshot(as_of=NOON, points=points, past=series_snapshot.past)
    )
    calm = market(symbol, world({})).score
    assert (round(market_outlook.score - calm), market_outlook.status) == (adds, "YELLOW")
    assert market(symbol, world({"grow.storms.us-south": Decimal(3)})).score == calm


def test_the_worst_of_the_largest_grower_alone_turns_every_light() -> None:
    lights = [
        lights_and_outlooks.light_of_score(component_strains.score_of_largest_grower(one)).name
        for one in MARKETS
    ]
    assert lights.count("GREEN") == 0 and lights.count("RED") >= 8


def test_a_sentence_says_to_which_month_a_price_rose() -> None:
    market_outlook = market("COCOA", world({"cocoa": Decimal(900)}))
    assert "points from rising prices to October 2026" in market_outlook.body["reasoning"]
