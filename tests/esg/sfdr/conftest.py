"""Portfolios, and figures of their companies."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.esg.sfdr.rules.holdings import Holding, HoldingInput
from apps.insight.esg.sfdr.rules.indicators import (
    INDICATORS,
    Indicator,
    JudgedIndicator,
    judge_quarters,
)
from tests.esg.conftest import figure, keep
from tests.payees.registration.conftest import sample  # noqa: F401

PATH = "/compliance/sfdr/pai-report"
BODY = {"portfolioName": "Test fund", "reportingPeriod": "2025-Q4", "currency": "EUR"}
# every input of a company, and what each makes of it
COMPANY = {
    "ghg_scope1": "1000", "ghg_scope2": "500", "ghg_scope3": "2500",
    "enterprise_value_eur": "100000000", "revenue_eur": "50000000", "fossil_fuel_active": "0",
    "nonrenewable_energy_share": "40", "energy_gwh_c": "25", "sensitive_area_impact": "0",
    "water_emissions_t": "50", "hazardous_waste_t": "20", "ungc_violation": "0",
    "ungc_process_lacking": "0", "gender_pay_gap": "8", "board_female_share": "40",
    "controversial_weapons": "0",
}  # fmt: skip
COUNTRY = {"country_ghg_t": "700000000", "country_gdp_eur": "4000000000000",
           "country_social_violations": "0"}  # fmt: skip
PROPERTY = {"fossil_fuel_property": "0", "energy_inefficient": "1", "energy_rules_apply": "1"}


def judge_holdings(holdings: Sequence[Holding]) -> tuple[JudgedIndicator, ...]:
    """Return all indicators of a portfolio on one day."""
    return judge_quarters([holdings])


def holding(
    id: str = "A", block: Any = "COMPANY", value: str | None = "10000000", **inputs: str | None
) -> Holding:
    """Return a holding with every input of its block, some changed; None leaves one out."""
    whole = {"COMPANY": COMPANY, "SOVEREIGN": COUNTRY, "REAL_ESTATE": PROPERTY}[block]
    found = {
        name: HoldingInput(Decimal(given))
        for name, given in (whole | inputs).items()
        if given is not None
    }
    return Holding(id, block, None if value is None else Decimal(value), found)


def row(number: int) -> Indicator:
    """Return an indicator by its number."""
    return INDICATORS[number - 1]


def given(**inputs: str) -> list[dict[str, Any]]:
    """Return inputs as a request sends them."""
    return [{"name": name, "value": float(value)} for name, value in inputs.items()]


@pytest.fixture
def report(sample: Any, api: APIClient) -> Callable[..., Any]:  # noqa: F811
    """Ask for a report: `report(leis=[…])`; `status` is what it must come to."""

    def call(*, status: int = 200, **fields: Any) -> dict[str, Any]:
        answer = api.post(PATH, BODY | fields, format="json")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call


__all__ = ["figure", "keep"]
