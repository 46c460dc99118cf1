"""GET /v1/intelligence/sovereign-debt."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import sovereign_debt
from apps.insight.intelligence.rules.sovereigns import (
    SOVEREIGN_DEBT,
    SOVEREIGNS,
    contagion_risk_word,
    settlement_impact_word,
)
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import DAY, Past, known, past, summed

FOUR = {"unitedStates", "europeanUnion", "unitedKingdom", "japan"}
OLD = {"max_age": 500 * DAY}


def whole() -> dict[str, Past]:
    years = {"step": timedelta(days=365), "last": date(2025, 12, 31)}
    rising = {sovereign.debt: past(range(60, 80), **years) for sovereign in SOVEREIGNS}  # type: ignore[arg-type]
    falling = {sovereign.balance: past(range(20, 0, -1), **years) for sovereign in SOVEREIGNS}  # type: ignore[arg-type]
    return rising | falling


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "sovereign-debt")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert set(body["sovereigns"]) == FOUR
    for sovereign in body["sovereigns"].values():
        assert sovereign["debtToGdpPct"] > 0 and sovereign["year"] == 2025
        assert sovereign["source"] == "SAMPLE+INVENTED"
    assert set(body["systemicSignals"]) == {
        "globalDebtRegime", "contagionRisk", "settlementImpact",
    }  # fmt: skip
    assert answer["X-SVC-Sovereign-Regime"] == body["systemicSignals"]["globalDebtRegime"]
    assert summed(body["contributions"]) == Decimal(str(body["debtStressIndex"]))


def test_all_at_their_worst_is_a_crisis_of_100() -> None:
    method_result = sovereign_debt.compute_sovereign_debt(known(whole(), **OLD))
    assert method_result.body["debt_stress_index"] == 100
    assert method_result.body["systemic_signals"]["global_debt_regime"] == "CRISIS"
    american = method_result.body["sovereigns"]["united_states"]
    assert (american["debt_to_gdp_pct"], american["debt_change_5y"]) == (79, 5)


def test_a_larger_deficit_is_more_strain() -> None:
    held = whole()
    held["balance.us"] = [*held["balance.us"][:-1], (held["balance.us"][-1][0], Decimal(30))]
    method_result = sovereign_debt.compute_sovereign_debt(known(held, **OLD))
    assert method_result.body["debt_stress_index"] < 100


def test_a_debtor_that_is_missing_is_not_one_without_debt() -> None:
    held = whole()
    del held["debt.japan"]
    method_result = sovereign_debt.compute_sovereign_debt(known(held, **OLD))
    assert method_result.body["debt_stress_index"] == 100
    japan = method_result.body["sovereigns"]["japan"]
    assert (japan["debt_to_gdp_pct"], japan["debt_signal"]) == (None, "UNKNOWN")
    assert method_result.quality.coverage == Decimal("0.95")


def test_figures_that_are_too_old_do_not_count() -> None:
    with pytest.raises(TooFewInputs):
        sovereign_debt.compute_sovereign_debt(known(whole(), max_age=300 * DAY))


@pytest.mark.parametrize(
    ("spread", "credit", "word"),
    [
        ("99", None, "LOW"),
        ("100", None, "MODERATE"),
        ("200", None, "HIGH"),
        ("300", None, "SEVERE"),
        ("99", "STRESSED", "HIGH"),
        ("250", "CALM", "HIGH"),
        (None, "CRISIS", "SEVERE"),
        (None, None, "UNKNOWN"),
    ],
)
def test_contagion_is_the_worse_of_both(spread: str | None, credit: str | None, word: str) -> None:
    assert contagion_risk_word(None if spread is None else Decimal(spread), credit) == word


@pytest.mark.parametrize(
    ("regime", "risk", "word"),
    [
        ("CALM", "UNKNOWN", "NONE"),
        ("CRISIS", "LOW", "WATCH"),
        ("CALM", "SEVERE", "WATCH"),
        ("STRESSED", "HIGH", "ELEVATED"),
        ("CRISIS", "SEVERE", "SEVERE"),
    ],
)
def test_debt_that_nobody_flees_from_is_watched(regime: str, risk: str, word: str) -> None:
    assert settlement_impact_word(regime, risk) == word


def test_weights_are_the_whole() -> None:
    assert sum(part.weight for part in SOVEREIGN_DEBT.parts) == 1
