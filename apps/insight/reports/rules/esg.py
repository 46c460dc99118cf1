"""What follows for the ESG report of an entity: pillars, impacts, sustainability data. Pure.

Document 2 section 4: PAI indicators, ESG sub-scores, CSRD data.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from apps.insight.esg.rules.indicators import PILLARS
from apps.insight.reports.rules.band_findings import Band, build_band_rules
from apps.insight.reports.rules.charts import BarRow, Chart, ShareRow
from apps.insight.reports.rules.conditions import Equals, NoneOf, build_row_rule, build_value_rule
from apps.insight.reports.rules.findings import Data, Rule
from apps.insight.reports.rules.report_data import (
    format_code,
    format_number,
    list_at_path,
    value_at_path,
)
from apps.platform.common.bounds import Bounds
from apps.platform.common.counts import format_count
from apps.reference.lei.rules.registration import IN_FORCE

SCORE, PAI, ART = "1 §2.5", "1 §2.8", "3 §2.4"
CSRD = "Delegated Regulation (EU) 2023/2772"
WEAK_BELOW = 40  # points of a pillar
WEAK = Bounds(below=WEAK_BELOW)
# per cent of the pillars, one whole pillar, that needs evidence for a level to be assigned
ENOUGH_EVIDENCE = Bounds(least=100 / 3)
ASSESSED = "evidence about the entity covers a third or more of the pillars"
UNASSESSED = "evidence about the entity covers less than a third of the pillars"
IMPACTS_PATH = "entity.sfdr.paiIndicators"
STATUSES = ("WITHIN_THRESHOLD", "REVIEW", "ELEVATED_RISK", "DATA_REQUIRED", "NOT_APPLICABLE")

# measure -> the disclosure of the European standards (ESRS) that asks for it
DISCLOSURES: Mapping[str, str] = {
    "ghg_scope1": "E1-6",
    "ghg_scope2": "E1-6",
    "ghg_scope3": "E1-6",
    "climate_target": "E1-4",
    "nonrenewable_energy_share": "E1-5",
    "water_emissions_t": "E2-4",
    "sensitive_area_impact": "E4-5",
    "hazardous_waste_t": "E5-5",
    "injury_rate": "S1-14",
    "gender_pay_gap": "S1-16",
    "ungc_violation": "S1-17",
    "board_female_share": "ESRS 2 GOV-1",
    "fossil_fuel_active": "ESRS 2 SBM-1",
    "controversial_weapons": "ESRS 2 SBM-1",
    "revenue_eur": "ESRS 2 SBM-1",
}


def evidence_coverage_pct(data: Data) -> float:
    """Return how much of the pillars is evidence about the entity, per cent of all three."""
    rows = list_at_path(data, "entity.pillars")
    return sum(float(row["coveredPercent"]) for row in rows) / len(rows) if rows else 0.0


def _find_unassessed_score(data: Data) -> Iterator[str]:
    part = evidence_coverage_pct(data)
    if not ENOUGH_EVIDENCE.holds(part):
        yield (
            f"The score of {value_at_path(data, 'entity.score.composite')} is based on evidence "
            f"about the entity for only {format_number(part)} %; the rest is the mean of its "
            "country, so no level is assigned."
        )


def _require_assessment(rule: Rule) -> Rule:
    """Return a rule that applies only if enough evidence is about the entity itself."""

    def finds(data: Data) -> Iterable[str]:
        # most of such a score is the mean of the country, which says nothing about this entity
        data_if_assessed = data if ENOUGH_EVIDENCE.holds(evidence_coverage_pct(data)) else {}
        return rule.finds(data_if_assessed)

    return replace(rule, finds=finds)


def _say_esg_score(data: Data, composite: float) -> str:
    three = ", ".join(f"{name} {value_at_path(data, f'entity.score.{name}')}" for name in PILLARS)
    tier = format_code(value_at_path(data, "entity.score.feeTier"))
    return f"The ESG score is {format_number(composite)} of 100 ({tier}): {three}."


def _find_weak_pillars(data: Data) -> Iterator[str]:
    own = {
        pillar["pillar"]
        for pillar in list_at_path(data, "entity.pillars")
        # a weak country is no finding about an entity of which nothing is known
        if pillar["restsOn"] != "COUNTRY"
    }
    for name in PILLARS:
        value = value_at_path(data, f"entity.score.{name}")
        if WEAK.holds(value) and name in own:
            yield f"The {name} pillar is weak: {value} of 100, {WEAK}."


def indicators_with_status(data: Data, status: str) -> list[Mapping[str, object]]:
    """Return the indicators that have a status."""
    return [
        indicator for indicator in list_at_path(data, IMPACTS_PATH) if indicator["status"] == status
    ]


def _say_elevated_indicator(data: Data, indicator: Mapping[str, object]) -> str:
    return f"{_say_indicator(indicator)}: elevated."


def _say_review_indicator(data: Data, indicator: Mapping[str, object]) -> str:
    return f"{_say_indicator(indicator)}: review."


def _say_indicator(indicator: Mapping[str, object]) -> str:
    return (
        f"Indicator {indicator['id']}, {indicator['name']}, is {indicator['value']} "
        f"{indicator['unit']}"
    )


def _find_missing_indicators(data: Data) -> Iterator[str]:
    lacking = indicators_with_status(data, "DATA_REQUIRED")
    if lacking:
        numbers = ", ".join(str(indicator["id"]) for indicator in lacking)
        yield (
            f"{format_count(len(lacking), 'indicator')} of "
            f"{len(list_at_path(data, IMPACTS_PATH))} cannot be computed from the data held: "
            f"{numbers}."
        )


def _find_failed_articles(data: Data) -> Iterator[str]:
    for article in (8, 9):
        failing = [
            failure
            for failure in list_at_path(data, "entity.sfdr.failing")
            if failure["article"] == article
        ]
        if failing:
            yield (
                f"Article {article} of SFDR is not met. "
                f"{format_count(len(failing), 'condition')} of it "
                f"{'fails' if len(failing) == 1 else 'fail'}: "
                + "; ".join(
                    f"not met: {str(failure['condition']).rstrip('.')}" for failure in failing
                )
                + f". The composite is {value_at_path(data, 'entity.score.composite')}."
            )


def _say_lei_status(data: Data, status: str | None) -> str:
    points = value_at_path(data, "entity.leiPoints")
    return (
        f"The LEI is {format_code(str(status))}, not in force: {format_number(abs(points or 0))} "
        "points are deducted from governance."
    )


def _find_country_pillars(data: Data) -> Iterator[str]:
    rest = [
        pillar for pillar in list_at_path(data, "entity.pillars") if pillar["restsOn"] == "COUNTRY"
    ]
    if rest:
        named = " and ".join(str(pillar["pillar"]) for pillar in rest)
        yield (
            f"{format_count(len(rest), 'pillar')} of 3 use the mean of the country and say little "
            f"about the entity: {named}."
        )


def _find_missing_disclosures(data: Data) -> Iterator[str]:
    rows = list_at_path(data, "entity.csrd")
    disclosed = [row for row in rows if row["value"] is not None]
    if len(disclosed) < len(rows):
        many = len({row["disclosure"] for row in rows})
        yield (
            f"Of {len(rows)} data points of {many} disclosures of "
            f"sustainability reporting {len(disclosed)} {_is_or_are(len(disclosed))} on record."
        )


RULES: tuple[Rule, ...] = (
    *map(_require_assessment, build_band_rules(
        (
            Band(least=0, code="POOR", level="HIGH",
                 advice="Ask the entity for an improvement plan before extending business."),
            Band(least=30, code="BELOW", level="ELEVATED",
                 advice="Engage with the entity on its weakest pillar."),
            Band(least=50, code="AVERAGE", level="MODERATE"),
            Band(least=70, code="GOOD", level="LOW"),
        ),
        code="ESG-SCORE", ref=SCORE, weight=95, path="entity.score.composite",
        title=f"{ASSESSED}, and the composite",
        say=_say_esg_score,
    )),
    Rule(code="ESG-UNASSESSED", ref=SCORE, level="MODERATE", weight=95,
         condition=UNASSESSED, finds=_find_unassessed_score,
         advice="Ask the entity for its own figures: most of those used are its country's."),
    build_row_rule(
        code="ESG-PAI-ELEVATED", ref=PAI, level="ELEVATED", weight=90,
        title="an indicator's status", rows=IMPACTS_PATH, field="status",
        condition=Equals("ELEVATED_RISK"), say=_say_elevated_indicator,
        advice="Include elevated adverse impacts in the statement, with the actions taken.",
    ),
    build_value_rule(
        code="ESG-LEI", ref=SCORE, level="ELEVATED", weight=85, title="the LEI",
        value="entity.leiStatus", condition=NoneOf(IN_FORCE), say=_say_lei_status,
        advice="Have the entity renew its LEI.",
    ),
    build_row_rule(
        code="ESG-PAI-REVIEW", ref=PAI, level="MODERATE", weight=70,
        title="an indicator's status", rows=IMPACTS_PATH, field="status",
        condition=Equals("REVIEW"), say=_say_review_indicator,
    ),
    Rule(code="ESG-PILLAR", ref=SCORE, level="MODERATE", weight=60,
         condition=f"a pillar based on evidence about the entity is {WEAK}",
         finds=_find_weak_pillars),
    Rule(code="ESG-ARTICLES", ref=ART, level="MODERATE", weight=50,
         condition="a condition of Article 8 or 9 is not met", finds=_find_failed_articles),
    Rule(code="ESG-PAI-LACKING", ref=PAI, level="MODERATE", weight=45,
         condition="an indicator's status is DATA_REQUIRED", finds=_find_missing_indicators,
         advice="Ask the entity for the data of the missing indicators; nothing is imputed."),
    Rule(code="ESG-COUNTRY", ref=SCORE, level="MODERATE", weight=40,
         condition="a pillar is based on its country's reference",
         finds=_find_country_pillars),
    Rule(code="ESG-CSRD", ref=CSRD, level="LOW", weight=30,
         condition="a disclosure of the table is not on record", finds=_find_missing_disclosures),
)  # fmt: skip


def esg_headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    apply = [
        indicator
        for indicator in list_at_path(data, IMPACTS_PATH)
        if indicator["status"] != "NOT_APPLICABLE"
    ]
    known = [indicator for indicator in apply if indicator["status"] != "DATA_REQUIRED"]
    return (
        f"ESG score {value_at_path(data, 'entity.score.composite')} of 100, {len(known)} of "
        f"{len(apply)} applicable adverse impacts are known."
    )


def describe_esg_scores(data: Data) -> str:
    """Describe the pillars and their evidence."""
    parts = [
        f"{pillar['pillar']} {pillar['score']} of 100 ({pillar['coveredPercent']} % evidence "
        "about the entity)"
        for pillar in list_at_path(data, "entity.pillars")
    ]
    return (
        f"{value_at_path(data, 'entity.name')} scores "
        f"{value_at_path(data, 'entity.score.composite')} of 100: {', '.join(parts)}. Its "
        "settlements carry an ESG fee of "
        f"{format_number(100 * value_at_path(data, 'entity.score.feeSurcharge'), 3)} per cent."
    )


def describe_adverse_impacts(data: Data) -> str:
    """Describe the adverse impacts by status."""
    parts = [
        f"{len(with_status)} {format_code(status)}"
        for status in STATUSES
        if (with_status := indicators_with_status(data, status))
    ]
    return (
        f"Of the {len(list_at_path(data, IMPACTS_PATH))} indicators of Delegated Regulation "
        f"(EU) 2022/1288, Annex I, Table 1: {', '.join(parts)}."
    )


def describe_disclosures(data: Data) -> str:
    """Describe the data on record for sustainability disclosures."""
    disclosed = [
        disclosure
        for disclosure in list_at_path(data, "entity.csrd")
        if disclosure["value"] is not None
    ]
    text = "; ".join(
        f"{disclosure['title']}: {_format_measure_value(disclosure)} "
        f"({disclosure['disclosure']}, {disclosure['period']})"
        for disclosure in disclosed
    )
    return (
        f"{len(disclosed)} of {len(list_at_path(data, 'entity.csrd'))} data points "
        f"{_is_or_are(len(disclosed))} on record{': ' + text if text else ''}."
    )


def _is_or_are(n: int) -> str:
    return "is" if n == 1 else "are"


def _format_measure_value(measure: Mapping[str, Any]) -> str:
    """Return a figure as text; flags of 0 or 1 as no or yes."""
    if measure["unit"] == "0 or 1":
        return "1, yes" if measure["value"] else "0, no"
    return f"{format_number(measure['value'], 2)} {measure['unit']}"


def pillar_bars(data: Data) -> Iterator[BarRow]:
    """Yield the composite and its pillars."""
    for name in ("composite", *PILLARS):
        value = value_at_path(data, f"entity.score.{name}")
        yield name.capitalize(), value, f"{value} of 100"


def indicator_status_shares(data: Data) -> Iterator[ShareRow]:
    """Yield the number of indicators by status."""
    rows = list_at_path(data, IMPACTS_PATH)
    if rows:
        yield (
            "Indicators",
            [
                (format_code(status), len(indicators_with_status(data, status)) / len(rows))
                for status in STATUSES
            ],
        )


CHARTS: tuple[Chart, ...] = (
    Chart(
        title="Score and pillars",
        bars=pillar_bars,
        low=0,
        high=100,
        mark=(WEAK_BELOW, f"{WEAK_BELOW}: weak below"),
    ),
    Chart(title="Adverse impacts", shares=indicator_status_shares),
)
