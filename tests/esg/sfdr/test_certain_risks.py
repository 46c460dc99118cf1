"""A risk that is elevated whatever the missing inputs are is told, not hidden as missing data."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given as draw
from hypothesis import strategies as st

from apps.insight.esg.sfdr.rules.holdings import Holding
from apps.insight.esg.sfdr.rules.indicators import INDICATORS, judge_quarters
from tests.esg.conftest import APPLE, FRAPORT, MICROSOFT
from tests.esg.sfdr.conftest import given, holding, judge_holdings, row

# what each indicator counts; its `least` is told from nought up
COUNTED = {
    1: "ghg_scope1", 4: "fossil_fuel_active", 7: "sensitive_area_impact", 8: "water_emissions_t",
    9: "hazardous_waste_t", 10: "ungc_violation", 11: "ungc_process_lacking",
    14: "controversial_weapons", 16: "country_social_violations", 17: "fossil_fuel_property",
    18: "energy_inefficient",
}  # fmt: skip
FLAGS = {4: "20", 7: "5", 10: "5", 11: "50", 14: "0", 17: "10"}


def part_known(number: int, percent: Decimal) -> list[Holding]:
    """Two holdings worth 100: so many percent bear the flag, of the rest nothing is known."""
    block, name = row(number).block, COUNTED[number]
    return [
        holding("A", block, str(percent), **{name: "1"}),
        holding("B", block, str(100 - percent), **{name: None}),
    ]


@pytest.mark.parametrize(("number", "bound"), FLAGS.items())
def test_what_is_known_to_lie_beyond_is_elevated_whatever_is_missing(
    number: int, bound: str
) -> None:
    # with half of the value known, the value itself decides
    at, beyond = Decimal(bound), Decimal(bound) + Decimal("0.1")
    if at and at < 50:
        assert judge_holdings(part_known(number, at))[number - 1].rule.code == "PAI-2"
    found = judge_holdings(part_known(number, min(beyond, Decimal("49.9"))))[number - 1]
    told = "PAI-7" if beyond < 50 else "PAI-2"
    assert (found.rule.code, found.computed) == (told, told == "PAI-7")


@pytest.mark.parametrize(("tonnes", "rule"), [("1000000", "PAI-2"), ("1000000.1", "PAI-7")])
def test_emissions_of_one_company_alone_may_be_beyond(tonnes: str, rule: str) -> None:
    whole = {"enterprise_value_eur": "10000000", "ghg_scope1": tonnes}
    heavy = holding("A", ghg_scope2="0", ghg_scope3="0", **whole)
    silent = holding("B", "COMPANY", "90000000", ghg_scope1=None, ghg_scope2=None, ghg_scope3=None)
    assert judge_holdings([heavy, silent])[0].rule.code == rule


@pytest.mark.parametrize(("tonnes", "rule"), [("100", "PAI-2"), ("100.1", "PAI-7")])
@pytest.mark.parametrize("number", [8, 9])
def test_tonnes_per_million_count_all_companies_below_the_line(
    number: int, tonnes: str, rule: str
) -> None:
    # 1 million of 10: a hundred tonnes are ten for each million
    name = COUNTED[number]
    one = {"enterprise_value_eur": "1000000", name: tonnes}
    held = [holding("A", value="1000000", **one), holding("B", value="9000000", **{name: None})]
    assert judge_holdings(held)[number - 1].rule.code == rule


def test_a_quarter_of_which_nothing_is_known_adds_nothing() -> None:
    known, silent = part_known(10, Decimal(30)), part_known(10, Decimal(0))[1:]
    # 30 % at one end of four is 7.5 % at least; at none it is nothing
    assert judge_quarters([known, silent, silent, silent])[9].outcome.least == Decimal("7.5")
    assert judge_quarters([known, silent, silent, silent])[9].rule.code == "PAI-7"
    assert judge_quarters([silent] * 4)[9].rule.code == "PAI-2"


@pytest.mark.parametrize("number", COUNTED)
@draw(data=st.data())
def test_no_missing_input_brings_a_value_below_the_least(number: int, data: Any) -> None:
    name, block = COUNTED[number], row(number).block
    most = 1 if number not in (1, 8, 9) else 10_000
    told = data.draw(st.lists(st.one_of(st.none(), st.integers(0, most)), min_size=1, max_size=6))
    worth = [data.draw(st.integers(1, 10**6)) for _ in told]

    def held(fill: Callable[[], int] | None) -> list[Holding]:
        values = [fill() if one is None and fill else one for one in told]
        return [
            holding(str(at), block, str(value), **{name: None if one is None else str(one)})
            for at, (value, one) in enumerate(zip(worth, values, strict=True))
        ]

    least = row(number).formula(held(None)).least
    whole = row(number).formula(held(lambda: data.draw(st.integers(0, most)))).value
    assert whole is not None and (least or Decimal(0)) <= whole + Decimal("1e-15")


def test_indicators_that_a_missing_input_may_lower_have_no_least() -> None:
    held = [holding("A"), holding("DE", "SOVEREIGN"), holding("P", "REAL_ESTATE")]
    bare = {
        judged_indicator.indicator.id
        for judged_indicator in judge_holdings(held)
        if judged_indicator.outcome.least is None
    }
    assert (
        bare
        == {2, 3, 5, 6, 12, 13, 15}
        == {indicator.id for indicator in INDICATORS} - set(COUNTED)
    )


@pytest.mark.django_db
def test_a_maker_of_controversial_weapons_is_flagged_though_little_is_known(
    report: Callable[..., Any],
) -> None:
    found = report(
        holdings=[
            {"lei": MICROSOFT, "value": 10, "inputs": given(controversial_weapons="1")},
            {"lei": APPLE, "value": 60},
            {"lei": FRAPORT, "value": 30},
        ]
    )
    weapons = found["indicators"][13]
    assert (weapons["status"], weapons["rule"]) == ("ELEVATED_RISK", "PAI-7")
    assert (weapons["coveragePercent"], weapons["missing"]) == (10, [FRAPORT, APPLE])
    assert found["summary"]["elevatedRiskFlags"] == 1
    assert found["summary"]["overallStatus"] == "ELEVATED_RISK"
