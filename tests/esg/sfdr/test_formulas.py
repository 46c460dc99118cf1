"""The regulation's formulas: worked by hand, and against the shared vectors where they are."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given as draw
from hypothesis import strategies as st

from apps.insight.esg.sfdr.rules.holdings import Holding, HoldingInput
from apps.insight.esg.sfdr.rules.indicators import INDICATORS
from tests.esg.sfdr.conftest import holding, judge_holdings, row
from tests.shared_data import shared

# A is worth 10 million of a company worth 100; B 30 million of one worth 600
A = holding("A")
B = holding(
    "B", value="30000000", enterprise_value_eur="600000000", revenue_eur="200000000",
    ghg_scope1="20000", ghg_scope2="4000", ghg_scope3="6000", fossil_fuel_active="1",
    nonrenewable_energy_share="80", energy_gwh_c=None, energy_gwh_h="400",
    sensitive_area_impact="1", water_emissions_t="600", hazardous_waste_t="0",
    ungc_violation="1", ungc_process_lacking="1", gender_pay_gap="20", board_female_share="25",
    controversial_weapons="1",
)  # fmt: skip
DE, IR = holding("DE", "SOVEREIGN"), holding(
    "IR", "SOVEREIGN", "30000000", country_ghg_t="900000000", country_gdp_eur="400000000000",
    country_social_violations="1",
)  # fmt: skip
P, Q = (
    holding("P", "REAL_ESTATE"),
    holding("Q", "REAL_ESTATE", "30000000", fossil_fuel_property="1", energy_inefficient="0"),
)
# Worked by hand, with weights of a quarter and three quarters
WORKED = {
    1: "1900",  # 0.1 * (1000 + 500 + 2500) + 0.05 * (20000 + 4000 + 6000)
    2: "47.5",  # 1900 t over 40 million
    3: "132.5",  # 0.25 * 4000 / 50 + 0.75 * 30000 / 200
    4: "75",
    5: "70",  # 0.25 * 40 + 0.75 * 80
    6: "2",  # transport (H) is 400 / 200, manufacturing (C) 25 / 50
    7: "75",
    8: "0.875",  # (0.1 * 50 + 0.05 * 600) / 40
    9: "0.05",  # 0.1 * 20 / 40
    10: "75",
    11: "75",
    12: "17",  # 0.25 * 8 + 0.75 * 20
    13: "28.75",  # 0.25 * 40 + 0.75 * 25
    14: "75",
    15: "1731.25",  # 0.25 * 700 / 4 + 0.75 * 900 / 0.4
    16: "50",  # one of two countries
    17: "75",
    18: "25",
}


def value_of(number: int, *holdings: Holding) -> Decimal | None:
    block = row(number).block
    return row(number).formula([one for one in holdings if one.block == block]).value


@pytest.mark.parametrize("number", range(1, 19))
def test_each_indicator_comes_to_what_was_worked_by_hand(number: int) -> None:
    found = value_of(number, A, B, DE, IR, P, Q)
    assert found == Decimal(WORKED[number])


def test_all_eighteen_compute_of_full_inputs() -> None:
    rows = judge_holdings((A, B, DE, IR, P, Q))
    assert [one.indicator.id for one in rows] == list(range(1, 19))
    assert all(one.computed and one.outcome.covered == 100 for one in rows)


def test_the_shared_vectors_come_out() -> None:
    document = json.loads(shared("esg/pai_vectors.json").read_text(), parse_float=Decimal)
    names = {"s1": "ghg_scope1", "s2": "ghg_scope2", "s3": "ghg_scope3",
             "ev_eur": "enterprise_value_eur", "revenue_eur": "revenue_eur"}  # fmt: skip
    held = []
    for one in document["holdings"]:
        inputs = {name: HoldingInput(Decimal(one[key])) for key, name in names.items() if one[key]}
        inputs["fossil_fuel_active"] = HoldingInput(Decimal(one["fossil"]))
        women = Decimal(100 * one["board_f"]) / one["board_n"]
        inputs["board_female_share"] = HoldingInput(women)
        held.append(Holding(one["id"], "COMPANY", Decimal(one["cv_eur"]), inputs))
    expected, first = document["expected"], row(1).formula(held)
    for part, key in zip(first.parts, ("pai1_s1", "pai1_s2", "pai1_s3"), strict=True):
        assert part.value == expected[key]
    assert first.parts[2].covered == expected["coverage_s3_by_value_pct"]
    assert (first.value, first.missing) == (expected["pai1_total"], ("B",))
    others = {2: "pai2_t_per_eurm", 3: "pai3_t_per_eurm_rev", 4: "pai4_pct", 13: "pai13_pct"}
    for number, key in others.items():
        assert row(number).formula(held).value == expected[key], number


def test_the_indicators_are_those_of_the_regulation() -> None:
    lines = shared("esg/sfdr_table1.csv").read_text().splitlines()[1:]
    numbers = {int(line.split(",")[0].rstrip("abcd")) for line in lines}
    assert numbers == {indicator.id for indicator in INDICATORS} == set(range(1, 19))
    low = {int(line.split(",")[0]) for line in lines if line.endswith("adverse-low")}
    assert low == {indicator.id for indicator in INDICATORS if indicator.low}


@pytest.mark.parametrize(
    ("number", "input"),
    [
        (1, "ghg_scope3"), (2, "enterprise_value_eur"), (3, "ghg_scope1"),
        (4, "fossil_fuel_active"), (5, "nonrenewable_energy_share"), (6, "energy_gwh_c"),
        (7, "sensitive_area_impact"), (8, "water_emissions_t"), (9, "hazardous_waste_t"),
        (10, "ungc_violation"), (11, "ungc_process_lacking"), (12, "gender_pay_gap"),
        (13, "board_female_share"), (14, "controversial_weapons"),
    ],
)  # fmt: skip
def test_a_missing_input_lowers_the_coverage_and_is_named(number: int, input: str) -> None:
    found = row(number).formula([holding("A", **{input: None}), B])
    assert (found.covered, found.missing) == (75, ("A",))


def test_an_estimated_input_is_told_by_its_share_of_the_value() -> None:
    guessed = {name: HoldingInput(one.value, True) for name, one in B.inputs.items()}
    mixed = Holding("B", "COMPANY", B.value, guessed)
    for number in range(1, 15):
        assert row(number).formula([A, mixed]).estimated == 75, number
        assert row(number).formula([A, B]).estimated == 0, number


def test_without_values_all_weigh_the_same_and_nothing_is_counted_per_million() -> None:
    plain = [holding("A", value=None), holding("B", value=None, board_female_share="20")]
    assert value_of(13, *plain) == 30
    assert [n for n in range(1, 15) if value_of(n, *plain) is None] == [1, 2, 8, 9]
    assert [indicator.id for indicator in INDICATORS if indicator.needs_values] == [1, 2, 8, 9]


def test_property_that_need_not_keep_energy_rules_counts_on_neither_side() -> None:
    free = holding("F", "REAL_ESTATE", "60000000", energy_rules_apply="0")
    assert value_of(18, P, Q, free) == value_of(18, P, Q) == 25
    assert judge_holdings([free])[17].status == "NOT_APPLICABLE"


def test_a_company_of_unknown_emissions_does_not_make_the_footprint_smaller() -> None:
    silent = holding("S", value="20000000", ghg_scope1=None, ghg_scope2=None, ghg_scope3=None)
    unpriced = holding("U", value="20000000", enterprise_value_eur=None)
    assert value_of(2, A, B, silent, unpriced) == value_of(2, A, B)
    assert row(2).formula([A, B, silent, unpriced]).missing == ("S", "U")
    # one scope that is known counts, as the shared vectors have it
    assert value_of(2, holding("A", ghg_scope3=None)) == 15


@pytest.mark.parametrize("number", [2, 3])
def test_a_company_that_tells_some_scopes_alone_never_lowers_an_indicator(number: int) -> None:
    heavy = holding("H", ghg_scope1="90000", ghg_scope2="0", ghg_scope3="0")
    part = holding("P", ghg_scope1="0", ghg_scope2=None, ghg_scope3=None)
    alone = row(number).formula([heavy])
    both = row(number).formula([heavy, part])
    assert both.value == alone.value and (both.covered, both.missing) == (50, ("P",))
    # and it may raise one
    worse = holding("P", ghg_scope1="900000", ghg_scope2=None, ghg_scope3=None)
    raised = row(number).formula([heavy, worse]).value
    assert raised is not None and alone.value is not None and raised > alone.value


CASH = Holding("Cash", "OTHER", Decimal(30_000_000))


@pytest.mark.parametrize("number", range(1, 19))
def test_ratios_to_all_investments_count_what_is_held_beside(number: int) -> None:
    block = row(number).block
    mine = [one for one in (A, DE, P) if one.block == block]
    alone, beside = (
        judge_holdings(held)[number - 1].outcome.value for held in (mine, [*mine, CASH])
    )
    assert alone is not None
    # 10 million of 40: indicators 2, 3 and 15 by the regulation's formulas (2), (3) and (4)
    assert beside == (alone / 4 if number in (2, 3, 15) else alone)


def test_a_mixed_portfolio_divides_by_all_of_it() -> None:
    value_by_id = {
        judged_indicator.indicator.id: judged_indicator.outcome.value
        for judged_indicator in judge_holdings((A, DE, P))
    }
    assert value_by_id[2] == Decimal(400) / 30 and value_by_id[15] == Decimal("175") / 3
    assert value_by_id[4] == 0 and value_by_id[18] == 100


def test_a_company_in_no_high_impact_sector_need_not_tell_its_energy() -> None:
    office = holding("O", energy_gwh_c=None, high_impact_climate_sector="0")
    found = row(6).formula([A, B, office])
    assert (found.value, found.covered, found.missing) == (2, 100, ())
    assert judge_holdings([office])[5].status == "NOT_APPLICABLE"
    silent = holding("O", energy_gwh_c=None)
    assert row(6).formula([A, B, silent]).missing == ("O",)
    # energy that is told counts whatever the flag says
    assert row(6).formula([holding("O", high_impact_climate_sector="0")]).value == Decimal("0.5")


def test_nothing_is_divided_by_nothing() -> None:
    empty = holding("E", value="0", revenue_eur="0", enterprise_value_eur="0")
    for number in range(1, 15):
        row(number).formula([empty])
    assert value_of(3, empty) is None and value_of(1, empty) is None


@draw(st.permutations([A, B, DE, IR, P, Q]))
def test_the_order_of_holdings_changes_nothing(mixed: list[Holding]) -> None:
    value_by_id = {
        judged_indicator.indicator.id: judged_indicator.outcome.value
        for judged_indicator in judge_holdings(mixed)
    }
    # each of the three kinds is a third of all investments
    worked = {n: Decimal(v) / (3 if n in (2, 3, 15) else 1) for n, v in WORKED.items()}
    assert {n: round(v, 20) for n, v in value_by_id.items() if v is not None} == {
        n: round(v, 20) for n, v in worked.items()
    }


@draw(st.lists(st.integers(0, 10**9), min_size=1, max_size=8), st.data())
def test_a_mean_lies_between_the_least_and_the_most(values: list[int], data: Any) -> None:
    told = [data.draw(st.integers(-100, 100)) for _ in values]
    held = [
        holding(str(at), value=str(worth), gender_pay_gap=str(gap))
        for at, (worth, gap) in enumerate(zip(values, told, strict=True))
    ]
    value = row(12).formula(held).value
    slack = Decimal("1e-20")
    assert value is None or min(told) - slack <= value <= max(told) + slack
