"""The 18 indicators as one table, their thresholds, and how a report is judged. Pure.

Names and numbers are the regulation's (Delegated Regulation (EU) 2022/1288, Annex I, Table 1). It
sets no thresholds: those here are ours, and part of the version. DESIGN.md section 4, 2.8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.insight.esg.sfdr.rules import country_property_formulas, formulas
from apps.insight.esg.sfdr.rules.formulas import NOTHING_CONCERNED, Formula, IndicatorOutcome
from apps.insight.esg.sfdr.rules.holdings import Block, Holding
from apps.insight.esg.sfdr.rules.quarters import average_outcomes

Status = Literal["WITHIN_THRESHOLD", "REVIEW", "ELEVATED_RISK", "DATA_REQUIRED", "NOT_APPLICABLE"]
Overall = Literal["ELEVATED_RISK", "REVIEW", "WITHIN_THRESHOLD"]

# Raised whenever a threshold or a formula changes; part of every report.
VERSION = "2026-11.3"
# covered percent of the value, below which an indicator needs data
ENOUGH = Decimal(50)
WHOLE = Decimal(100)
LEGAL_BASIS = (
    "Regulation (EU) 2019/2088 Art. 4 and Delegated Regulation (EU) 2022/1288, Annex I, Table 1"
)
LEGAL_AS_OF = "2026-11-20"
LEGAL_NOTE = (
    "On 2025-11-20 the Commission proposed to end entity-level disclosures; until that is law, "
    "these indicators are in force. The thresholds are not the regulation's."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator:
    """One indicator: above `review` a person reviews it, above `elevated` the risk is elevated.

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


def _build_indicator(  # one line a row of the table below
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
    _build_indicator(
        1,
        _C,
        _GHG,
        "GHG emissions",
        "financed scope 1, 2, 3 and total emissions",
        "tCO2e",
        formulas.financed_emissions,
        "100000",
        "1000000",
        needs_values=True,
        absolute=True,
    ),
    _build_indicator(
        2,
        _C,
        _GHG,
        "Carbon footprint",
        "per million EUR of all investments",
        "tCO2e/EUR m",
        formulas.carbon_footprint,
        "100",
        "250",
        needs_values=True,
        of_all=True,
    ),
    _build_indicator(
        3,
        _C,
        _GHG,
        "GHG intensity of investee companies",
        "per million EUR of revenue, weighted by share of all investments",
        "tCO2e/EUR m",
        formulas.ghg_intensity,
        "150",
        "500",
        of_all=True,
    ),
    _build_indicator(
        4,
        _C,
        _GHG,
        "Exposure to companies active in the fossil fuel sector",
        _OF_ALL,
        "%",
        formulas.flagged_share("fossil_fuel_active"),
        "5",
        "20",
    ),
    _build_indicator(
        5,
        _C,
        _GHG,
        "Share of non-renewable energy consumption and production",
        "weighted average of companies",
        "%",
        formulas.weighted_mean(
            lambda holding: holding.get("nonrenewable_energy_share"), ("nonrenewable_energy_share",)
        ),
        "60",
        "90",
    ),
    _build_indicator(
        6,
        _C,
        _GHG,
        "Energy consumption intensity per high impact climate sector",
        "per million EUR of revenue; the highest of the sectors",
        "GWh/EUR m",
        formulas.energy_by_sector,
        "1",
        "5",
    ),
    _build_indicator(
        7,
        _C,
        "biodiversity",
        "Activities negatively affecting biodiversity-sensitive areas",
        _OF_ALL,
        "%",
        formulas.flagged_share("sensitive_area_impact"),
        "0",
        "5",
    ),
    _build_indicator(
        8,
        _C,
        "water",
        "Emissions to water",
        "per million EUR invested",
        "t/EUR m",
        formulas.tonnes_per_million_invested("water_emissions_t"),
        "1",
        "10",
        needs_values=True,
    ),
    _build_indicator(
        9,
        _C,
        "waste",
        "Hazardous waste and radioactive waste ratio",
        "per million EUR invested",
        "t/EUR m",
        formulas.tonnes_per_million_invested("hazardous_waste_t"),
        "1",
        "10",
        needs_values=True,
    ),
    _build_indicator(
        10,
        _C,
        _SOC,
        "Violations of UN Global Compact principles and OECD Guidelines",
        _OF_ALL,
        "%",
        formulas.flagged_share("ungc_violation"),
        "0",
        "5",
    ),
    _build_indicator(
        11,
        _C,
        _SOC,
        "Lack of processes to monitor compliance with UN Global Compact and OECD Guidelines",
        _OF_ALL,
        "%",
        formulas.flagged_share("ungc_process_lacking"),
        "25",
        "50",
    ),
    _build_indicator(
        12,
        _C,
        _SOC,
        "Unadjusted gender pay gap",
        "average of companies",
        "%",
        formulas.weighted_mean(lambda holding: holding.get("gender_pay_gap"), ("gender_pay_gap",)),
        "10",
        "20",
    ),
    _build_indicator(
        13,
        _C,
        _SOC,
        "Board gender diversity",
        "average share of women among board members",
        "%",
        formulas.weighted_mean(
            lambda holding: holding.get("board_female_share"), ("board_female_share",)
        ),
        "33",
        "20",
        low=True,
    ),
    _build_indicator(
        14,
        _C,
        _SOC,
        "Exposure to controversial weapons",
        _OF_ALL,
        "%",
        formulas.flagged_share("controversial_weapons"),
        "0",
        "0",
    ),
    _build_indicator(
        15,
        _S,
        "sovereigns",
        "GHG intensity of investee countries",
        "per million EUR of GDP, weighted by share of all investments",
        "tCO2e/EUR m",
        country_property_formulas.country_intensity,
        "300",
        "600",
        of_all=True,
    ),
    _build_indicator(
        16,
        _S,
        "sovereigns",
        "Investee countries subject to social violations",
        "share and number of countries",
        "%",
        country_property_formulas.share_of_violating_countries,
        "0",
        "10",
    ),
    _build_indicator(
        17,
        _R,
        "real estate",
        "Exposure to fossil fuels through real estate assets",
        _OF_ALL,
        "%",
        formulas.flagged_share("fossil_fuel_property"),
        "0",
        "10",
    ),
    _build_indicator(
        18,
        _R,
        "real estate",
        "Exposure to energy-inefficient real estate assets",
        "share of assets subject to EPC and NZEB rules",
        "%",
        country_property_formulas.inefficient_property_share,
        "50",
        "80",
    ),
)


@dataclass(frozen=True, slots=True)
class StatusRule:
    """One row of the table of statuses; the first that holds decides."""

    code: str
    status: Status
    title: str


STATUS_RULES: tuple[StatusRule, ...] = (
    StatusRule("PAI-1", "NOT_APPLICABLE", "The portfolio has no holdings of this kind."),
    StatusRule(
        "PAI-7",
        "ELEVATED_RISK",
        f"Inputs are held for less than {ENOUGH} % of the value, and they alone put the "
        "indicator beyond the second threshold.",
    ),
    StatusRule("PAI-2", "DATA_REQUIRED", f"Inputs are held for less than {ENOUGH} % of the value."),
    StatusRule("PAI-3", "ELEVATED_RISK", "The value is beyond the second threshold."),
    StatusRule("PAI-4", "REVIEW", "The value is beyond the first threshold."),
    StatusRule(
        "PAI-5",
        "REVIEW",
        "Some inputs are missing; the value of the rest is within the thresholds.",
    ),
    StatusRule(
        "PAI-6", "WITHIN_THRESHOLD", "All inputs are held and the value is within the thresholds."
    ),
)


@dataclass(frozen=True, slots=True)
class JudgedIndicator:
    """One indicator of a portfolio with its status and the rule that decided.

    `quarters` has the outcome of each quarter of which `outcome` is the mean; of one day, that one.
    """

    indicator: Indicator
    outcome: IndicatorOutcome
    rule: StatusRule
    quarters: tuple[IndicatorOutcome, ...] = ()

    @property
    def status(self) -> Status:
        """The status of the indicator."""
        return self.rule.status

    @property
    def computed(self) -> bool:
        """Whether it has a value that counts."""
        return self.status not in ("DATA_REQUIRED", "NOT_APPLICABLE")


def judge_quarters(quarters: Sequence[Sequence[Holding]]) -> tuple[JudgedIndicator, ...]:
    """Return all 18 indicators, each the mean of its quarters, in order."""
    return tuple(_judge_indicator(indicator, quarters) for indicator in INDICATORS)


def _judge_indicator(
    indicator: Indicator, quarters: Sequence[Sequence[Holding]]
) -> JudgedIndicator:
    outcomes = tuple(_compute_outcome(indicator, holdings) for holdings in quarters)
    mean = average_outcomes(outcomes, absolute=indicator.absolute)
    return JudgedIndicator(indicator, mean, status_rule_of_outcome(indicator, mean), outcomes)


def _compute_outcome(indicator: Indicator, holdings: Sequence[Holding]) -> IndicatorOutcome:
    mine = [holding for holding in holdings if holding.block == indicator.block]
    if not mine:
        return NOTHING_CONCERNED
    others = formulas.sum_invested(
        holding for holding in holdings if holding.block != indicator.block
    )
    indicator_outcome = indicator.formula(mine)
    return (
        formulas.scale_to_all_investments(indicator_outcome, others)
        if indicator.of_all
        else indicator_outcome
    )


def status_rule_of_outcome(indicator: Indicator, outcome: IndicatorOutcome) -> StatusRule:
    """Return which rule decides on the outcome of an indicator."""
    if not outcome.applies:
        return _status_rule_of_code("PAI-1")
    if outcome.value is None or outcome.covered < ENOUGH:
        # beyond the bound already, whatever the missing inputs are
        is_certainly_elevated = (
            outcome.least is not None
            and not indicator.low
            and _is_beyond_threshold(indicator, outcome.least, indicator.elevated)
        )
        return _status_rule_of_code("PAI-7" if is_certainly_elevated else "PAI-2")
    if _is_beyond_threshold(indicator, outcome.value, indicator.elevated):
        return _status_rule_of_code("PAI-3")
    if _is_beyond_threshold(indicator, outcome.value, indicator.review):
        return _status_rule_of_code("PAI-4")
    return _status_rule_of_code("PAI-5" if outcome.covered < WHOLE else "PAI-6")


def _is_beyond_threshold(indicator: Indicator, value: Decimal, bound: Decimal) -> bool:
    return value < bound if indicator.low else value > bound


def _status_rule_of_code(code: str) -> StatusRule:
    return next(status_rule for status_rule in STATUS_RULES if status_rule.code == code)


def overall_status(judged: Sequence[JudgedIndicator]) -> Overall:
    """Return the status of a report as a whole (DESIGN.md section 4, 2.8)."""
    statuses = {judged_indicator.status for judged_indicator in judged}
    if "ELEVATED_RISK" in statuses:
        return "ELEVATED_RISK"
    # missing data is for a person to review, never a pass
    return "REVIEW" if statuses & {"REVIEW", "DATA_REQUIRED"} else "WITHIN_THRESHOLD"
