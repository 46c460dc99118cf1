"""GET /v1/intelligence/shipping-stress."""

from datetime import timedelta
from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import shipping_stress
from apps.insight.intelligence.methods.chokepoints import STRAITS
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import Past, known, past, summed

DAY = timedelta(days=1)


def whole(passing: int = 100) -> dict[str, Past]:
    """Placed inputs at their middle, and all straits at so many ships where 100 are usual."""
    held = {name: past([*range(150), 75]) for name in shipping_stress.PLACED_SERIES}
    ships = past([100] * 400 + [passing] * 7, step=DAY)
    return held | dict.fromkeys(STRAITS.values(), ships)


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "shipping-stress")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert len(body["components"]) == 7 and len(body["chokepoints"]) == 4
    assert summed(body["components"]) == Decimal(str(body["stressIndex"]))
    assert all({"value", "signal", "source"} < set(component) for component in body["components"])
    assert sum(component["weight"] for component in body["components"]) == pytest.approx(
        1, abs=0.001
    )
    assert answer["X-SVC-Shipping-Stress"] == str(body["stressIndex"])


def test_half_the_ships_of_a_strait_are_all_its_strain() -> None:
    open_, half, none = (
        shipping_stress.compute_shipping_stress(known(whole(passing))).body["stress_index"]
        for passing in (100, 50, 0)
    )
    assert half - open_ == 40 and none == half


def test_more_ships_than_usual_take_no_strain_away() -> None:
    usual, more = (
        shipping_stress.compute_shipping_stress(known(whole(n))).body["stress_index"]
        for n in (100, 150)
    )
    assert usual == more


def test_a_strait_of_which_nothing_is_known_is_neither_open_nor_shut() -> None:
    held = whole(passing=50)
    del held["trade.hormuz"]
    method_result = shipping_stress.compute_shipping_stress(known(held))
    assert method_result.quality.coverage == Decimal("0.9")
    assert method_result.quality.missing == ("trade.hormuz",)
    assert summed(method_result.body["components"]) == method_result.body["stress_index"]
    worst, with_all = (
        method_result.body["stress_index"],
        shipping_stress.compute_shipping_stress(known(whole(50))),
    )
    assert worst != with_all.body["stress_index"] > 60


def test_short_histories_do_not_count() -> None:
    held = whole() | {"oil.brent.month": past(range(100))}
    assert shipping_stress.compute_shipping_stress(known(held)).quality.missing == (
        "oil.brent.month",
    )


def test_without_the_index_or_below_six_tenths_there_is_none() -> None:
    held = whole()
    del held["trade.gscpi"]
    with pytest.raises(TooFewInputs, match=r"trade\.gscpi"):
        shipping_stress.compute_shipping_stress(known(held))
    with pytest.raises(TooFewInputs, match="Too little"):
        shipping_stress.compute_shipping_stress(known({"trade.gscpi": past(range(150))}))


def test_weights_are_the_whole() -> None:
    placed = sum(Decimal(weight) for weight, _ in shipping_stress.PLACED_SERIES.values())
    assert placed + len(STRAITS) * shipping_stress.STRAIT_WEIGHT == 1
