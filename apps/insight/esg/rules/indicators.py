"""The indicators of a score and the frozen references that they are scaled against. Pure.

A reference never changes within its version: another curve is another version. They are ours, set
from the public figures that `basis` names, and not a vendor's distribution.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Pillar = Literal["environmental", "social", "governance"]
PILLARS: tuple[Pillar, ...] = ("environmental", "social", "governance")
Values = Mapping[str, Decimal]
Curve = tuple[tuple[Decimal, Decimal], ...]

# Raised whenever a curve, a weight or a rule changes; part of every score.
REFERENCE = "2026.1"
MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator:
    """One indicator: what it is computed of, how it weighs in its pillar, and its reference.

    `curve` has points of value and quality (0 worst, 1 best), values rising, between which a
    straight line runs; beyond its ends the quality is constant. `weight` is of 100 in its pillar.
    """

    id: str
    pillar: Pillar
    title: str
    unit: str
    weight: int
    of: tuple[str, ...]
    value: Callable[[Values], Decimal | None]
    curve: Curve
    basis: str

    def quality(self, value: Decimal) -> Decimal:
        """Return the quality of a value on the curve, from 0 (worst) to 1 (best)."""
        (low, at_low), *rest = self.curve
        if value <= low:
            return at_low
        for high, at_high in rest:
            if value <= high:
                return at_low + (at_high - at_low) * (value - low) / (high - low)
            low, at_low = high, at_high
        return at_low


def _build_curve(*points: tuple[str, str]) -> Curve:
    return tuple((Decimal(value), Decimal(quality)) for value, quality in points)


def _read_measure(key: str) -> Callable[[Values], Decimal | None]:
    return lambda values: values.get(key)


def _read_per_million_usd(key: str) -> Callable[[Values], Decimal | None]:
    def value(values: Values) -> Decimal | None:
        revenue, tonnes = values.get("revenue_usd"), values.get(key)
        if revenue is None or tonnes is None or revenue <= 0:
            return None
        return tonnes * MILLION / revenue

    return value


_FLAG = _build_curve(("0", "1"), ("1", "0"))
_GOOD_FLAG = _build_curve(("0", "0"), ("1", "1"))
_HALVING = "halving steps from a refinery's to an office's intensity"

INDICATORS: tuple[Indicator, ...] = (
    Indicator(
        id="direct_emissions",
        pillar="environmental",
        title="Scope 1 emissions per million USD of revenue",
        unit="tCO2e/USD m",
        weight=30,
        of=("ghg_scope1", "revenue_usd"),
        value=_read_per_million_usd("ghg_scope1"),
        curve=_build_curve(
            ("1", "1"),
            ("10", "0.8"),
            ("50", "0.6"),
            ("200", "0.4"),
            ("1000", "0.15"),
            ("5000", "0"),
        ),
        basis=_HALVING,
    ),
    Indicator(
        id="energy_emissions",
        pillar="environmental",
        title="Scope 2 emissions per million USD of revenue",
        unit="tCO2e/USD m",
        weight=15,
        of=("ghg_scope2", "revenue_usd"),
        value=_read_per_million_usd("ghg_scope2"),
        curve=_build_curve(
            ("1", "1"), ("10", "0.75"), ("50", "0.4"), ("200", "0.15"), ("1000", "0")
        ),
        basis=_HALVING,
    ),
    Indicator(
        id="environmental_compliance",
        pillar="environmental",
        title="Quarters in non-compliance, of 12, per facility",
        unit="quarters",
        weight=30,
        of=("noncompliance_quarters",),
        value=_read_measure("noncompliance_quarters"),
        curve=_build_curve(("0", "1"), ("1", "0.7"), ("4", "0.3"), ("12", "0")),
        basis="EPA ECHO counts the quarters of three years",
    ),
    Indicator(
        id="climate_target",
        pillar="environmental",
        title="Science-based climate target",
        unit="0 to 1",
        weight=25,
        of=("climate_target",),
        value=_read_measure("climate_target"),
        curve=_GOOD_FLAG,
        basis="set, committed or removed, as listed by the initiative",
    ),
    Indicator(
        id="injuries",
        pillar="social",
        title="Recordable injuries per 200,000 hours",
        unit="cases",
        weight=35,
        of=("injury_rate",),
        value=_read_measure("injury_rate"),
        curve=_build_curve(("0", "1"), ("1", "0.8"), ("2.4", "0.5"), ("5", "0.2"), ("10", "0")),
        basis="2.4 is the rate of all private industry in the United States in 2023 (BLS)",
    ),
    Indicator(
        id="work_safety",
        pillar="social",
        title="Serious violations per inspection",
        unit="violations",
        weight=20,
        of=("serious_violations",),
        value=_read_measure("serious_violations"),
        curve=_build_curve(("0", "1"), ("1", "0.5"), ("4", "0")),
        basis="one serious violation per inspection is the midpoint",
    ),
    Indicator(
        id="human_rights",
        pillar="social",
        title="Violations of UN Global Compact or OECD Guidelines",
        unit="0 or 1",
        weight=25,
        of=("ungc_violation",),
        value=_read_measure("ungc_violation"),
        curve=_FLAG,
        basis="SFDR indicator 10",
    ),
    Indicator(
        id="pay_gap",
        pillar="social",
        title="Unadjusted gender pay gap",
        unit="%",
        weight=20,
        of=("gender_pay_gap",),
        # a gap to either side is one
        value=lambda values: abs(values["gender_pay_gap"]) if "gender_pay_gap" in values else None,
        curve=_build_curve(("0", "1"), ("5", "0.8"), ("12", "0.5"), ("25", "0.1"), ("40", "0")),
        basis="12 % is about the EU average (Eurostat)",
    ),
    Indicator(
        id="board",
        pillar="governance",
        title="Women among board members",
        unit="%",
        weight=30,
        of=("board_female_share",),
        # a board of one sex only, whichever it is, is not mixed
        value=lambda values: (
            min(values["board_female_share"], 100 - values["board_female_share"])
            if "board_female_share" in values
            else None
        ),
        curve=_build_curve(("0", "0"), ("20", "0.4"), ("33", "0.75"), ("40", "1")),
        basis="33 % and 40 % are the goals of Directive (EU) 2022/2381",
    ),
    Indicator(
        id="owners",
        pillar="governance",
        title="Parents on record with GLEIF",
        unit="0 or 1",
        weight=25,
        of=("owner_disclosed",),
        value=_read_measure("owner_disclosed"),
        curve=_GOOD_FLAG,
        basis="reporting exceptions that hide an owner count as not disclosed",
    ),
    Indicator(
        id="reporting",
        pillar="governance",
        title="Days to the annual report",
        unit="days",
        weight=25,
        of=("annual_report_days",),
        value=_read_measure("annual_report_days"),
        curve=_build_curve(("60", "1"), ("90", "0.7"), ("120", "0.4"), ("365", "0")),
        basis="60 and 90 days are the SEC deadlines for large and small filers",
    ),
    Indicator(
        id="monitoring",
        pillar="governance",
        title="Process to monitor UN Global Compact and OECD Guidelines",
        unit="0 or 1",
        weight=20,
        of=("ungc_process_lacking",),
        value=_read_measure("ungc_process_lacking"),
        curve=_FLAG,
        basis="SFDR indicator 11",
    ),
)

# What is known of the country, one reference a pillar
COUNTRY_INDICATORS: tuple[Indicator, ...] = (
    Indicator(
        id="country_emissions",
        pillar="environmental",
        title="Carbon dioxide per inhabitant",
        unit="t",
        weight=100,
        of=("country_co2_per_capita",),
        value=_read_measure("country_co2_per_capita"),
        curve=_build_curve(("1", "1"), ("4.7", "0.5"), ("10", "0.2"), ("20", "0")),
        basis="4.7 t is about the world mean",
    ),
    Indicator(
        id="country_people",
        pillar="social",
        title="Human Capital Index",
        unit="0 to 1",
        weight=100,
        of=("country_human_capital",),
        value=_read_measure("country_human_capital"),
        curve=_build_curve(("0.3", "0"), ("0.56", "0.5"), ("0.85", "1")),
        basis="0.56 is the world mean in 2020 (World Bank)",
    ),
    Indicator(
        id="country_law",
        pillar="governance",
        title="Rule of law",
        unit="-2.5 to 2.5",
        weight=100,
        of=("country_rule_of_law",),
        value=_read_measure("country_rule_of_law"),
        curve=_build_curve(("-2", "0"), ("0", "0.5"), ("2", "1")),
        basis="0 is the world mean by construction",
    ),
)
