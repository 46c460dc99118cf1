"""What follows for the ESG report of an entity: pillars, impacts, sustainability data. Pure.

Document 2 section 4: PAI indicators, ESG sub-scores, CSRD data.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from apps.reports.rules.bands import Band, banded
from apps.reports.rules.bounds import Bounds, Differs, Equals, compare, compare_each
from apps.reports.rules.charts import Chart, Row, Shares
from apps.reports.rules.findings import Data, Rule
from apps.reports.rules.reading import at, count, listed, num, words

SCORE, PAI, ART = "1 §2.5", "1 §2.8", "3 §2.4"
CSRD = "Delegated Regulation (EU) 2023/2772"
WEAK_BELOW = 40  # points of a pillar
WEAK = Bounds(below=WEAK_BELOW)
# per cent of the pillars: one whole pillar of evidence, for a level to follow
ENOUGH = Bounds(least=100 / 3)
ASSESSED = "a third or more of the pillars is evidence about the entity"
UNASSESSED = "less than a third of the pillars is evidence about the entity"
IMPACTS = "entity.sfdr.paiIndicators"
PILLARS = ("environmental", "social", "governance")
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


def covered(data: Data) -> float:
    """Return how much of the pillars is evidence about the entity, per cent of all three."""
    rows = listed(data, "entity.pillars")
    return sum(float(one["coveredPercent"]) for one in rows) / len(rows) if rows else 0.0


def _assessed(data: Data) -> Data:
    """Return the data where evidence about the entity bears its score, else none of them."""
    return data if ENOUGH.holds(covered(data)) else {}


def _unassessed(data: Data) -> Iterator[str]:
    part = covered(data)
    if not ENOUGH.holds(part):
        yield (
            f"The score of {at(data, 'entity.score.composite')} rests on evidence about the entity "
            f"for {num(part)} % only: the rest is the mean of its country, and no level follows."
        )


def _of_the_entity(rule: Rule) -> Rule:
    """Return a rule that holds only where evidence about the entity bears its score."""

    def finds(data: Data) -> Iterable[str]:
        return rule.finds(_assessed(data))

    return replace(rule, finds=finds)


def _score(data: Data, composite: float) -> str:
    three = ", ".join(f"{name} {at(data, f'entity.score.{name}')}" for name in PILLARS)
    tier = words(at(data, "entity.score.feeTier"))
    return f"The ESG score is {num(composite)} of 100 ({tier}): {three}."


def _pillars(data: Data) -> Iterator[str]:
    own = {one["pillar"] for one in listed(data, "entity.pillars") if one["restsOn"] != "COUNTRY"}
    for name in PILLARS:
        value = at(data, f"entity.score.{name}")
        if WEAK.holds(value) and name in own:
            yield f"The {name} pillar is weak: {value} of 100, {WEAK}."


def indicators(data: Data, status: str) -> list[Mapping[str, object]]:
    """Return the indicators that have a status."""
    return [one for one in listed(data, IMPACTS) if one["status"] == status]


def _elevated(data: Data, indicator: Mapping[str, object]) -> str:
    return f"{_named(indicator)}: elevated."


def _review(data: Data, indicator: Mapping[str, object]) -> str:
    return f"{_named(indicator)}: to review."


def _named(indicator: Mapping[str, object]) -> str:
    return (
        f"Indicator {indicator['id']}, {indicator['name']}, is {indicator['value']} "
        f"{indicator['unit']}"
    )


def _lacking(data: Data) -> Iterator[str]:
    lacking = indicators(data, "DATA_REQUIRED")
    if lacking:
        numbers = ", ".join(str(one["id"]) for one in lacking)
        yield (
            f"{count(len(lacking), 'indicator')} of {len(listed(data, IMPACTS))} cannot "
            f"be computed of what is held: {numbers}."
        )


def _articles(data: Data) -> Iterator[str]:
    for article in (8, 9):
        failing = [one for one in listed(data, "entity.sfdr.failing") if one["article"] == article]
        if failing:
            yield (
                f"Article {article} of SFDR is not met. {count(len(failing), 'condition')} of it "
                f"{'fails' if len(failing) == 1 else 'fail'}: "
                + "; ".join(f"not so: {str(one['condition']).rstrip('.')}" for one in failing)
                + f". The composite is {at(data, 'entity.score.composite')}."
            )


def _lei(data: Data, status: str | None) -> str:
    points = at(data, "entity.leiPoints")
    return (
        f"The LEI is {words(str(status))}, not issued: {num(abs(points or 0))} points are taken"
        " from governance."
    )


def _country(data: Data) -> Iterator[str]:
    rest = [one for one in listed(data, "entity.pillars") if one["restsOn"] == "COUNTRY"]
    if rest:
        named = " and ".join(str(one["pillar"]) for one in rest)
        yield (
            f"{count(len(rest), 'pillar')} of 3 rest on the mean of the country and say little of "
            f"the entity: {named}."
        )


def _csrd(data: Data) -> Iterator[str]:
    rows = listed(data, "entity.csrd")
    held = [one for one in rows if one["value"] is not None]
    if len(held) < len(rows):
        many = len({one["disclosure"] for one in rows})
        yield (
            f"Of {len(rows)} data points of {many} disclosures of "
            f"sustainability reporting {len(held)} {_are(len(held))} on record."
        )


RULES: tuple[Rule, ...] = (
    *map(_of_the_entity, banded(
        (
            Band(least=0, code="POOR", level="HIGH",
                 advice="Ask the entity for a plan before it is given more business."),
            Band(least=30, code="BELOW", level="ELEVATED",
                 advice="Engage with the entity on its weakest pillar."),
            Band(least=50, code="AVERAGE", level="MODERATE"),
            Band(least=70, code="GOOD", level="LOW"),
        ),
        code="ESG-SCORE", ref=SCORE, weight=95, path="entity.score.composite",
        title=f"{ASSESSED}, and the composite",
        say=_score,
    )),
    Rule(code="ESG-UNASSESSED", ref=SCORE, level="MODERATE", weight=95,
         condition=UNASSESSED, finds=_unassessed,
         advice="Ask the entity for its own figures: what is told of it is mostly of its country."),
    compare_each(
        code="ESG-PAI-ELEVATED", ref=PAI, level="ELEVATED", weight=90,
        title="an indicator's status", rows=IMPACTS, field="status",
        condition=Equals("ELEVATED_RISK"), say=_elevated,
        advice="Take adverse impacts that are elevated into the statement, with what is done.",
    ),
    compare(
        code="ESG-LEI", ref=SCORE, level="ELEVATED", weight=85, title="the LEI",
        value="entity.leiStatus", condition=Differs("ISSUED"), say=_lei,
        advice="Have the entity renew its LEI.",
    ),
    compare_each(
        code="ESG-PAI-REVIEW", ref=PAI, level="MODERATE", weight=70,
        title="an indicator's status", rows=IMPACTS, field="status",
        condition=Equals("REVIEW"), say=_review,
    ),
    Rule(code="ESG-PILLAR", ref=SCORE, level="MODERATE", weight=60,
         condition=f"a pillar that rests on evidence about the entity is {WEAK}",
         finds=_pillars),
    Rule(code="ESG-ARTICLES", ref=ART, level="MODERATE", weight=50,
         condition="a condition of Article 8 or 9 is not met", finds=_articles),
    Rule(code="ESG-PAI-LACKING", ref=PAI, level="MODERATE", weight=45,
         condition="an indicator's status is DATA_REQUIRED", finds=_lacking,
         advice="Ask the entity for what the missing indicators need; nothing is imputed."),
    Rule(code="ESG-COUNTRY", ref=SCORE, level="MODERATE", weight=40,
         condition="a pillar rests on the reference of its country", finds=_country),
    Rule(code="ESG-CSRD", ref=CSRD, level="LOW", weight=30,
         condition="a disclosure of the table is not on record", finds=_csrd),
)  # fmt: skip


def headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    apply = [one for one in listed(data, IMPACTS) if one["status"] != "NOT_APPLICABLE"]
    known = [one for one in apply if one["status"] != "DATA_REQUIRED"]
    return (
        f"ESG score {at(data, 'entity.score.composite')} of 100, {len(known)} of {len(apply)} "
        "adverse impacts that apply are known."
    )


def told_scores(data: Data) -> str:
    """Tell the pillars and on what they rest."""
    parts = [
        f"{one['pillar']} {one['score']} of 100 ({one['coveredPercent']} % on evidence about it)"
        for one in listed(data, "entity.pillars")
    ]
    return (
        f"{at(data, 'entity.name')} scores {at(data, 'entity.score.composite')} of 100: "
        f"{', '.join(parts)}. Its settlements bear an ESG fee of "
        f"{num(100 * at(data, 'entity.score.feeSurcharge'), 3)} per cent."
    )


def told_impacts(data: Data) -> str:
    """Tell the adverse impacts by their status."""
    told = [
        f"{len(found)} {words(status)}"
        for status in STATUSES
        if (found := indicators(data, status))
    ]
    return (
        f"Of the {len(listed(data, IMPACTS))} indicators of Delegated Regulation (EU) 2022/1288, "
        f"Annex I, Table 1: {', '.join(told)}."
    )


def told_csrd(data: Data) -> str:
    """Tell what is on record of the disclosures of sustainability reporting."""
    held = [one for one in listed(data, "entity.csrd") if one["value"] is not None]
    told = "; ".join(
        f"{one['title']}: {_value(one)} ({one['disclosure']}, {one['period']})" for one in held
    )
    return (
        f"{len(held)} of {len(listed(data, 'entity.csrd'))} data points {_are(len(held))} on record"
        f"{': ' + told if told else ''}."
    )


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _value(one: Mapping[str, Any]) -> str:
    """Return a figure in words: what is 0 or 1 is no or yes."""
    if one["unit"] == "0 or 1":
        return "1, yes" if one["value"] else "0, no"
    return f"{num(one['value'], 2)} {one['unit']}"


def pillars(data: Data) -> Iterator[Row]:
    """Yield the composite and its pillars."""
    for name in ("composite", *PILLARS):
        value = at(data, f"entity.score.{name}")
        yield name.capitalize(), value, f"{value} of 100"


def statuses(data: Data) -> Iterator[Shares]:
    """Yield how the indicators stand."""
    rows = listed(data, IMPACTS)
    if rows:
        yield (
            "Indicators",
            [(words(one), len(indicators(data, one)) / len(rows)) for one in STATUSES],
        )


CHARTS: tuple[Chart, ...] = (
    Chart(
        title="Score and pillars",
        bars=pillars,
        low=0,
        high=100,
        mark=(WEAK_BELOW, f"{WEAK_BELOW}: weak below"),
    ),
    Chart(title="How the adverse impacts stand", shares=statuses),
)
