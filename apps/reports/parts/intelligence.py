"""Parts that are answers of the intelligence service: kept there as if they were asked for."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.canonical import digest
from apps.intelligence import answering
from apps.intelligence.catalogue import product_of
from apps.intelligence.catalogue.shape import Product
from apps.reports.rules.marks import of_sources
from apps.reports.shape import Part, Piece


def part(name: str, *, title: str, product: str, required: bool = True) -> Part:
    """Return the part that is the answer of a product; KeyError for one that is not there."""
    row = product_of(product)
    if row is None:
        raise KeyError(product)

    def gather(*, asked: Mapping[str, Any], now: datetime) -> Piece:
        return _piece(row, now)

    return Part(name=name, title=title, gather=gather, required=required)


def _piece(product: Product, now: datetime) -> Piece:
    held = answering.gather(product, asked={}, now=now)

    def keep(caller: Caller, at: datetime) -> None:
        answering.conclude(product, gathered=held, caller=caller, now=at)

    wire = held.wire
    return Piece(
        data={name: value for name, value in wire.items() if name != "cacheHit"},
        quality=wire["dataQuality"],
        mark=of_sources(one["source"] for one in wire["sources"]),
        sources=sources(wire),
        inputs={
            "service": "intelligence",
            "product": product.name,
            "version": product.version,
            "slot": held.slot,
            "generatedAt": wire["generatedAt"],
            "answer": digest(_exact(wire)),
        },
        keep=keep,
    )


def sources(wire: Mapping[str, Any]) -> list[str]:
    """Return who published what an answer rests on, and on what terms; each once."""
    return list(dict.fromkeys(f"{one['source']}: {one['licence']}" for one in wire["sources"]))


def _exact(value: Any) -> Any:
    """Return a body without floats, of which no digest is made."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return {name: _exact(inner) for name, inner in value.items()}
    return [_exact(inner) for inner in value] if isinstance(value, list) else value
