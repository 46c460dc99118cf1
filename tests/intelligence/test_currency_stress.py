"""GET /v1/intelligence/currency-stress."""

from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import currency_stress
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import DAY, Past, known, past, summed


def whole() -> dict[str, Past]:
    swing = [100 + n % 7 for n in range(150)]
    return {name: past(swing) for name in currency_stress.SERIES.values()}


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "currency-stress")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert {"generatedAt", "dataQuality", "sources"} < set(body)
    assert all({"value", "signal", "source"} < set(component) for component in body["components"])
    assert summed(body["components"]) == Decimal(str(body["stressIndex"]))
    assert [currency["code"] for currency in body["currencies"]] == list(currency_stress.CODES)
    assert body["pressured"] == [
        currency["code"] for currency in body["currencies"] if currency["pressured"]
    ]
    rupee = next(currency for currency in body["currencies"] if currency["code"] == "INR")
    assert rupee["pressured"] and rupee["changeMonthPct"] > 2
    assert answer["X-SVC-Currency-Stress"] == str(body["stressIndex"])


@pytest.mark.parametrize(("last", "pressed"), [("102", False), ("102.01", True), ("90", False)])
def test_pressure_begins_above_two_per_cent_in_thirty_days(last: str, pressed: bool) -> None:
    held = whole() | {"fx.usd.CNY": past([100] * 149 + [last])}  # type: ignore[list-item]
    body = currency_stress.compute_currency_stress(known(held)).body
    assert ("CNY" in body["pressured"]) is pressed


def test_a_weaker_currency_is_never_less_stress() -> None:
    found = []
    for last in (90, 103, 110):
        held = whole() | {"fx.usd.JPY": past([100 + n % 7 for n in range(149)] + [last])}
        found.append(currency_stress.compute_currency_stress(known(held)).body["stress_index"])
    assert found == sorted(found) and found[0] < found[-1]


def test_the_order_of_days_and_names_changes_nothing() -> None:
    held = whole()
    turned = dict(reversed(held.items()))
    assert currency_stress.compute_currency_stress(
        known(held)
    ) == currency_stress.compute_currency_stress(known(turned))


@pytest.mark.parametrize(("move", "word"), [(1, "STRENGTHENING"), (-1, "WEAKENING")])
def test_the_dollar_does_what_most_rates_do(move: int, word: str) -> None:
    held = {name: past([100] * 149 + [100 + move]) for name in whole()}
    assert currency_stress.compute_currency_stress(known(held)).body["dollar_trend"] == word


def test_a_rate_that_is_missing_is_under_no_pressure_and_says_so() -> None:
    held = whole()
    del held["fx.usd.SEK"]
    crown = currency_stress.compute_currency_stress(known(held)).body["currencies"][-1]
    assert (crown["per_usd"], crown["pressured"]) == (None, False)
    assert crown["volatility_signal"] == "UNKNOWN"


def test_without_the_euro_or_in_old_age_there_is_none() -> None:
    held = whole()
    del held["fx.usd.EUR"]
    for given in (known(held), known(whole(), max_age=DAY / 4)):
        with pytest.raises(TooFewInputs):
            currency_stress.compute_currency_stress(given)
