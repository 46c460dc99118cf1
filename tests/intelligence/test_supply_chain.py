"""GET /v1/intelligence/supply-chain."""

import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import UsageCount
from apps.insight.intelligence.methods import supply_chain
from apps.insight.intelligence.rules import river_levels, straits
from apps.insight.intelligence.rules.river_levels import GAUGES
from apps.reference.signals.models import Observation
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import Past, known, past, summed
from tests.platform.tampering import sql, without_triggers

CORE = {part.series for part in supply_chain.SUPPLY_PRESSURE.parts}
DAY = timedelta(days=1)


def whole(**levels: str) -> dict[str, Past]:
    """Ten years and more of all inputs, and gauges at these levels."""
    held = {name: past(range(150)) for name in CORE}
    return held | {name.replace("__", "."): past([one]) for name, one in levels.items()}


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "supply-chain")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert body["gscpiZScore"] == 1.06
    assert {"rhineKaub", "mississippi"} < set(body["waterLevels"])
    assert len(body["waterLevels"]) == 4 == len(body["chokepoints"])
    for level in body["waterLevels"].values():
        assert {"levelCm", "status", "bottleneckRisk"} < set(level)
    assert summed(body["contributions"]) == Decimal(str(body["pressureIndex"]))
    assert (answer["X-SVC-GSCPI"], answer["X-SVC-Regime"]) == ("1.06", body["regime"])
    kaub = body["waterLevels"]["rhineKaub"]
    assert (kaub["levelCm"], kaub["lowWaterMarkCm"], kaub["status"]) == (13, 78, "VERY_LOW")
    assert body["dataQuality"] == "ESTIMATED"
    invented = {chokepoint["source"] for chokepoint in body["chokepoints"]}
    assert invented == {"SAMPLE+INVENTED"}


@pytest.mark.django_db
def test_without_the_index_there_is_no_answer_and_no_bill(buyer: APIClient) -> None:
    with without_triggers():
        sql("DELETE FROM signals_observation WHERE series = 'trade.gscpi'")
    assert not Observation.objects.filter(series="trade.gscpi").exists()
    answer = ask(buyer, "supply-chain")
    assert (answer.status_code, answer.json()["code"]) == (503, "no_data")
    assert not UsageCount.objects.exists()


@pytest.mark.parametrize(
    ("level", "status", "risk"),
    [
        ("130", "NORMAL", "LOW"),
        ("129", "FALLING", "MODERATE"),
        ("78", "FALLING", "MODERATE"),
        ("77", "LOW", "HIGH"),
        ("60", "LOW", "HIGH"),
        ("59", "VERY_LOW", "SEVERE"),
        ("-7", "VERY_LOW", "SEVERE"),
    ],
)
def test_a_gauge_is_read_against_its_own_mark(level: str, status: str, risk: str) -> None:
    method_result = supply_chain.compute_supply_chain(
        known(whole(river__kaub=level, river__kaub__low="78"))
    )
    rhine_kaub = method_result.body["water_levels"]["rhine_kaub"]
    assert (rhine_kaub["status"], rhine_kaub["bottleneck_risk"]) == (status, risk)


def test_the_same_level_under_a_higher_mark_is_lower() -> None:
    method_result = supply_chain.compute_supply_chain(
        known(whole(river__kaub="125", river__kaub__low="139"))
    )
    assert method_result.body["water_levels"]["rhine_kaub"]["status"] == "LOW"


def test_a_gauge_without_its_mark_or_level_is_unknown_and_never_low() -> None:
    for told in ({"river__kaub": "20"}, {"river__kaub__low": "78"}, {}):
        rhine_kaub = supply_chain.compute_supply_chain(known(whole(**told))).body["water_levels"][
            "rhine_kaub"
        ]
        assert (rhine_kaub["status"], rhine_kaub["bottleneck_risk"]) == ("UNKNOWN", "UNKNOWN")


def test_feet_are_told_in_centimetres() -> None:
    method_result = supply_chain.compute_supply_chain(known(whole(river__st_louis="-5.1")))
    mississippi = method_result.body["water_levels"]["mississippi"]
    assert (mississippi["level_cm"], mississippi["status"]) == (Decimal("-155.4"), "VERY_LOW")


def test_every_gauge_falls_through_all_its_bands() -> None:
    for gauge in GAUGES:
        statuses = [
            river_levels.status_of_level(gauge, Decimal(n), Decimal(0))
            for n in range(400, -400, -1)
        ]
        assert list(dict.fromkeys(statuses)) == [
            ("NORMAL", "LOW"), ("FALLING", "MODERATE"), ("LOW", "HIGH"), river_levels.WORST,
        ]  # fmt: skip


def ships(usual: int, last: int) -> Past:
    return past([usual] * 400 + [last] * 7, step=DAY)


@pytest.mark.parametrize(
    ("last", "status", "short"),
    [(110, "OPEN", -10), (91, "OPEN", 9), (90, "REDUCED", 10), (75, "DISRUPTED", 25),
     (50, "AVOIDED", 50), (0, "AVOIDED", 100)],
)  # fmt: skip
def test_a_strait_is_read_against_what_is_usual(last: int, status: str, short: int) -> None:
    method_result = supply_chain.compute_supply_chain(
        known(whole() | {"trade.suez": ships(100, last)})
    )
    chokepoint = method_result.body["chokepoints"][0]
    assert (chokepoint["status"], chokepoint["shortfall_pct"]) == (status, short)
    assert (chokepoint["ships_per_day"], chokepoint["usual_per_day"]) == (last, 100)


def test_less_than_a_year_tells_nothing_of_what_is_usual() -> None:
    short = past([100] * 300, step=DAY)
    method_result = supply_chain.compute_supply_chain(known(whole() | {"trade.suez": short}))
    assert method_result.body["chokepoints"][0]["status"] == "UNKNOWN"
    assert method_result.body["chokepoints"][0]["ships_per_day"] == 100
    assert straits.status_of_shortfall(None) == straits.UNKNOWN


def test_gauges_and_straits_are_not_in_the_score() -> None:
    dry = supply_chain.compute_supply_chain(known(whole(river__kaub="10", river__kaub__low="78")))
    wet = supply_chain.compute_supply_chain(known(whole(river__kaub="300", river__kaub__low="78")))
    assert dry.body["pressure_index"] == wet.body["pressure_index"]
    assert dry.quality.coverage == 1


def test_more_pressure_is_never_less() -> None:
    found = []
    for last in (0, 50, 100, 150):
        held = whole() | {"trade.gscpi": past([*range(149), last])}
        found.append(supply_chain.compute_supply_chain(known(held)).body["pressure_index"])
    assert found == sorted(found) and found[0] < found[-1]


def test_inflation_that_follows_pressure_is_told_of() -> None:
    made = random.Random(5)
    moves = [made.gauss(0, 1) for _ in range(300)]
    level, index, prices = 0.0, [], []
    for move in moves:
        level += move
        index.append(level)
    prices = [0.0] * 6 + index[:-6]
    held = whole() | {"trade.gscpi": past(index), "us.cpi.yoy": past(prices)}
    goods_inflation_lead: dict[str, Any] = supply_chain.compute_supply_chain(known(held)).body[
        "goods_inflation_lead"
    ]
    assert goods_inflation_lead["lead_months"] in (5, 6, 7) and goods_inflation_lead[
        "correlation"
    ] > Decimal("0.8")
    assert goods_inflation_lead["signal"] in ("RISING", "EASING", "NEUTRAL")


def test_without_the_index_nothing_is_computed() -> None:
    held = whole()
    del held["trade.gscpi"]
    with pytest.raises(TooFewInputs, match=r"trade\.gscpi"):
        supply_chain.compute_supply_chain(known(held))
