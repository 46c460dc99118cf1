"""The part on an entity: its ESG score, its adverse impacts, its sustainability data."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.esg import computation, evidence_figures
from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.oracle.selectors import entity_score
from apps.insight.esg.oracle.selectors.entity_score import ScoredEntity
from apps.insight.esg.oracle.serializers import SfdrOut
from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.insight.esg.services.conclude_score import conclude_entity_score
from apps.insight.esg.sfdr.reports import plan_lookups
from apps.insight.reports.definitions import PartResult, ReportPart
from apps.insight.reports.rules.esg import DISCLOSURES
from apps.insight.reports.rules.findings import worst_quality
from apps.insight.reports.rules.sample_marks import mark_of_sources
from apps.platform.api.callers import Caller
from apps.platform.api.representation import render_answer
from apps.platform.api.shapes import to_camel_case

REGULATION = "European Union: Delegated Regulation (EU) 2022/1288, Annex I, Table 1"
SCORE_FIELDS = ("composite", "environmental", "social", "governance", "fee_tier", "fee_surcharge",
         "coverage", "reference")  # fmt: skip


def _gather_entity(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
    """Return all data on an LEI; EntityUnknown (404), EsgDataUnavailable (503)."""
    scored_entity = entity_score.gather_scored_entity(lei=asked["lei"], now=now)
    score = scored_entity.score
    if score.problem is not None:
        raise score.problem
    assert score.result is not None and score.inputs is not None  # there is no problem
    result = score.result
    block = entity_score.build_sfdr_block(
        found=scored_entity, composite=result["composite"], governance=result["governance"]
    )

    # as a call of the score itself would: its sealed record, and lookups for a later report
    def keep(caller: Caller, at: datetime) -> None:
        conclude_entity_score(asked=scored_entity.asked, gathered=score, caller=caller, now=at)
        plan_lookups([asked["lei"]], at)

    sources = sorted({f"{figure.source}: {figure.url}" for figure in score.inputs.figures})
    lei = asked["lei"]
    figures = evidence_figures.load_current_figures(subjects=[lei], today=now.date()).get(lei, {})
    return PartResult(
        data=_describe_entity(scored_entity, now)
        | {
            "score": {to_camel_case(name): result[name] for name in SCORE_FIELDS},
            "sfdr": render_answer(SfdrOut, block),
            "csrd": [
                _serialize_disclosure(key, of, figures.get(key)) for key, of in DISCLOSURES.items()
            ],
        },
        quality=worst_quality((result["data_quality"], block["pai_data_quality"]), missing=False),
        mark=mark_of_sources((result["data_quality"], block["pai_data_quality"])),
        sources=[*sources, "GLEIF: Global LEI Index, CC0 1.0", REGULATION],
        inputs={
            "score": score.inputs.stored(),
            "impacts": {
                "rules": block["pai_version"],
                "figures": list(scored_entity.portfolio.figures),
            },
        },
        keep=keep,
    )


def _describe_entity(scored_entity: ScoredEntity, now: datetime) -> dict[str, Any]:
    """Return the entity, its LEI status, and the components of its pillars."""
    subject, inputs = scored_entity.score.subject, scored_entity.score.inputs
    assert inputs is not None
    explanation = computation.build_explanation(inputs, now.date())
    return {
        "lei": subject.lei,
        "name": subject.name,
        "country": subject.country,
        "leiStatus": explanation["lei_status"]["status"],
        "leiPoints": explanation["lei_status"]["points"],
        "pillars": _to_wire_names(explanation["pillars"]),
    }


def _serialize_disclosure(key: str, disclosure: str, figure: Figure | None) -> dict[str, Any]:
    measure = MEASURES_BY_KEY[key]
    return {
        "disclosure": disclosure,
        "measure": key,
        "title": measure.title,
        "unit": measure.unit,
        "value": figure.value if figure else None,
        "period": figure.period if figure else None,
        "source": figure.source if figure else None,
    }


def _to_wire_names(value: Any) -> Any:
    """Return nested values with keys in camel case, as sent."""
    if isinstance(value, Mapping):
        return {to_camel_case(name): _to_wire_names(inner) for name, inner in value.items()}
    return [_to_wire_names(inner) for inner in value] if isinstance(value, list | tuple) else value


PART = ReportPart(name="entity", title="Entity", gather=_gather_entity)
