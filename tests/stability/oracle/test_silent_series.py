"""Series that stop: their last stress stays, and nothing is called stable of too few."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.rules.layers import (
    FINEST,
    initial_weights,
    score_layers,
    sum_contributions,
)
from apps.insight.stability.oracle.rules.measures import Facts, SeriesValues
from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.services.oracle_runs import record_run
from tests.conftest import NOON
from tests.stability.oracle.sample_facts import CALM, TODAY, facts, seen

MARCH = {
    "FSI": seen("10.3"), "FSI_CREDIT": seen("3.1"), "FSI_FUNDING": seen("1.9"),
    "FSI_EMERGING": seen("1.2"), "EPU": seen("650"), "WTI": seen("20", then={30: "53"}),
}  # fmt: skip
OFR = (
    series_names.FSI,
    series_names.FSI_CREDIT,
    series_names.FSI_FUNDING,
    series_names.FSI_EMERGING,
)
# a weight is stretched to the whole thousandth: by no more than this a score may move of it alone
STRETCHED = Decimal("0.1")


def points(last: Facts, *, silent: Iterable[str] = ()) -> Decimal:
    heard = {name: one for name, one in last.items() if name not in set(silent)}
    return (
        Decimal(sum_contributions(score_layers(heard, last=last, weights=initial_weights())))
        / FINEST
    )


def test_stress_that_stops_being_published_stays_in_the_score() -> None:
    strained = facts(**MARCH)
    before = points(strained)
    assert before < 75
    assert points(strained, silent=OFR) <= before
    calm = score_layers(
        {k: v for k, v in strained.items() if k not in OFR}, weights=initial_weights()
    )
    assert Decimal(sum_contributions(calm)) / FINEST > before + 10, (
        "without the last figures it would rise"
    )


def test_calm_that_stops_gives_its_weight_to_the_rest() -> None:
    strained = facts(**MARCH)
    [macro] = [
        layer
        for layer in score_layers(
            {name: one for name, one in strained.items() if name != series_names.NFCI},
            last=strained,
            weights=initial_weights(),
        )
        if layer.layer.id == "macro"
    ]
    assert [(part.input.id, part.weight, part.held) for part in macro.parts] == [
        ("conditions", 0, False), ("stress", 1000, False),
    ]  # fmt: skip


def test_of_a_layer_that_fell_silent_the_worst_input_is_held() -> None:
    strained = facts(**MARCH)
    heard = {name: one for name, one in strained.items() if name not in OFR}
    [capital] = [
        layer
        for layer in score_layers(heard, last=strained, weights=initial_weights())
        if layer.layer.id == "capital"
    ]
    assert [(part.input.id, part.weight, part.held) for part in capital.parts] == [
        ("funding", 1000, True), ("emerging", 0, False),
    ]  # fmt: skip


def test_a_calm_layer_that_fell_silent_is_left_out() -> None:
    last = facts(FSI=seen("5"))
    lost = (series_names.FSI_FUNDING, series_names.FSI_EMERGING)
    layers = score_layers(
        {name: one for name, one in last.items() if name not in lost},
        last=last,
        weights=initial_weights(),
    )
    assert {one.layer.id: one.weight for one in layers}["capital"] == 0


SERIES = st.sampled_from(
    [name for name in CALM if name not in (series_names.USDT_CAP, series_names.USDC_CAP)]
)


@given(
    shift=st.dictionaries(SERIES, st.decimals(-50, 50, places=2), max_size=12),
    silent=st.sets(SERIES, max_size=12),
    more=st.sets(SERIES, max_size=3),
)
def test_no_silence_ever_raises_a_score(
    shift: dict[str, Decimal], silent: set[str], more: set[str]
) -> None:
    last = dict(facts())
    for name, by in shift.items():
        last[name] = SeriesValues(TODAY, last[name].value + by, last[name].past)
    if len(silent | more) == len(last):
        return
    assert points(last, silent=silent | more) <= points(last, silent=silent) + STRETCHED


LATER = NOON + timedelta(days=1096)  # three years


@pytest.mark.django_db
def test_a_run_tells_what_it_holds_and_keeps_its_status(calm: Callable[..., None]) -> None:
    strained = {name.replace(".", "__"): one for name, one in {
        series_names.FSI: "10.3", series_names.FSI_CREDIT: "6", series_names.FSI_FUNDING: "4",
        series_names.FSI_EMERGING: "1.2", "us.epu": "900",
    }.items()}  # fmt: skip
    calm(**strained)
    first = record_run(now=NOON)
    calm(at=LATER, without=(*OFR, "us.epu"))
    later = record_run(now=LATER)
    assert first is not None and later is not None
    assert first.points is not None and later.points is not None
    assert later.points <= first.points < 75
    held = {
        reason.removeprefix("held:")
        for reason in later.data["reasons"]
        if reason.startswith("held:")
    }
    assert held == {
        series_names.FSI,
        series_names.FSI_CREDIT,
        series_names.FSI_FUNDING,
        series_names.EPU,
    }
    assert {*OFR, series_names.EPU} <= {*later.data["missing"]}
    assert all(f"stale:{name}" in later.data["reasons"] for name in OFR)
    assert later.quality == "ESTIMATED" and Decimal(later.data["confidence"]) < 100
    row = latest_run.decision_at_age(later, age=timedelta(0))
    assert row is not None and row.status == "UNSTABLE"


@pytest.mark.django_db
def test_what_comes_again_is_held_no_more(calm: Callable[..., None]) -> None:
    calm(ofr__fsi="10.3")
    calm(at=LATER)
    run = record_run(now=LATER)
    assert (
        run is not None
        and run.points is not None
        and run.data["reasons"] == ["proxy:us.cpi.independent"]
        and run.points > 99
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("lost", "coverage", "status"),
    [
        ((series_names.NFCI, "us.epu", series_names.WHEAT), 8150, "STABLE"),
        ((series_names.NFCI, "us.epu", series_names.WHEAT, series_names.GAS), 7950, "CAUTION"),
    ],
)
def test_below_a_coverage_of_eight_tenths_nothing_is_stable(
    calm: Callable[..., None],
    lost: tuple[str, ...],
    coverage: int,
    status: str,
) -> None:
    calm()
    calm(at=LATER, without=lost)
    run = record_run(now=LATER)
    assert run is not None and run.points is not None and run.points > 95
    assert run.coverage == coverage
    row = latest_run.decision_at_age(run, age=timedelta(0))
    assert row is not None
    assert (row.status, row.healthy) == (status, status == "STABLE")


@pytest.mark.django_db
def test_an_alarm_of_the_dollar_outlives_its_series(calm: Callable[..., None]) -> None:
    calm(gold="3000", us__dgs10="3.00")
    first = record_run(now=NOON)
    calm(at=LATER, without=(series_names.GOLD, "us.dgs10", "us.dgs2"))
    later = record_run(now=LATER)
    assert first is not None and later is not None
    before, now = (one.data["usd_health"] for one in (first, later))
    assert "Gold at 3000 USD is a debasement signal." in before["alerts"]
    assert {*before["alerts"]} <= {*now["alerts"]}
    assert now["gold"]["as_of"].startswith("2026-11-20")
    assert later.data["votes"]["gold"] == later.data["votes"]["yield_curve"] == -1


@pytest.mark.django_db
def test_a_vote_for_the_dollar_ends_with_its_series(calm: Callable[..., None]) -> None:
    calm()
    calm(at=LATER, without=("us.dgs10", "us.dgs2"))
    run = record_run(now=LATER)
    assert run is not None
    assert "yield_curve" not in run.data["votes"]
    assert run.data["usd_health"]["yield_curve"] is None
