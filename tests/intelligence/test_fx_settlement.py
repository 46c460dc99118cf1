"""GET /v1/intelligence/fx-settlement."""

import random
from datetime import timedelta
from decimal import Decimal
from math import sqrt

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import fx_settlement
from apps.insight.intelligence.rules import price_volatility
from apps.insight.intelligence.rules.dollar_corridors import (
    CORRIDORS,
    advise_corridor,
    advise_stablecoin,
)
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import Past, known, past, summed


def wild(last: float, *, count: int = 150, seed: int = 1) -> Past:
    """A rate that moves by a hundredth or so each month, and by so much in the last year."""
    made, at, found = random.Random(seed), 100.0, []
    for n in range(count):
        at *= 1 + made.gauss(0, last if n >= count - 12 else 0.01)
        found.append(round(at, 6))
    return past(found)


def whole(last: float = 0.01) -> dict[str, Past]:
    rates = {one.series: wild(last, seed=n) for n, one in enumerate(CORRIDORS)}
    return rates | dict.fromkeys(fx_settlement.COINS.values(), past([1]))


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "fx-settlement")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert len(body["corridors"]) == len(body["components"]) == 7
    assert all({"value", "signal", "source"} < set(component) for component in body["components"])
    assert summed(body["components"]) == Decimal(str(body["settlementRiskIndex"]))
    assert answer["X-SVC-Settlement-Risk"] == str(body["settlementRiskIndex"])
    renminbi = next(corridor for corridor in body["corridors"] if corridor["pair"] == "USD/CNY")
    assert renminbi["paymentVersusPayment"] is False and renminbi["advice"] != "PROCEED"
    assert {stablecoin["source"] for stablecoin in body["stablecoins"]} == {"SAMPLE+INVENTED"}


def test_wilder_rates_are_more_risk() -> None:
    calm, wilder = (
        fx_settlement.compute_fx_settlement(known(whole(last))).body["settlement_risk_index"]
        for last in (0.002, 0.05)
    )
    assert calm < 10 and wilder > 95


def test_a_rate_that_is_missing_leaves_its_weight_to_the_others() -> None:
    held = whole()
    del held["fx.usd.CHF"]
    method_result = fx_settlement.compute_fx_settlement(known(held))
    assert method_result.quality.missing == ("fx.usd.CHF",) and method_result.quality.coverage < 1
    assert summed(method_result.body["components"]) == method_result.body["settlement_risk_index"]
    franc = method_result.body["corridors"][-1]
    assert (franc["rate"], franc["advice"], franc["signal"]) == (None, "UNKNOWN", "UNKNOWN")


def test_less_than_ten_years_have_no_place() -> None:
    held = whole() | {"fx.usd.JPY": wild(0.01, count=100)}
    assert fx_settlement.compute_fx_settlement(known(held)).quality.missing == ("fx.usd.JPY",)
    with pytest.raises(TooFewInputs, match=r"fx\.usd\.EUR"):
        fx_settlement.compute_fx_settlement(known(whole() | {"fx.usd.EUR": wild(0.01, count=100)}))


@pytest.mark.parametrize(
    ("place", "safe", "word"),
    [
        ("79.9", True, "PROCEED"),
        ("79.9", False, "CAUTION"),
        ("80", True, "CAUTION"),
        ("95", True, "HOLD"),
        ("95", False, "HOLD"),
        (None, True, "UNKNOWN"),
    ],
)
def test_advice_by_place_and_by_how_it_settles(place: str | None, safe: bool, word: str) -> None:
    assert advise_corridor(None if place is None else Decimal(place), safe=safe) == word


@pytest.mark.parametrize(
    ("off", "word"),
    [("24.9", "PROCEED"), ("-25", "CAUTION"), ("49.9", "CAUTION"), ("50", "HOLD"), ("-50", "HOLD"),
     (None, "UNKNOWN")],
)  # fmt: skip
def test_a_stablecoin_off_its_dollar_is_held(off: str | None, word: str) -> None:
    assert advise_stablecoin(None if off is None else Decimal(off)) == word


@pytest.mark.parametrize("step", [1, 7, 30])
def test_volatility_is_by_the_year_however_often_rates_come(step: int) -> None:
    made, at, found = random.Random(2), 100.0, []
    for _ in range(4000):
        at *= 1 + made.gauss(0, 0.1 * sqrt(step / 365.25))
        found.append(at)
    seen = price_volatility.rolling_volatilities(past(found, step=timedelta(days=step)))
    assert sum(one for _, one in seen) / len(seen) == pytest.approx(10, rel=0.06)


def test_what_stands_still_has_no_volatility_and_what_is_short_none_at_all() -> None:
    assert {one for _, one in price_volatility.rolling_volatilities(past([5] * 40))} == {0.0}
    assert price_volatility.rolling_volatilities(past(range(1, 13))) == []
    assert (
        price_volatility.loss_at_risk(10, 0)
        == 0
        < price_volatility.loss_at_risk(10, 1)
        < price_volatility.loss_at_risk(10, 2)
    )
