"""What evidence may say: each measure with its unit, its bounds and how long it counts. Pure.

Scores, SFDR reports and the inputs that callers give them read the same rows, so that a figure is
defined only once. DESIGN.md section 4, 2.5, and section 4, 2.8.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

MeasureSubject = Literal["entity", "country", "property"]
# months; two annual reports may be late before a figure is too old
MONTHS = 36
_MOST = Decimal(10) ** 15
FLAG = "0 or 1"
HIGH_IMPACT = "ABCDEFGHL"  # NACE sections, Delegated Regulation (EU) 2022/1288 Annex I (9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One thing that evidence says; a value outside `least` to `most` is refused as misread.

    `pai` are the SFDR indicators (Annex I Table 1) that read it. `good` says that more of it is
    better: of two sources that differ the graver figure counts. What is of a property comes from
    callers alone.
    """

    key: str
    title: str
    unit: str
    of: MeasureSubject = "entity"
    least: Decimal = Decimal(0)
    most: Decimal = _MOST
    months: int = MONTHS
    pai: tuple[int, ...] = ()
    good: bool = False


def _share_measure(key: str, title: str, pai: int, least: int = 0, good: bool = False) -> Measure:
    low, high = Decimal(least), Decimal(100)
    return Measure(key=key, title=title, unit="%", least=low, most=high, pai=(pai,), good=good)


def _flag_measure(
    key: str, title: str, *pai: int, of: MeasureSubject = "entity", good: bool = False
) -> Measure:
    return Measure(key=key, title=title, unit=FLAG, of=of, most=Decimal(1), pai=pai, good=good)


def _tonnes_measure(key: str, title: str, *pai: int, unit: str = "t") -> Measure:
    return Measure(key=key, title=title, unit=unit, pai=pai)


MEASURES: tuple[Measure, ...] = (
    _tonnes_measure("ghg_scope1", "Scope 1 emissions", 1, 2, 3, unit="tCO2e"),
    _tonnes_measure("ghg_scope2", "Scope 2 emissions", 1, 2, 3, unit="tCO2e"),
    _tonnes_measure("ghg_scope3", "Scope 3 emissions", 1, 2, 3, unit="tCO2e"),
    Measure(key="revenue_usd", title="Revenue of the year", unit="USD", good=True),
    Measure(key="revenue_eur", title="Revenue of the year", unit="EUR", pai=(3, 6), good=True),
    Measure(
        key="enterprise_value_eur",
        title="Enterprise value: shares, preferred shares, debt and minority interests at book "
        "value, cash not deducted",
        unit="EUR",
        pai=(1, 2, 8, 9),
        good=True,
    ),
    _flag_measure("fossil_fuel_active", "Active in the fossil fuel sector", 4),
    _share_measure(
        "nonrenewable_energy_share",
        "Share of non-renewable energy in energy consumed and produced",
        5,
    ),
    _flag_measure(
        "high_impact_climate_sector", "Active in a high impact climate sector (NACE A-H, L)", 6
    ),
    *(
        Measure(
            key=f"energy_gwh_{country.lower()}",
            title=f"Energy consumed, NACE {country}",
            unit="GWh",
            pai=(6,),
        )
        for country in HIGH_IMPACT
    ),
    _flag_measure("sensitive_area_impact", "Has sites that harm biodiversity-sensitive areas", 7),
    _tonnes_measure("water_emissions_t", "Emissions to water", 8),
    _tonnes_measure("hazardous_waste_t", "Hazardous and radioactive waste", 9),
    _flag_measure("ungc_violation", "Violates UN Global Compact principles or OECD Guidelines", 10),
    _flag_measure("ungc_process_lacking", "Lacks a process to monitor them", 11),
    _share_measure("gender_pay_gap", "Unadjusted gender pay gap", 12, -100),
    _share_measure("board_female_share", "Women among board members", 13, good=True),
    _flag_measure("controversial_weapons", "Makes or sells controversial weapons", 14),
    _flag_measure("taxonomy_aligned", "Has activities aligned with the EU taxonomy"),
    Measure(
        key="noncompliance_quarters",
        title="Quarters in non-compliance with environmental law, of the last 12, per facility",
        unit="quarters",
        most=Decimal(12),
    ),
    Measure(
        key="climate_target",
        title="Science-based climate target: 1 set, 0.5 committed, 0 removed",
        unit="0 to 1",
        most=Decimal(1),
        good=True,
    ),
    Measure(
        key="injury_rate",
        title="Recordable injuries and illnesses per 200,000 hours worked",
        unit="cases",
        most=Decimal(1000),
    ),
    Measure(
        key="serious_violations",
        title="Serious violations of work safety law per inspection",
        unit="violations",
        most=Decimal(1000),
    ),
    Measure(
        key="annual_report_days",
        title="Days from the end of the year to the filing of the annual report",
        unit="days",
        most=Decimal(1500),
    ),
    _flag_measure(
        "owner_disclosed", "Its parents, or that it has none, are on record with GLEIF", good=True
    ),
    Measure(
        key="country_co2_per_capita",
        title="Carbon dioxide per inhabitant",
        unit="t",
        of="country",
        most=Decimal(200),
        months=84,
    ),
    Measure(
        key="country_human_capital",
        title="Human Capital Index",
        unit="0 to 1",
        of="country",
        most=Decimal(1),
        months=120,
        good=True,
    ),
    Measure(
        key="country_rule_of_law",
        title="Rule of law (Worldwide Governance Indicators), estimate",
        unit="-2.5 to 2.5",
        of="country",
        least=Decimal(-4),
        most=Decimal(4),
        months=84,
        good=True,
    ),
    Measure(
        key="country_ghg_t",
        title="Greenhouse gas emissions",
        unit="tCO2e",
        of="country",
        months=84,
        pai=(15,),
    ),
    *(
        Measure(
            key=f"country_gdp_{country.lower()}",
            title="Gross domestic product",
            unit=country,
            of="country",
            months=84,
            pai=(15,) if country == "EUR" else (),
            good=True,
        )
        for country in ("USD", "EUR")
    ),
    _flag_measure("country_social_violations", "Subject to social violations", 16, of="country"),
    _flag_measure(
        "fossil_fuel_property",
        "Extracts, stores, transports or manufactures fossil fuels",
        17,
        of="property",
    ),
    _flag_measure(
        "energy_inefficient",
        "Built before 2021 with EPC C or below, or later with a demand above NZEB",
        18,
        of="property",
    ),
    _flag_measure("energy_rules_apply", "Subject to EPC and NZEB rules", 18, of="property"),
)
MEASURES_BY_KEY = {measure.key: measure for measure in MEASURES}


def is_plausible_value(*, key: str, value: Decimal) -> bool:
    """Tell whether a measure can have this value; KeyError for an unknown measure."""
    row = MEASURES_BY_KEY[key]
    if not value.is_finite() or not row.least <= value <= row.most:
        return False
    # a flag of 0.5 would pass the bounds
    return row.unit != FLAG or value in (0, 1)


def is_current_figure(*, key: str, period_end: date, today: date) -> bool:
    """Tell whether a figure of a period is recent enough; future figures do not count."""
    months = (today.year - period_end.year) * 12 + today.month - period_end.month
    # a month counts once its day is reached: from 31 December to 30 March are two months
    late = months - (today.day < period_end.day)
    return period_end <= today and late < MEASURES_BY_KEY[key].months
