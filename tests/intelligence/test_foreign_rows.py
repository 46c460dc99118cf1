"""Rows that somebody else wrote beside ours do not count, and nothing is sold over them."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import Receipt
from apps.insight.intelligence import graph_editions, tasks
from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.models import (
    CallOutcome,
    GraphEdition,
    IntelligenceAnswer,
    RegimeOutcome,
    RegimePrediction,
)
from apps.insight.intelligence.rules.regimes import VERSION
from apps.insight.intelligence.services import paid_answers
from apps.platform.common.clock import now
from tests.api.endpoint_walk import payer
from tests.conftest import NOON
from tests.intelligence.conftest import PREFIX, ask

pytestmark = pytest.mark.django_db


def forged(model: Any, **columns: Any) -> Any:
    """Write a row as who has the database alone can: without a MAC."""
    row = model(payload="{}", salt="0" * 32, recorded_at=NOON, **columns)
    model.objects.bulk_create([row])
    return row


def prediction(slot: int, due: Any = None) -> Any:
    return forged(
        RegimePrediction, slot=slot, version=VERSION, horizon=30, regime="STABLE", quality="LIVE",
        due=due or (NOON - timedelta(days=10)).date(),
    )  # fmt: skip


def outcome(of: Any) -> Any:
    return forged(
        RegimeOutcome, prediction=of, horizon=30, due=of.due, regime="STABLE", right=True, sure=99,
        brier=0, rps=0, brier_climatology=500_000, brier_persistence=500_000,
    )  # fmt: skip


def test_forged_results_are_no_part_of_our_accuracy(buyer: APIClient) -> None:
    outcome(prediction(1))
    summary = ask(buyer, "ledger").json()["summary"]
    assert (summary["totalPredictions"], summary["resolved"]) == (0, 0)
    assert summary["byHorizon"]["h30"]["regimeAccuracy"] is None


def test_a_forged_result_of_a_true_prediction_does_not_count(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    ask(buyer, "transition-risk")
    outcome(RegimePrediction.objects.get(horizon=30))
    summary = ask(buyer, "ledger").json()["summary"]
    assert (summary["totalPredictions"], summary["resolved"]) == (3, 0)


def test_a_forged_edition_of_the_causal_graph_is_neither_sold_nor_listed(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    tasks.resolve_daily_forecasts("", NOON)
    forged(
        GraphEdition, number=9, day=NOON.date() - timedelta(days=1), version="0",
        phase="EMPIRICAL", share=9000, quality="LIVE",
    )  # fmt: skip
    at(NOON + timedelta(minutes=5))
    sold = ask(buyer, "causal-graph").json()["edition"]
    assert (sold["number"], sold["day"]) == (1, NOON.date().isoformat())
    assert [listed.number for listed in graph_editions.list_graph_editions(now())] == [1]


def test_a_record_that_is_proved_once_is_not_proved_again(
    buyer: APIClient, monkeypatch: Any
) -> None:
    ask(buyer, "transition-risk")
    first = ask(buyer, "ledger").json()["summary"]
    looked: list[int] = []
    monkeypatch.setattr(
        RegimePrediction, "mac_fault", lambda one, content=None: looked.append(one.pk) or ""
    )
    assert ask(buyer, "ledger").json()["summary"] == first
    assert looked == []


def test_nobody_pays_for_a_forecast_that_could_not_be_kept(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    product = product_of("transition-risk")
    assert product is not None
    prediction(paid_answers.cache_slot_of(product, NOON))
    told = ask(buyer, "transition-risk")
    assert (told.status_code, told.json()["code"]) == (503, "record_unproved")
    at(NOON + timedelta(hours=1))
    assert ask(buyer, "transition-risk").status_code == 200


def test_no_payment_is_taken_for_one(series: None) -> None:
    product = product_of("transition-risk")
    assert product is not None
    prediction(paid_answers.cache_slot_of(product, now()))
    assert payer("Bob Ltd").get(f"{PREFIX}/transition-risk").status_code == 503
    assert not Receipt.objects.exists()


def test_nothing_is_sold_where_a_forged_answer_stands(buyer: APIClient) -> None:
    product = product_of("cascade")
    assert product is not None
    slot = paid_answers.cache_slot_of(product, NOON)
    forged(
        IntelligenceAnswer, product="cascade", subject="", slot=slot, version=product.version,
        quality="LIVE",
    )  # fmt: skip
    told = ask(buyer, "cascade")
    assert (told.status_code, told.json()["code"]) == (503, "record_unproved")


def test_forged_rows_do_not_keep_true_ones_from_being_resolved(
    buyer: APIClient, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.insight.intelligence.regimes.predictions.BATCH_SIZE", 2)
    for slot in range(1, 6):
        prediction(slot)
    ask(buyer, "transition-risk")
    tasks.resolve_daily_forecasts("", NOON + timedelta(days=100))
    regime_outcomes = RegimeOutcome.objects.all()
    assert sorted(regime_outcome.horizon for regime_outcome in regime_outcomes) == [30, 60, 90]


def test_a_forged_outcome_does_not_keep_the_true_one_from_being_written(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    ask(buyer, "transition-risk")
    for of in RegimePrediction.objects.all():
        outcome(of)
    for _ in range(2):
        tasks.resolve_daily_forecasts("", NOON + timedelta(days=100))
    true = [
        regime_outcome
        for regime_outcome in RegimeOutcome.objects.all()
        if not regime_outcome.mac_fault()
    ]
    assert sorted(one.horizon for one in true) == [30, 60, 90]
    at(NOON + timedelta(days=101))
    assert ask(buyer, "ledger").json()["summary"]["resolved"] == 3


def test_a_forged_outcome_of_a_call_does_not_keep_the_true_one_from_being_written(
    buyer: APIClient,
) -> None:
    buyer.get("/intelligence/intelligence/48h-call")
    answer = IntelligenceAnswer.objects.get(product="48h-call")
    calls = [call["subject"] for call in json.loads(answer.data["body"])["calls"]]
    for subject in calls:
        forged(
            CallOutcome, answer=answer, subject=subject, due=NOON.date(), direction="HIGHER",
            came="HIGHER", right=True, brier=0, brier_base=500_000,
        )  # fmt: skip
    for _ in range(2):
        tasks.resolve_daily_forecasts("", NOON + timedelta(days=30))
    true = [
        call_outcome.subject
        for call_outcome in CallOutcome.objects.all()
        if not call_outcome.mac_fault()
    ]
    assert sorted(true) == sorted(calls)
