"""The 18 indicators as one table, their thresholds, and how a report is judged. Pure.

Names and numbers are the regulation's (Delegated Regulation (EU) 2022/1288, Annex I, Table 1). It
sets no thresholds: those here are ours, and part of the version. DESIGN.md section 4, 2.8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.sfdr.rules import formulas, places
from apps.sfdr.rules.formulas import NOTHING_CONCERNED, Formula, Outcome
from apps.sfdr.rules.holdings import Block, Holding
from apps.sfdr.rules.quarters import averaged

Status = Literal["WITHIN_THRESHOLD", "REVIEW", "ELEVATED_RISK", "DATA_REQUIRED", "NOT_APPLICABLE"]
Overall = Literal["ELEVATED_RISK", "REVIEW", "WITHIN_THRESHOLD"]

# Raised whenever a threshold or a formula changes; part of every report.
VERSION = "2026-11.3"
ENOUGH = Decimal(50)  # percent of the value below which an indicator needs data
WHOLE = Decimal(100)
LEGAL_BASIS = (
    "Regulation (EU) 2019/2088 Art. 4 and Delegated Regulation (EU) 2022/1288, Annex I, Table 1"
)
LEGAL_AS_OF = "2026-11-20"
LEGAL_NOTE = (
    "The Commission proposed on 2025-11-20 to end disclosures at the level of the entity; "
    "until that is law, these indicators are in force. The thresholds are not the regulation's."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator:
    """One indicator; above `review` a person looks, above `elevated` the risk is elevated.

    With `low` the adverse side is below. A threshold itself is still on the better side. What is
    `absolute` is a sum, and no ratio; what is `of_all` is a ratio to all investments.
    """

    id: int
    block: Block
    group: str
    name: str
    metric: str
    unit: str
    formula: Formula
    review: Decimal
    elevated: Decimal
    low: bool = False
    needs_values: bool = False
    absolute: bool = False
    of_all: bool = False

    @property
    def annex(self) -> str:
        """The official reference."""
        return f"Annex I, Table 1, indicator {self.id} ({self.group})"


def _row(  # one line a row of the table below
    number: int, block: Block, group: str, name: str, metric: str, unit: str, formula: Formula,
    review: str, elevated: str, **more: bool,
) -> Indicator:  # fmt: skip
    return Indicator(
        id=number, block=block, group=group, name=name, metric=metric, unit=unit, formula=formula,
        review=Decimal(review), elevated=Decimal(elevated), **more,
    )  # fmt: skip


_C: Block = "COMPANY"
_S: Block = "SOVEREIGN"
_R: Block = "REAL_ESTATE"
_GHG, _SOC = "greenhouse gas emissions", "social and employee matters"
_OF_ALL = "share of investments"

INDICATORS: tuple[Indicator, ...] = (
    _row(1, _C, _GHG, "GHG emissions", "scope 1, 2, 3 and total that the investments finance",
         "tCO2e", formulas.emissions, "100000", "1000000", needs_values=True, absolute=True),
    _row(2, _C, _GHG, "Carbon footprint", "per million EUR of all investments", "tCO2e/EUR m",
         formulas.footprint, "100", "250", needs_values=True, of_all=True),
    _row(3, _C, _GHG, "GHG intensity of investee companies",
         "per million EUR of revenue; by shares of all investments", "tCO2e/EUR m",
         formulas.intensity, "150", "500", of_all=True),
    _row(4, _C, _GHG, "Exposure to companies active in the fossil fuel sector", _OF_ALL, "%",
         formulas.share("fossil_fuel_active"), "5", "20"),
    _row(5, _C, _GHG, "Share of non-renewable energy consumption and production",
         "weighted average of companies", "%",
         formulas.mean(lambda one: one.get("nonrenewable_energy_share"),
                       ("nonrenewable_energy_share",)), "60", "90"),
    _row(6, _C, _GHG, "Energy consumption intensity per high impact climate sector",
         "per million EUR of revenue; the highest of the sectors", "GWh/EUR m",
         formulas.energy_by_sector, "1", "5"),
    _row(7, _C, "biodiversity", "Activities negatively affecting biodiversity-sensitive areas",
         _OF_ALL, "%", formulas.share("sensitive_area_impact"), "0", "5"),
    _row(8, _C, "water", "Emissions to water", "per million EUR invested", "t/EUR m",
         formulas.per_million("water_emissions_t"), "1", "10", needs_values=True),
    _row(9, _C, "waste", "Hazardous waste and radioactive waste ratio",
         "per million EUR invested", "t/EUR m", formulas.per_million("hazardous_waste_t"),
         "1", "10", needs_values=True),
    _row(10, _C, _SOC, "Violations of UN Global Compact principles and OECD Guidelines", _OF_ALL,
         "%", formulas.share("ungc_violation"), "0", "5"),
    _row(11, _C, _SOC, "Lack of processes to monitor compliance with UN Global Compact and OECD "
         "Guidelines", _OF_ALL, "%", formulas.share("ungc_process_lacking"), "25", "50"),
    _row(12, _C, _SOC, "Unadjusted gender pay gap", "average of companies", "%",
         formulas.mean(lambda one: one.get("gender_pay_gap"), ("gender_pay_gap",)), "10", "20"),
    _row(13, _C, _SOC, "Board gender diversity", "average share of women among board members",
         "%", formulas.mean(lambda one: one.get("board_female_share"), ("board_female_share",)),
         "33", "20", low=True),
    _row(14, _C, _SOC, "Exposure to controversial weapons", _OF_ALL, "%",
         formulas.share("controversial_weapons"), "0", "0"),
    _row(15, _S, "sovereigns", "GHG intensity of investee countries",
         "per million EUR of GDP; by shares of all investments", "tCO2e/EUR m",
         places.country_intensity, "300", "600", of_all=True),
    _row(16, _S, "sovereigns", "Investee countries subject to social violations",
         "share and number of countries", "%", places.countries_in_violation, "0", "10"),
    _row(17, _R, "real estate", "Exposure to fossil fuels through real estate assets", _OF_ALL,
         "%", formulas.share("fossil_fuel_property"), "0", "10"),
    _row(18, _R, "real estate", "Exposure to energy-inefficient real estate assets",
         "share of what must keep EPC and NZEB rules", "%", places.inefficient, "50", "80"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StatusRule:
    """One row of the table of statuses; the first that holds decides."""

    code: str
    status: Status
    title: str


STATUS_RULES: tuple[StatusRule, ...] = (
    StatusRule("PAI-1", "NOT_APPLICABLE", "The portfolio holds nothing of this kind."),
    StatusRule(
        "PAI-7",
        "ELEVATED_RISK",
        f"Inputs are held for less than {ENOUGH} % of the value, and what they come to lies beyond "
        "the second threshold whatever the others are.",
    ),
    StatusRule("PAI-2", "DATA_REQUIRED", f"Inputs are held for less than {ENOUGH} % of the value."),
    StatusRule("PAI-3", "ELEVATED_RISK", "The value lies beyond the second threshold."),
    StatusRule("PAI-4", "REVIEW", "The value lies beyond the first threshold."),
    StatusRule("PAI-5", "REVIEW", "Some inputs are missing: what is held lies within."),
    StatusRule("PAI-6", "WITHIN_THRESHOLD", "All inputs are held and the value lies within."),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One indicator of a portfolio with its status and the rule that decided.

    `quarters` has the outcome of each quarter of which `outcome` is the mean; of one day, that one.
    """

    indicator: Indicator
    outcome: Outcome
    rule: StatusRule
    quarters: tuple[Outcome, ...] = ()

    @property
    def status(self) -> Status:
        """How it stands."""
        return self.rule.status

    @property
    def computed(self) -> bool:
        """Whether it has a value that counts."""
        return self.status not in ("DATA_REQUIRED", "NOT_APPLICABLE")


def judge(holdings: Sequence[Holding]) -> tuple[Judged, ...]:
    """Return all 18 indicators of a portfolio on one day, in order."""
    return judge_quarters([holdings])


def judge_quarters(quarters: Sequence[Sequence[Holding]]) -> tuple[Judged, ...]:
    """Return all 18 indicators, each the mean of its quarters, in order."""
    return tuple(_judged(one, quarters) for one in INDICATORS)


def _judged(one: Indicator, quarters: Sequence[Sequence[Holding]]) -> Judged:
    outcomes = tuple(_outcome(one, holdings) for holdings in quarters)
    mean = averaged(outcomes, absolute=one.absolute)
    return Judged(one, mean, status_of(one, mean), outcomes)


def _outcome(one: Indicator, holdings: Sequence[Holding]) -> Outcome:
    mine = [held for held in holdings if held.block == one.block]
    if not mine:
        return NOTHING_CONCERNED
    others = formulas.invested(held for held in holdings if held.block != one.block)
    found = one.formula(mine)
    return formulas.of_all_investments(found, others) if one.of_all else found


def status_of(one: Indicator, outcome: Outcome) -> StatusRule:
    """Return which rule decides on the outcome of an indicator."""
    if not outcome.applies:
        return _rule("PAI-1")
    if outcome.value is None or outcome.covered < ENOUGH:
        return _rule("PAI-7" if _certain(one, outcome.least) else "PAI-2")
    if _beyond(one, outcome.value, one.elevated):
        return _rule("PAI-3")
    if _beyond(one, outcome.value, one.review):
        return _rule("PAI-4")
    return _rule("PAI-5" if outcome.covered < WHOLE else "PAI-6")


def _beyond(one: Indicator, value: Decimal, bound: Decimal) -> bool:
    return value < bound if one.low else value > bound


def _certain(one: Indicator, least: Decimal | None) -> bool:
    """Tell whether the risk is elevated whatever the missing inputs are."""
    return least is not None and not one.low and _beyond(one, least, one.elevated)


def _rule(code: str) -> StatusRule:
    return next(one for one in STATUS_RULES if one.code == code)


def overall(judged: Sequence[Judged]) -> Overall:
    """Return how a report stands as a whole (DESIGN.md section 4, 2.8)."""
    statuses = {one.status for one in judged}
    if "ELEVATED_RISK" in statuses:
        return "ELEVATED_RISK"
    return "REVIEW" if statuses & {"REVIEW", "DATA_REQUIRED"} else "WITHIN_THRESHOLD"
