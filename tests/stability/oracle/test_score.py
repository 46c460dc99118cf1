"""Points, layers and the score: curves, weights, and that contributions sum to it exactly."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.stability.oracle.rules import layers, series_names
from apps.insight.stability.oracle.rules.curves import build_curve, signal_of_points
from apps.insight.stability.oracle.rules.layers import (
    FINEST,
    LAYERS,
    SHARES,
    TIERS,
    WHOLE,
    apportion_weights,
    initial_weights,
    list_oracle_series,
    score_layers,
    sum_contributions,
)
from apps.insight.stability.oracle.rules.measures import SeriesValues
from tests.stability.oracle.sample_facts import CALM, TODAY, facts, seen

ALL = tuple(CALM)


def test_there_are_nine_layers_and_seven_of_them_are_tiers() -> None:
    assert len(LAYERS) == 9 and [layer.id for layer in LAYERS][:7] == list(TIERS)
    assert [layer.id for layer in LAYERS][7:] == ["credit", "usd"]
    assert sum(initial_weights().values()) == WHOLE
    assert all(sum(i.weight for i in layer.inputs) == WHOLE for layer in LAYERS)


def test_of_every_series_that_is_read_there_is_a_calm_value() -> None:
    assert set(CALM) == set(list_oracle_series())


def test_a_calm_day_is_stable() -> None:
    counted = score_layers(facts(), weights=initial_weights())
    assert Decimal(sum_contributions(counted)) / FINEST > 95
    assert {one.signal for one in counted} == {"CALM"}


def test_march_2020_is_not() -> None:
    stressed = facts(
        FSI=seen("10.3"), FSI_CREDIT=seen("3.1"), FSI_FUNDING=seen("1.9"),
        FSI_EMERGING=seen("1.2"), NFCI=seen("0.9"), EPU=seen("650"), CISS=seen("0.36"),
        EBP=seen("1.6"), WTI=seen("20", then={30: "53"}), DOLLAR=seen("126", then={30: "117"}),
        FED_ASSETS=seen("6.6", then={91: "4.2"}), BREAKEVEN=seen("0.6"),
    )  # fmt: skip
    found = Decimal(sum_contributions(score_layers(stressed, weights=initial_weights()))) / FINEST
    assert 55 < found < 75


@pytest.mark.parametrize(
    ("value", "tenths"),
    [("-5", 1000), ("1", 1000), ("1.5", 900), ("2", 800), ("2.0001", 800), ("2.01", 798), ("9", 0)],
)
def test_between_the_points_of_a_curve_runs_a_straight_line(value: str, tenths: int) -> None:
    curve = build_curve(("1", 100), ("2", 80), ("6", 0))
    assert curve.tenths(Decimal(value)) == tenths


@pytest.mark.parametrize("knots", [(("2", 1), ("1", 0)), (("1", 1), ("1", 0)), (("1", 101),)])
def test_what_is_no_curve_is_refused(knots: tuple[tuple[str, int], ...]) -> None:
    with pytest.raises(ValueError):
        build_curve(*knots)


@pytest.mark.parametrize(
    ("tenths", "signal"),
    [(1000, "CALM"), (900, "CALM"), (899, "WATCH"), (750, "WATCH"), (749, "STRESSED"),
     (500, "STRESSED"), (499, "CRISIS"), (0, "CRISIS")],
)  # fmt: skip
def test_what_so_many_points_are_called(tenths: int, signal: str) -> None:
    assert signal_of_points(tenths) == signal


def test_no_curve_rises_and_falls_more_than_once() -> None:
    """A calm middle may have worse sides; a worse middle would be a slip of the pen."""
    for one in (i for layer in LAYERS for i in layer.inputs):
        points = [points for _, points in one.curve.knots]
        top = points.index(max(points))
        assert points[:top] == sorted(points[:top]), one.id
        assert points[top:] == sorted(points[top:], reverse=True), one.id


@given(
    lost=st.sets(st.sampled_from(ALL), max_size=len(ALL)),
    shift=st.dictionaries(st.sampled_from(ALL), st.decimals(-50, 50, places=4), max_size=12),
    moved=st.dictionaries(st.sampled_from(TIERS), st.integers(1, 400), max_size=7),
)
def test_contributions_sum_to_the_score_exactly_whatever_is_known(
    lost: set[str], shift: dict[str, Decimal], moved: dict[str, int]
) -> None:
    known = dict(facts(without=tuple(lost)))
    for name, by in shift.items():
        if name in known:
            known[name] = SeriesValues(TODAY, known[name].value + by, known[name].past)
    counted = score_layers(known, weights=initial_weights() | moved)
    weighed = [one for one in counted if one.weight]
    assert sum(one.weight for one in counted) == (WHOLE if weighed else 0)
    for one in weighed:
        assert sum(part.weight for part in one.parts) == WHOLE
        assert sum(part.share for part in one.parts) == one.value <= 100 * SHARES
    told = [Decimal(one.contribution) / FINEST for one in counted]
    found = Decimal(sum_contributions(counted)) / FINEST
    assert sum(told) == found and 0 <= found <= 100
    assert all(
        Decimal(one.weight) / WHOLE * Decimal(one.value) / SHARES == share
        for one, share in zip(counted, told, strict=True)
    )


def test_an_input_that_lacks_gives_its_weight_to_the_others_of_its_layer() -> None:
    counted = score_layers(facts(without=(series_names.ENSO,)), weights=initial_weights())
    climate = counted[0]
    assert {p.input.id: p.weight for p in climate.parts} == {"warmth": 667, "enso": 0, "ice": 333}
    assert climate.weight == 50 and climate.parts[1].value is None


def test_a_layer_of_which_nothing_is_known_gives_its_weight_to_the_other_layers() -> None:
    counted = score_layers(facts(without=(series_names.EPU,)), weights=initial_weights())
    found = {one.layer.id: one for one in counted}
    assert found["geopolitical"].weight == 0 and not found["geopolitical"].known
    assert found["basket"].weight == 241  # 220 of the 910 that are left
    assert found["geopolitical"].contribution == 0


@pytest.mark.parametrize(
    ("weights", "spread"),
    [([1, 1, 1], [334, 333, 333]), ([0, 5], [0, 1000]), ([0, 0], [0, 0]), ([], []),
     ([500, 300, 200], [500, 300, 200])],
)  # fmt: skip
def test_weights_are_stretched_by_largest_remainder(weights: list[int], spread: list[int]) -> None:
    assert apportion_weights(weights, whole=1000) == spread


@pytest.mark.parametrize(
    ("days", "late", "known"), [(30, 15, True), (30, 14, False), (45, 0, True), (46, 16, False)]
)
def test_the_value_of_an_earlier_day_is_one_near_it(days: int, late: int, known: bool) -> None:
    past = ((TODAY - timedelta(days=45), Decimal(1)), (TODAY, Decimal(2)))
    found = SeriesValues(TODAY, Decimal(2), past).before(days, late=late)
    assert found == (1 if known else None)


@pytest.mark.parametrize(("usdt", "usdc", "deviation"), [
    ("1", "0.995", "50"), ("1.005", "1", "50"), ("1", "0.99501", "49.9"), ("1.02", "0.97", "300"),
])  # fmt: skip
def test_the_peg_is_as_far_off_as_the_worse_of_both(usdt: str, usdc: str, deviation: str) -> None:
    peg = next(i for i in layers.LAYERS_BY_ID["basket"].inputs if i.id == "peg")
    new_facts = facts(USDT_PRICE=seen(usdt), USDC_PRICE=seen(usdc))
    assert peg.required and peg.measure.of(new_facts) == Decimal(deviation)
    assert peg.measure.of(facts(without=(series_names.USDC_PRICE,))) is None


def test_a_change_has_no_base_of_zero() -> None:
    wti = next(i for i in layers.LAYERS_BY_ID["commodity"].inputs if i.id == "oil")
    assert wti.measure.of(facts(WTI=seen("20", then={30: "0"}))) is None
    assert wti.measure.of(facts(WTI=seen("-37", then={30: "20"}))) == Decimal(285)


def test_days_are_compared_and_not_places_of_rows() -> None:
    gaps = SeriesValues(date(2026, 11, 2), Decimal(110), ((date(2026, 9, 1), Decimal(100)),))
    assert gaps.before(30) is None
