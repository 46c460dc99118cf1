"""Parts that are answers of the intelligence service, stored there like its own answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.services import paid_answers
from apps.insight.reports.definitions import PartResult, ReportPart
from apps.insight.reports.rules.sample_marks import mark_of_sources
from apps.platform.api.callers import Caller
from apps.platform.crypto.canonical import canonical_digest


def build_intelligence_part(
    name: str, *, title: str, product: str, required: bool = True
) -> ReportPart:
    """Return the part that is the answer of a product; KeyError for one that is not there."""
    row = product_of(product)
    if row is None:
        raise KeyError(product)

    def gather(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
        return _gather_answer_part(row, now)

    return ReportPart(name=name, title=title, gather=gather, required=required)


def _gather_answer_part(product: Product, now: datetime) -> PartResult:
    answer = paid_answers.gather_answer(product, asked={}, now=now)

    def keep(caller: Caller, at: datetime) -> None:
        paid_answers.conclude_answer(product, gathered=answer, caller=caller, now=at)

    wire = answer.wire
    return PartResult(
        data={name: value for name, value in wire.items() if name != "cacheHit"},
        quality=wire["dataQuality"],
        mark=mark_of_sources(source["source"] for source in wire["sources"]),
        sources=list_answer_sources(wire),
        inputs={
            "service": "intelligence",
            "product": product.name,
            "version": product.version,
            "slot": answer.slot,
            "generatedAt": wire["generatedAt"],
            "answer": canonical_digest(_without_floats(wire)),
        },
        keep=keep,
    )


def list_answer_sources(wire: Mapping[str, Any]) -> list[str]:
    """Return the publishers of an answer's data with their licences, each once."""
    return list(
        dict.fromkeys(f"{source['source']}: {source['licence']}" for source in wire["sources"])
    )


def _without_floats(value: Any) -> Any:
    """Return a body with floats as texts."""
    if isinstance(value, float):
        # canonical JSON refuses floats, which have no exact form there
        return repr(value)
    if isinstance(value, Mapping):
        return {name: _without_floats(inner) for name, inner in value.items()}
    return [_without_floats(inner) for inner in value] if isinstance(value, list) else value
