"""Return an entity's ESG score in the terms of document 3 section 2.7, without new figures."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.rules import entity_tiers
from apps.insight.intelligence.rules.entity_tiers import EntityFacts
from apps.reference.signals.quality import Quality
from apps.reference.signals.quality_labels import Label

LABELS: dict[str, Label] = {
    "LIVE": "LIVE",
    "PARTIAL": "PARTIAL",
    "ESTIMATED": "ESTIMATED",
    "SAMPLE": "ESTIMATED",
}
SHOWN = ("subject", "measure", "title", "value", "unit", "period", "source", "as_of")


def compute_entity_esg(known: MethodInputs) -> MethodResult:
    """Return the answer about an entity.

    `MethodInputs.asked` has `lei`, `name`, and of the ESG score its `result` and its `explanation`
    (computation.build_explanation).
    """
    request = known.asked
    result, explanation = request["result"], request["explanation"]
    lei = request["lei"]
    own = [figure for figure in explanation["figures"] if figure["subject"] == lei]
    entity_facts = EntityFacts(
        pillars={pillar: result[pillar] for pillar in ("environmental", "social", "governance")},
        coverage=result["coverage"],
        lei_status=explanation["lei_status"]["status"],
        figures={figure["measure"]: Decimal(figure["value"]) for figure in own},
    )
    flags = entity_tiers.raise_flags(entity_facts)
    score = result["composite"]
    body: dict[str, Any] = {
        "lei": request["lei"],
        "entity_name": request["name"],
        "esg_score": score,
        "tier": entity_tiers.get_tier_name(score),
        "components": {
            "environmental": _serialize_pillar(entity_facts, "environmental")
            | {"violations": entity_facts.figures.get(entity_tiers.VIOLATIONS)},
            "governance": _serialize_pillar(entity_facts, "governance"),
            "social": _serialize_pillar(entity_facts, "social")
            | {"incidents": entity_facts.figures.get(entity_tiers.INCIDENTS)},
        },
        "flags": [flag.code for flag in flags],
        "recommended_tier": entity_tiers.recommend_tier(score, flags),
        "rests_on": result["coverage"],
        "reference": result["reference"],
        "figures": [{name: figure[name] for name in SHOWN} for figure in explanation["figures"]],
    }
    sources = [_serialize_figure_source(figure) for figure in explanation["figures"]]
    return MethodResult(
        body=body, quality=_judge_evidence(result, explanation, known.as_of), sources=sources
    )


def _serialize_pillar(entity_facts: EntityFacts, name: str) -> dict[str, Any]:
    score = entity_facts.pillars[name]
    return {"score": score, "risk_level": entity_tiers.risk_of_pillar(score)}


def _serialize_figure_source(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Return the source of a figure; its licence is not stored."""
    return {
        "series": figure["measure"],
        "source": figure["source"],
        "licence": "",
        "as_of": _start_of_day(figure["as_of"]),
        "cadence": "year",
        "kind": "proxy" if figure["estimated"] else "observed",
    }


def _start_of_day(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def _judge_evidence(
    result: Mapping[str, Any], explanation: Mapping[str, Any], now: datetime
) -> Quality:
    """Return the quality of the score: the share of evidence available, and its oldest figure."""
    pillars = explanation["pillars"]
    covered = sum((Decimal(pillar["covered_percent"]) for pillar in pillars), Decimal(0))
    days = [_start_of_day(figure["as_of"]) for figure in explanation["figures"]]
    of_sample = ("sample",) if result["data_quality"] == "SAMPLE" else ()
    return Quality(
        label=LABELS[result["data_quality"]],
        coverage=covered / (100 * len(pillars)),
        as_of=min(days, default=now),
        reasons=(*of_sample, f"coverage:{result['coverage']}"),
        missing=tuple(
            indicator["id"]
            for pillar in pillars
            for indicator in pillar["indicators"]
            if indicator["value"] is None
        ),
    )
