"""The part that tells an entity: its ESG score, its adverse impacts, its sustainability data."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.rendering import render
from apps.core.shapes import camel
from apps.esg import computing, evidence
from apps.esg.conclude import conclude as conclude_score
from apps.esg.evidence import Figure
from apps.esg.rules.measures import BY_KEY
from apps.esgoracle import entity
from apps.esgoracle.entity import Entity
from apps.esgoracle.serializers import SfdrOut
from apps.reports.rules.esg import DISCLOSURES
from apps.reports.rules.findings import quality
from apps.reports.rules.marks import of_sources
from apps.reports.shape import Part, Piece
from apps.sfdr.reports import plan_lookups

REGULATION = "European Union: Delegated Regulation (EU) 2022/1288, Annex I, Table 1"
SHOWN = ("composite", "environmental", "social", "governance", "fee_tier", "fee_surcharge",
         "coverage", "reference")  # fmt: skip


def _gather(*, asked: Mapping[str, Any], now: datetime) -> Piece:
    """Return everything that is held of an LEI; EntityUnknown (404), EsgDataUnavailable (503)."""
    found = entity.gather(lei=asked["lei"], now=now)
    score = found.score
    if score.problem is not None:
        raise score.problem
    assert score.result is not None and score.inputs is not None  # there is no problem
    result = score.result
    block = entity.block(
        found=found, composite=result["composite"], governance=result["governance"]
    )

    def keep(caller: Caller, at: datetime) -> None:
        conclude_score(asked=found.asked, gathered=score, caller=caller, now=at)
        plan_lookups([asked["lei"]], at)

    return Piece(
        data=_who(found, now)
        | {
            "score": {camel(name): result[name] for name in SHOWN},
            "sfdr": render(SfdrOut, block),
            "csrd": _csrd(asked["lei"], now),
        },
        quality=quality((result["data_quality"], block["pai_data_quality"]), missing=False),
        mark=of_sources((result["data_quality"], block["pai_data_quality"])),
        sources=_sources(found),
        inputs={
            "score": score.inputs.stored(),
            "impacts": {"rules": block["pai_version"], "figures": list(found.portfolio.figures)},
        },
        keep=keep,
    )


def _who(found: Entity, now: datetime) -> dict[str, Any]:
    """Return who it is, how its LEI stands, and what its pillars are made of."""
    subject, inputs = found.score.subject, found.score.inputs
    assert inputs is not None
    told = computing.explanation(inputs, now.date())
    return {
        "lei": subject.lei,
        "name": subject.name,
        "country": subject.country,
        "leiStatus": told["lei_status"]["status"],
        "leiPoints": told["lei_status"]["points"],
        "pillars": _wire(told["pillars"]),
    }


def _sources(found: Entity) -> list[str]:
    assert found.score.inputs is not None
    told = sorted({f"{one.source}: {one.url}" for one in found.score.inputs.figures})
    return [*told, "GLEIF: Global LEI Index, CC0 1.0", REGULATION]


def _csrd(lei: str, now: datetime) -> list[dict[str, Any]]:
    """Return what is on record of each disclosure; `value` null where nothing is."""
    held = evidence.held(subjects=[lei], today=now.date()).get(lei, {})
    return [_disclosed(key, of, held.get(key)) for key, of in DISCLOSURES.items()]


def _disclosed(key: str, disclosure: str, one: Figure | None) -> dict[str, Any]:
    measure = BY_KEY[key]
    return {
        "disclosure": disclosure,
        "measure": key,
        "title": measure.title,
        "unit": measure.unit,
        "value": one.value if one else None,
        "period": one.period if one else None,
        "source": one.source if one else None,
    }


def _wire(value: Any) -> Any:
    """Return values in the names of the wire."""
    if isinstance(value, Mapping):
        return {camel(name): _wire(inner) for name, inner in value.items()}
    return [_wire(inner) for inner in value] if isinstance(value, list | tuple) else value


PART = Part(name="entity", title="Entity", gather=_gather)
