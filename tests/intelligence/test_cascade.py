"""GET /v1/intelligence/cascade."""

from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.rules.cascade_catalogue import (
    CASCADES,
    confidence_of_cascade,
    is_cascade_running,
    is_priced_in,
)
from apps.insight.intelligence.rules.instability import FISCAL, POLICY
from apps.insight.intelligence.rules.layers import (
    CODES,
    state_of_all_layers,
    state_of_effect,
    state_of_layer,
)
from apps.insight.intelligence.rules.trigger_types import MeasuredTrigger
from tests.intelligence.conftest import ask
from tests.intelligence.sample_inputs import at_sample

ENTRIES = {
    "MIDDLE_EAST_OIL_SHOCK": "L2",
    "TRADE_WAR_ESCALATION": "L3",
    "FINANCIAL_CONTAGION": "L6",
    "FOOD_SUPPLY_CRISIS": "L2",
    "ENERGY_TRANSITION_DISRUPTION": "L2",
    "EM_CURRENCY_CRISIS": "L5",
    "CENTRAL_BANK_POLICY_SHOCK": "L4",
    "SOVEREIGN_DEBT_CRISIS": "L6",
}


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "cascade")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    nerves = body["nervousSystem"]
    assert [layer["layer"] for layer in nerves["layers"]] == list(CODES)
    assert nerves["activeCascadeCount"] == len(body["activeCascades"]) > 0
    assert nerves["overallStatus"] == "ACTIVE_CASCADE"
    assert answer["X-SVC-Systemic-Risk"] == str(nerves["systemicRiskScore"])
    assert answer["X-SVC-Cascade-Status"] == nerves["overallStatus"]
    assert answer["X-SVC-Active-Cascades"] == str(nerves["activeCascadeCount"])
    assert body["dataQuality"] == "ESTIMATED"


@pytest.mark.django_db
def test_layers_sum_to_the_systemic_risk(buyer: APIClient) -> None:
    nerves = ask(buyer, "cascade").json()["nervousSystem"]
    shares = [
        layer["contribution"] for layer in nerves["layers"] if layer["contribution"] is not None
    ]
    assert sum(Decimal(str(share)) for share in shares) == Decimal(str(nerves["systemicRiskScore"]))


def test_the_eight_enter_where_the_specification_says() -> None:
    assert {row.type: row.entry for row in CASCADES} == ENTRIES


@pytest.mark.parametrize("row", CASCADES, ids=lambda row: row.type)
def test_weights_of_a_cascade_are_whole_and_its_way_leaves_the_entry(row: object) -> None:
    assert sum(trigger.weight for trigger in row.triggers) == 1  # type: ignore[attr-defined]
    assert all(step.layer != row.entry for step in row.steps)  # type: ignore[attr-defined]
    assert all(trigger.reference for trigger in (*row.triggers, *row.steps))  # type: ignore[attr-defined]
    assert row.analog.began < row.analog.ended  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("row", "day"),
    [
        ("TRADE_WAR_ESCALATION", "2025-05-10"),
        ("CENTRAL_BANK_POLICY_SHOCK", "2022-10-15"),
        ("ENERGY_TRANSITION_DISRUPTION", "2021-12-15"),
        ("FINANCIAL_CONTAGION", "2020-03-28"),
    ],
)
def test_it_would_have_found_what_history_knows(row: str, day: str) -> None:
    assert row in {
        active_cascade["type"]
        for active_cascade in at_sample("cascade", day).body["active_cascades"]
    }


def test_a_rebound_of_oil_is_no_shock_of_it() -> None:
    active_cascades = at_sample("cascade", "2020-08-15").body["active_cascades"]
    assert "MIDDLE_EAST_OIL_SHOCK" not in {
        active_cascade["type"] for active_cascade in active_cascades
    }


def test_in_a_calm_year_nothing_runs() -> None:
    method_result = at_sample("cascade", "2024-03-15")
    assert method_result.body["active_cascades"] == []
    assert method_result.body["nervous_system"]["overall_status"] != "ACTIVE_CASCADE"


def test_a_signal_that_is_not_known_neither_starts_nor_stops_a_cascade() -> None:
    row = next(cascade for cascade in CASCADES if cascade.type == "FINANCIAL_CONTAGION")
    first, second, third = row.triggers  # 0.4, 0.3, 0.3
    high, low = Decimal(99), Decimal(1)
    assert (
        confidence_of_cascade(row, [MeasuredTrigger(first, high), MeasuredTrigger(second, high)])
        == 1
    )
    assert (
        confidence_of_cascade(row, [MeasuredTrigger(first, low), MeasuredTrigger(second, low)]) == 0
    )
    assert confidence_of_cascade(row, [MeasuredTrigger(first, high)]) is None
    assert (
        is_cascade_running(
            confidence_of_cascade(
                row,
                [
                    MeasuredTrigger(second, high),
                    MeasuredTrigger(third, low),
                    MeasuredTrigger(first, low),
                ],
            )
        )
        is False
    )


@pytest.mark.parametrize(
    ("layer", "answer"), [("79.9", False), ("80", True), ("80.1", True), (None, None)]
)
def test_a_layer_at_eight_tenths_of_the_entry_has_it_in_its_prices(
    layer: str | None, answer: bool | None
) -> None:
    assert is_priced_in(Decimal(100), Decimal(layer) if layer else None) is answer


def test_what_is_told_of_the_entry_did_happen() -> None:
    for year in range(2020, 2027):
        for active_cascade in at_sample("cascade", f"{year}-03-20").body["active_cascades"]:
            fired = {
                signal["description"] for signal in active_cascade["signals"] if signal["fires"]
            }
            assert active_cascade["propagation"][0]["effect"] in fired, (
                year,
                active_cascade["type"],
            )


def test_an_effect_that_lowers_a_score_is_in_prices_where_the_score_is_low() -> None:
    row = next(cascade for cascade in CASCADES if cascade.type == "FINANCIAL_CONTAGION")
    cuts = next(step for step in row.steps if step.layer == "L4")
    assert (cuts.direction, cuts.shown(Decimal(10)), cuts.shown(None)) == (-1, Decimal(90), None)
    flees = next(step for step in row.steps if step.layer == "L5")
    assert (flees.direction, flees.shown(Decimal(10))) == (1, Decimal(10))
    falls = {
        (cascade.type, way.layer)
        for cascade in (*CASCADES, POLICY, FISCAL)
        for way in cascade.steps
        if way.direction < 0
    }
    assert falls == {
        ("FINANCIAL_CONTAGION", "L4"),
        ("US_POLICY_INSTABILITY", "L5"),
        ("US_FISCAL_DOMINANCE_RISK", "L5"),
    }


@pytest.mark.parametrize(("measured", "fires"), [("100", False), ("100.1", True), ("99", False)])
def test_a_level_fires_above_its_bound(measured: str, fires: bool) -> None:
    row = next(trigger for trigger in FISCAL.triggers if trigger.series == "debt.us")
    assert MeasuredTrigger(row, Decimal(measured)).fires is fires


def test_each_bound_of_a_state_belongs_to_the_higher() -> None:
    assert [state_of_layer(Decimal(one)) for one in ("59.9", "60", "79.9", "80", "94.9", "95")] == [
        "CALM", "FORMING", "FORMING", "ELEVATED", "ELEVATED", "SHOCK",
    ]  # fmt: skip
    assert [state_of_effect(Decimal(one)) for one in ("59.9", "60", "80")] == [
        "EXPECTED", "FORMING", "ACTIVE",
    ]  # fmt: skip
    assert [
        state_of_all_layers(Decimal(one), cascades=0) for one in ("24.9", "25", "50", "75")
    ] == [
        "CALM",
        "MODERATE",
        "STRESSED",
        "CRISIS",
    ]
    assert state_of_all_layers(Decimal(1), cascades=1) == "ACTIVE_CASCADE"
