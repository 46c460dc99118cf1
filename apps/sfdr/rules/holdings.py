"""What a portfolio holds, as the formulas see it: money in EUR. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

Block = Literal["COMPANY", "SOVEREIGN", "REAL_ESTATE"]
BLOCKS: tuple[Block, ...] = ("COMPANY", "SOVEREIGN", "REAL_ESTATE")
MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a holding; `estimated` where nobody reported it."""

    value: Decimal
    estimated: bool = False


Inputs = Mapping[str, Input]


@dataclass(frozen=True, slots=True)
class Holding:
    """One investment: a company by LEI, a country, or a property.

    `value` is what it is worth in EUR, None where nobody said: then holdings weigh the same, and
    what is counted per million invested cannot be computed. Inputs are named as in INPUTS.
    """

    id: str
    block: Block = "COMPANY"
    value: Decimal | None = None
    inputs: Inputs = field(default_factory=dict)

    def get(self, name: str) -> Decimal | None:
        """Return the value of an input, None where it is missing."""
        found = self.inputs.get(name)
        return found.value if found else None


# What formulas read, by block: the unit, and what it is
INPUTS: dict[Block, dict[str, tuple[str, str]]] = {
    "COMPANY": {
        "ghg_scope1": ("tCO2e", "Scope 1 emissions"),
        "ghg_scope2": ("tCO2e", "Scope 2 emissions"),
        "ghg_scope3": ("tCO2e", "Scope 3 emissions"),
        "enterprise_value_eur": ("EUR", "Enterprise value, cash not deducted"),
        "revenue_eur": ("EUR", "Revenue"),
        "fossil_fuel_active": ("0 or 1", "Active in the fossil fuel sector"),
        "nonrenewable_energy_share": ("%", "Non-renewable energy consumed and produced"),
        **{
            f"energy_gwh_{one}": ("GWh", f"Energy consumed, NACE {one.upper()}")
            for one in "abcdefghl"
        },
        "sensitive_area_impact": ("0 or 1", "Harms biodiversity-sensitive areas"),
        "water_emissions_t": ("t", "Emissions to water"),
        "hazardous_waste_t": ("t", "Hazardous and radioactive waste"),
        "ungc_violation": ("0 or 1", "Violates UNGC principles or OECD Guidelines"),
        "ungc_process_lacking": ("0 or 1", "Lacks a process to monitor them"),
        "gender_pay_gap": ("%", "Unadjusted gender pay gap"),
        "board_female_share": ("%", "Women among board members"),
        "controversial_weapons": ("0 or 1", "Makes or sells controversial weapons"),
    },
    "SOVEREIGN": {
        "country_ghg_t": ("tCO2e", "Emissions of the country"),
        "country_gdp_eur": ("EUR", "Gross domestic product"),
        "country_social_violations": ("0 or 1", "Subject to social violations"),
    },
    "REAL_ESTATE": {
        "fossil_fuel_property": ("0 or 1", "Extracts, stores, moves or makes fossil fuels"),
        "energy_inefficient": (
            "0 or 1",
            "Built before 2021 with EPC C or below, or after above NZEB",
        ),
        "energy_rules_apply": ("0 or 1", "Must abide by EPC and NZEB rules"),
    },
}
