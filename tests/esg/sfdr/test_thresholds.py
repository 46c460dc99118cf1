"""Holdings worked by hand that come to each threshold exactly, and to a step beyond it."""

from decimal import Decimal

import pytest

from apps.insight.esg.sfdr.rules.holdings import Holding, HoldingInput
from apps.insight.esg.sfdr.rules.indicators import INDICATORS, JudgedIndicator
from tests.esg.sfdr.conftest import holding, judge_holdings

STEP = Decimal("0.1")
MILLION = "1000000"


def of_one(**inputs: str) -> list[Holding]:
    """A company of which a million is held that is worth a million, with a million of revenue."""
    whole = {"enterprise_value_eur": MILLION, "revenue_eur": MILLION, "energy_gwh_c": "0"}
    return [holding("A", value=MILLION, **whole | inputs)]


def by_value(name: str, percent: Decimal, block: str = "COMPANY") -> list[Holding]:
    """Two holdings that share 100 between them, so that a flag covers so many percent."""
    return [
        holding("A", block, str(percent), **{name: "1"}),
        holding("B", block, str(100 - percent), **{name: "0"}),
    ]


def by_number(percent: Decimal) -> list[Holding]:
    """A thousand countries, of which so many percent are in violation."""
    flagged = int(percent * 10)
    name = "country_social_violations"
    return [
        Holding(str(n), "SOVEREIGN", Decimal(1), {name: HoldingInput(Decimal(n < flagged))})
        for n in range(1000)
    ]


def scope1(value: Decimal) -> list[Holding]:
    return of_one(ghg_scope1=str(value), ghg_scope2="0", ghg_scope3="0")


HELD = {
    1: scope1,  # 1/1 of the company's tonnes
    2: scope1,  # per one million invested
    3: scope1,  # per one million of revenue
    4: lambda v: by_value("fossil_fuel_active", v),
    5: lambda v: of_one(nonrenewable_energy_share=str(v)),
    6: lambda v: of_one(energy_gwh_c=str(v)),
    7: lambda v: by_value("sensitive_area_impact", v),
    8: lambda v: of_one(water_emissions_t=str(v)),
    9: lambda v: of_one(hazardous_waste_t=str(v)),
    10: lambda v: by_value("ungc_violation", v),
    11: lambda v: by_value("ungc_process_lacking", v),
    12: lambda v: of_one(gender_pay_gap=str(v)),
    13: lambda v: of_one(board_female_share=str(v)),
    14: lambda v: by_value("controversial_weapons", v),
    15: lambda v: [holding("DE", "SOVEREIGN", country_ghg_t=str(v), country_gdp_eur=MILLION)],
    16: by_number,
    17: lambda v: by_value("fossil_fuel_property", v, "REAL_ESTATE"),
    18: lambda v: by_value("energy_inefficient", v, "REAL_ESTATE"),
}


def judged(number: int, value: Decimal) -> JudgedIndicator:
    return judge_holdings(HELD[number](value))[number - 1]


@pytest.mark.parametrize("one", INDICATORS, ids=lambda one: str(one.id))
def test_holdings_come_to_each_threshold_and_to_a_step_beyond(one: object) -> None:
    worse = -STEP if one.low else STEP  # type: ignore[attr-defined]
    number, review, elevated = one.id, one.review, one.elevated  # type: ignore[attr-defined]
    found = {value: judged(number, value) for value in
             (review, review + worse, elevated, elevated + worse)}  # fmt: skip
    assert {value: one.outcome.value for value, one in found.items()} == {v: v for v in found}
    between = "ELEVATED_RISK" if review == elevated else "REVIEW"
    assert found[review].status == "WITHIN_THRESHOLD"
    assert found[review + worse].status == between
    assert found[elevated].status == ("WITHIN_THRESHOLD" if review == elevated else "REVIEW")
    assert found[elevated + worse].status == "ELEVATED_RISK"
