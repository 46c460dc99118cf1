"""What came of predictions moves later ones: once a month, by what was known then."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.test import APIClient

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.models import Recalibration, RegimeOutcome, RegimePrediction
from apps.insight.intelligence.regimes import active_recalibration, verified_records
from apps.insight.intelligence.rules.recalibration import (
    MAX_WEIGHT,
    PredictionCase,
    count_separate_days,
    mix_chances,
    recalibrate_horizon,
)
from apps.insight.intelligence.rules.regimes import HORIZONS, REGIMES, VERSION
from apps.insight.intelligence.services import paid_answers, recalibrate_regimes
from tests.conftest import NOON
from tests.intelligence.conftest import ask

SURE = (0.0, 0.0, 0.9, 0.1, 0.0)
USUAL = (0.1, 0.2, 0.4, 0.2, 0.1)
FIRST = date(2025, 1, 1)
DAY = timedelta(days=1)


def cases(count: int, right: float, step: int = 30, times: int = 1) -> list[PredictionCase]:
    """Return so many days apart by `step`, of which a part came as the sure forecast said."""
    came = [2 if (at * 7) % 10 < 10 * right else 1 for at in range(count)]
    return [
        PredictionCase(FIRST + at * step * DAY, SURE, USUAL, one)
        for at, one in enumerate(came)
        for _ in range(times)
    ]


def test_who_was_surer_than_what_came_bears_out_is_moved_towards_what_is_usual() -> None:
    horizon_adjustment = recalibrate_horizon(cases(24, right=0.4), 30)
    assert 0 < horizon_adjustment.weight <= Decimal(str(MAX_WEIGHT))
    assert horizon_adjustment.after < horizon_adjustment.before
    assert (horizon_adjustment.cases, horizon_adjustment.days, horizon_adjustment.apart) == (
        24,
        24,
        24,
    )


def test_who_was_as_sure_as_what_came_bears_out_is_left_alone() -> None:
    horizon_adjustment = recalibrate_horizon(cases(40, right=1.0), 30)
    assert horizon_adjustment.weight == 0 and horizon_adjustment.after == horizon_adjustment.before


@pytest.mark.parametrize(("count", "moves"), [(5, False), (6, True)])
def test_six_cases_apart_are_needed(count: int, moves: bool) -> None:
    assert (recalibrate_horizon(cases(count, right=0.2), 30).weight > 0) is moves


def test_days_that_overlap_are_few_cases() -> None:
    daily = recalibrate_horizon(cases(100, right=0.2, step=1), 30)
    assert (daily.cases, daily.apart, daily.weight) == (100, 4, 0)
    assert count_separate_days([FIRST, FIRST + 29 * DAY, FIRST + 30 * DAY], 30) == 2


def test_more_cases_are_believed_more_and_never_wholly() -> None:
    weights = [
        recalibrate_horizon(cases(count, right=0.0), 30).weight for count in (6, 12, 60, 600)
    ]
    assert weights == sorted(weights) and weights[0] < weights[-1] < Decimal(str(MAX_WEIGHT))


def test_who_calls_often_on_a_day_counts_no_more() -> None:
    once, often = (recalibrate_horizon(cases(12, right=0.4, times=times), 30) for times in (1, 24))
    assert (once.weight, once.before) == (often.weight, pytest.approx(often.before))


def test_what_is_moved_still_sums_to_one() -> None:
    own, usual = ([Decimal(str(one)) for one in told] for told in (SURE, USUAL))
    found = mix_chances(own, usual, Decimal("0.25"))
    assert sum(found) == 1 and found[2] == Decimal("0.775")
    assert mix_chances(own, usual, Decimal(0)) == tuple(own)


def told(at: datetime, horizon: int, chances: tuple[float, ...]) -> RegimePrediction:
    """Keep a prediction of a moment."""
    named = {name: str(one) for name, one in zip(REGIMES, chances, strict=True)}
    usual = {name: str(one) for name, one in zip(REGIMES, USUAL, strict=True)}
    made: RegimePrediction = RegimePrediction.write(
        payload={"chances": usual, "chain": named, "climatology": usual},
        now=at,
        slot=int(at.timestamp()) // 3600,
        version=VERSION,
        horizon=horizon,
        due=at.date() + timedelta(days=horizon),
        regime="STRESSED",
        quality="LIVE",
    )
    return made


def came(of: RegimePrediction, regime: str, at: datetime | None = None) -> None:
    """Keep what came of it, on the day after its day unless said otherwise."""
    at = at or datetime.combine(of.due + DAY, datetime.min.time(), UTC)
    RegimeOutcome.write(
        payload={}, now=at, prediction=of, horizon=of.horizon, due=of.due, regime=regime,
        right=regime == of.regime, sure=90, brier=1, rps=1, brier_climatology=1,
        brier_persistence=1,
    )  # fmt: skip


def year(regime: str = "ELEVATED", until: datetime = NOON) -> None:
    """Keep a year of monthly predictions that went wrong, up to those resolved by a moment."""
    at = until - timedelta(days=400)
    while at.date() + timedelta(days=31) < until.date():
        came(told(at, 30, SURE), regime)
        at += timedelta(days=30)


@pytest.mark.django_db
def test_while_too_little_has_come_nothing_is_on_record_and_nothing_moves(
    buyer: APIClient,
) -> None:
    assert recalibrate_regimes.issue_recalibration(now=NOON) is None
    assert ask(buyer, "transition-risk").json()["recalibration"] is None
    assert ask(buyer, "ledger").json()["recalibration"] is None


@pytest.mark.django_db
def test_a_month_has_one_and_the_next_one_another(db: None) -> None:
    year()
    first = recalibrate_regimes.issue_recalibration(now=NOON)
    assert first is not None and first.number == 1
    assert recalibrate_regimes.issue_recalibration(now=NOON + DAY) is None
    later = datetime(2026, 12, 1, tzinfo=UTC)
    second = recalibrate_regimes.issue_recalibration(now=later)
    assert second is not None and (second.number, second.month) == (2, later.date())


@pytest.mark.django_db
def test_an_answer_is_moved_and_keeps_what_the_chain_said(buyer: APIClient) -> None:
    plain = ask(buyer, "transition-risk").json()
    paid_answers.clear_answer_memory()
    year()
    recalibration = recalibrate_regimes.issue_recalibration(now=NOON - timedelta(hours=2))
    assert recalibration is not None
    product = product_of("transition-risk")
    assert product is not None
    body: dict[str, Any] = json.loads(
        json.dumps(paid_answers.compute_answer(product, asked={}, now=NOON).wire)
    )
    weight = body["recalibration"]["horizons"]["h30"]["weight"]
    assert 0 < weight <= 0.5 and body["recalibration"]["number"] == 1
    assert body["recalibration"]["horizons"]["h60"]["weight"] == 0
    assert body["horizons"]["h60"] == plain["horizons"]["h60"]
    own, now = (one["horizons"]["h30"] for one in (plain, body))
    assert now["confidence"] < own["confidence"]
    parts = [Decimal(str(probability)) for probability in now["probabilities"].values()]
    assert sum(parts) == 1
    fresh = paid_answers.compute_answer(product, asked={}, now=NOON).made
    assert fresh is not None
    payload = next(
        prediction for prediction in fresh.apart["predictions"] if prediction["horizon"] == 30
    )["payload"]
    assert {name: float(one) for name, one in payload["chain"].items()} == own["probabilities"]
    assert {name: float(one) for name, one in payload["chances"].items()} == now["probabilities"]
    ledger = ask(buyer, "ledger").json()
    assert ledger["recalibration"] == body["recalibration"]


@pytest.mark.django_db
def test_the_page_of_the_ledger_tells_it(client: Client, series: None) -> None:
    page = client.get("/intelligence/ledger").content.decode()
    assert "Predictions are not recalibrated" in page
    moment = datetime.now(UTC) - timedelta(days=40)
    year(until=moment)
    assert recalibrate_regimes.issue_recalibration(now=moment) is not None
    paid_answers.clear_answer_memory()
    cache.clear()  # a page is computed once a day
    page = client.get("/intelligence/ledger").content.decode()
    assert f"Number 1, {moment:%B}" in page.replace("\N{NO-BREAK SPACE}", " ")
    assert "Independent" in page and "Predictions are not recalibrated" not in page


@pytest.mark.django_db
def test_it_never_looks_ahead(series: None) -> None:
    """What is told at a moment, walking forward, is the same once all that came later is known."""
    product = product_of("transition-risk")
    assert product is not None

    def answer(now: datetime) -> str:
        paid_answers.clear_answer_memory()
        return json.dumps(paid_answers.compute_answer(product, asked={}, now=now).wire)

    moments = [NOON - timedelta(days=days) for days in (62, 31, 1)]
    walked, found = [], []
    year(until=moments[0])
    for now in moments:
        recalibration = recalibrate_regimes.issue_recalibration(now=now)
        assert recalibration is not None
        walked.append(recalibration.data)
        found.append(answer(now))
        latest = told(now - timedelta(days=31), 30, (1.0, 0.0, 0.0, 0.0, 0.0))
        came(latest, "CRISIS", now + timedelta(hours=1))  # it is on record only after this moment
    assert len({json.dumps(one) for one in walked}) > 1
    verified_records.clear_record_memory()
    assert [answer(now) for now in moments] == found
    for now, kept in zip(moments, walked, strict=True):
        again = recalibrate_regimes._load_prediction_cases(now)
        assert {
            str(days): recalibrate_regimes._serialize_adjustment(
                recalibrate_horizon(again[days], days)
            )
            for days in HORIZONS
        } == (kept["horizons"])


@pytest.mark.django_db
def test_outcomes_of_another_method_say_nothing_of_this_one(db: None) -> None:
    year()
    assert recalibrate_regimes._load_prediction_cases(NOON)[30]
    for regime_prediction in RegimePrediction.objects.all():
        assert regime_prediction.version == VERSION
    other = told(NOON - timedelta(days=60), 60, SURE)
    came(other, "STRESSED")
    count = len(recalibrate_regimes._load_prediction_cases(NOON + 2 * DAY)[60])
    old = RegimePrediction.write(
        payload=other.data, now=NOON - timedelta(days=61), slot=1, version="0", horizon=60,
        due=NOON.date() - DAY, regime="STRESSED", quality="LIVE",
    )  # fmt: skip
    came(old, "STRESSED")
    verified_records.clear_record_memory()
    assert len(recalibrate_regimes._load_prediction_cases(NOON + 2 * DAY)[60]) == count == 1


@pytest.mark.django_db
def test_a_forged_one_moves_nothing_and_keeps_no_true_one_out(db: None) -> None:
    year()
    moves = {"weight": "0.5", "cases": 9, "days": 9, "apart": 9, "before": "1", "after": "0"}
    payload = json.dumps({"horizons": {str(days): moves for days in HORIZONS}})
    forged = Recalibration(
        payload=payload, salt="0" * 32, recorded_at=NOON - DAY, number=9,
        month=NOON.date().replace(day=1), version=VERSION,
    )  # fmt: skip
    Recalibration.objects.bulk_create([forged])
    assert active_recalibration.load_active_recalibration(NOON)["recalibration"] is None
    recalibration = recalibrate_regimes.issue_recalibration(now=NOON)
    assert recalibration is not None and recalibration.number == 1
