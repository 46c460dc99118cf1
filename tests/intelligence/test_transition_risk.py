"""GET /v1/intelligence/transition-risk and ledger: what is foretold, kept, and resolved."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from rest_framework.test import APIClient

from apps.insight.intelligence import tasks
from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.models import RegimeOutcome, RegimePrediction
from apps.insight.intelligence.regimes import predictions
from apps.insight.intelligence.rules.regimes import REGIMES, regime_index
from apps.insight.intelligence.services import paid_answers
from apps.reference.signals import services
from apps.reference.signals.series import Reading
from tests.conftest import NOON
from tests.intelligence.conftest import ask
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
DAYS = (30, 60, 90)


def ledger(client: APIClient) -> dict[str, Any]:
    answer = ask(client, "ledger")
    assert answer.status_code == 200, answer.content
    return dict(answer.json()["summary"])


def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "transition-risk")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert set(body["horizons"]) == {"h30", "h60", "h90"}
    assert body["currentRegime"] == REGIMES[regime_index(body["currentScore"])]
    for horizon in body["horizons"].values():
        chances = {name: Decimal(str(chance)) for name, chance in horizon["probabilities"].items()}
        assert set(chances) == set(REGIMES) and sum(chances.values()) == 1
        assert (
            Decimal(str(horizon["confidence"]))
            == max(chances.values())
            == chances[horizon["mostLikely"]]
        )
    for horizon in body["scenarioMemory"]["similarScenarios"]:
        assert 0 <= horizon["similarity"] <= 1 and horizon["daysAgo"] > 90
    assert "90 days later" in body["scenarioMemory"]["patternNote"]
    assert body["dataQuality"] == "ESTIMATED"
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body["currentScore"]))


def test_a_fresh_call_keeps_one_prediction_for_each_horizon_and_a_hit_none(
    buyer: APIClient, django_assert_max_num_queries: Any
) -> None:
    body = ask(buyer, "transition-risk").json()
    ask(buyer, "transition-risk")
    kept = {
        regime_prediction.horizon: regime_prediction
        for regime_prediction in RegimePrediction.objects.all()
    }
    assert set(kept) == set(DAYS)
    for days, one in kept.items():
        horizon = body["horizons"][f"h{days}"]
        assert one.regime == horizon["mostLikely"]
        assert {n: float(c) for n, c in one.data["chances"].items()} == horizon["probabilities"]
        assert one.due == (NOON + timedelta(days=days)).date()
        assert not one.mac_fault()
    with django_assert_max_num_queries(20):
        assert ledger(buyer)["totalPredictions"] == 3


def test_of_two_that_compute_the_same_only_the_first_foretells(buyer: APIClient) -> None:
    product = product_of("transition-risk")
    assert product is not None
    late = paid_answers.compute_answer(product, asked={}, now=NOON)
    ask(buyer, "transition-risk")
    paid_answers.conclude_answer(product, gathered=late, caller=None, now=NOON)  # type: ignore[arg-type]
    assert RegimePrediction.objects.count() == 3


def test_what_was_foretold_cannot_be_changed(buyer: APIClient) -> None:
    ask(buyer, "transition-risk")
    for text in (
        "UPDATE intelligence_regimeprediction SET regime = 'CRISIS'",
        "DELETE FROM intelligence_regimeprediction",
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            sql(text)


def test_an_empty_ledger_says_that_it_is(buyer: APIClient) -> None:
    found = ledger(buyer)
    assert (found["totalPredictions"], found["resolved"], found["pending"]) == (0, 0, 0)
    for one in found["byHorizon"].values():
        assert one["regimeAccuracy"] is None and one["againstClimatology"]["skill"] is None
        assert one["reliability"] == []


def test_a_prediction_is_resolved_once_its_day_is_over_and_only_once(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    ask(buyer, "transition-risk")
    due = NOON + timedelta(days=30)
    tasks.resolve_daily_forecasts("", due)
    assert not RegimeOutcome.objects.exists()
    for _ in range(2):
        tasks.resolve_daily_forecasts("", due + timedelta(days=1))
    outcome = RegimeOutcome.objects.get()
    assert outcome.horizon == 30 and outcome.regime in REGIMES and not outcome.mac_fault()
    at(due + timedelta(days=2))
    found = ledger(buyer)
    assert (found["totalPredictions"], found["resolved"], found["pending"]) == (3, 1, 2)
    h30 = found["byHorizon"]["h30"]
    assert h30["regimeAccuracy"] == float(outcome.right)
    assert h30["brier"] == pytest.approx(outcome.brier / 1_000_000, abs=1e-4)
    against_persistence = h30["againstPersistence"]
    assert (against_persistence["n"], against_persistence["days"], against_persistence["low"]) == (
        1,
        1,
        None,
    )


def test_an_outcome_is_what_was_known_on_its_day_however_late_it_is_looked_at(
    buyer: APIClient,
) -> None:
    ask(buyer, "transition-risk")
    day = (NOON + timedelta(days=30)).date()
    before = predictions.compose_day_end(day)
    later = NOON + timedelta(days=40)
    # what is read after the day, of the day itself, changes nothing of it
    services.record_readings(
        readings=[Reading("ofr.fsi", day, Decimal(29))], source="TEST", now=later
    )
    after = predictions.compose_day_end(day)
    assert before is not None and after is not None
    assert after.composed.score == before.composed.score
    moved = predictions.compose_day_end(later.date())
    assert moved is not None and moved.composed.score != before.composed.score


def test_a_day_of_which_nothing_was_known_counts_as_resolved_without_a_score(
    buyer: APIClient, at: Callable[[datetime], None]
) -> None:
    ask(buyer, "transition-risk")
    with without_triggers():
        sql("DELETE FROM signals_observation")
    tasks.resolve_daily_forecasts("", NOON + timedelta(days=40))
    at(NOON + timedelta(days=41))
    h30 = ledger(buyer)["byHorizon"]["h30"]
    assert (h30["resolved"], h30["unknown"], h30["scored"]) == (1, 1, 0)
    assert h30["regimeAccuracy"] is None and h30["brier"] is None


def test_a_prediction_that_was_altered_is_never_scored(buyer: APIClient) -> None:
    ask(buyer, "transition-risk")
    with without_triggers():
        sql("UPDATE intelligence_regimeprediction SET regime = 'CRISIS'")
    tasks.resolve_daily_forecasts("", NOON + timedelta(days=200))
    assert not RegimeOutcome.objects.exists()


def test_the_ledger_takes_few_queries(buyer: APIClient, django_assert_max_num_queries: Any) -> None:
    ask(buyer, "transition-risk")
    with django_assert_max_num_queries(20):
        ask(buyer, "ledger")


def test_the_backtest_prints_skill_at_every_horizon(series: None, capsys: Any) -> None:
    call_command("backtest_regimes", json=True)
    out = capsys.readouterr()
    document = json.loads(out.out)
    assert "months" in out.err
    for days in DAYS:
        skill = document["horizons"][f"h{days}"]["methods"]["chain with leading signals"]["skill"]
        assert skill["climatology"]["skill"] > 0.15
        for reference in ("climatology", "persistence", "plain Markov chain"):
            assert skill[reference]["interval"][0] > 0, (days, reference)
