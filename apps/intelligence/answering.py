"""Answers a paid call: out of the cache, or computed; the same for every product.

An answer serves everybody until its slot ends: the slots of a product are stretches of its cache
time since 1970. A fresh one is kept as a sealed record in the call's own transaction, after it was
paid for; what cannot be computed is 503 before anything is charged.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from django.db import IntegrityError, transaction

from apps.core.callers import Caller
from apps.core.chain import proven
from apps.core.pipeline import Answer
from apps.core.problems import DomainError
from apps.core.rendering import Wire, render
from apps.core.shapes import epoch, iso
from apps.intelligence import knowing, telling
from apps.intelligence.catalogue.shape import Product
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.models import IntelligenceAnswer
from apps.intelligence.regimes import proving
from apps.signals import holding
from apps.signals.points import Point
from apps.signals.quality import AGAIN

METHODS = "docs/intelligence-methods.md"
_MEMORY: dict[tuple[str, str], "Kept"] = {}


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as the wire has it; `fresh` until it is stored, with what it was made of.

    `subject` is whom it is about, empty where it is about the world.
    """

    slot: int
    wire: Wire
    known: Known | None = None
    made: Made | None = None
    subject: str = ""

    @property
    def fresh(self) -> bool:
        """Whether this call computed it."""
        return self.made is not None


class Named(Protocol):
    """What answers are kept of: a product, or a feed."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


class Unproved(DomainError):
    """A record that is not ours stands where this answer would: nothing is sold over it."""

    status, code, title = 503, "record_unproved", "The answer cannot be given"

    def __init__(self) -> None:
        super().__init__("A record of it does not prove itself. The operator must look at it.",
                         retry_after=AGAIN)  # fmt: skip


def gather(product: Product, *, asked: Mapping[str, Any], now: datetime) -> Kept:
    """Return an answer out of the cache, or computed now; raises Unavailable or Unproved (503).

    What could not be kept afterwards is not computed, so that nobody pays for it.
    """
    found = kept(product, now=now)
    if found is None and product.free and not product.free(slot_of(product, now)):
        found = kept(product, now=now)  # another worker may have kept it in between
        if found is None:
            raise Unproved
    return found or compute(product, asked=asked, now=now)


def kept(product: Product, *, now: datetime, subject: str = "") -> Kept | None:
    """Return the answer that serves now, of a subject; None where there is none."""
    return None if product.kept is None else recall(product, slot_of(product, now), subject)


def slot_of(product: Product, now: datetime) -> int:
    """Return the slot of a moment; 0 where nothing is kept."""
    return 0 if product.kept is None else epoch(now) // int(product.kept.total_seconds())


def compute(
    product: Product, *, asked: Mapping[str, Any], now: datetime, subject: str = ""
) -> Kept:
    """Return a fresh answer; raises Unavailable where too little is known."""
    known = knowing.known(product, as_of=now, asked=asked)
    made = product.compute(known)
    return Kept(slot_of(product, now), said(product, known, made), known, made, subject)


def said(product: Product, known: Known, made: Made) -> Wire:
    """Return an answer as the wire has it, in its declared shape."""
    quality = known.named(made.quality, product.series)
    values = made.body | {
        "generated_at": known.as_of,
        "cache_hit": False,
        "data_quality": quality.label,
        "as_of": quality.as_of,
        "coverage": rounded(quality.coverage, telling.HUNDREDTH),
        "reasons": list(quality.reasons),
        "missing": list(quality.missing),
        "methodology_version": f"{product.name}-{product.version}",
        "method": f"{METHODS}#{product.name}",
        "sources": made.sources or telling.sources(rests_on(product, known, made)),
    }
    return render(product.answers, values)


def rests_on(product: Product, known: Known, made: Made) -> list[Point]:
    """Return the points that an answer rests on."""
    return telling.used(known, product.series, holding.names(made.quality.reasons))


def conclude(product: Product, *, gathered: Kept, caller: Caller, now: datetime) -> Answer:
    """Return the answer, and keep one that is fresh."""
    answer = gathered
    if answer.fresh and product.kept is not None:
        answer = _stored(product, answer, now)
    wire = Wire(answer.wire | {"cacheHit": not answer.fresh})
    return Answer(wire, headers=headers(product, wire))


def headers(product: Product, wire: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of an answer, of its body as it is sent (document 3 section 2.7)."""
    own = {f"X-SVC-{name}": shown(wire, path) for name, path in product.heads.items()}
    return own | {
        "X-SVC-Cache-Hit": "true" if wire["cacheHit"] else "false",
        "X-SVC-Generated": iso(datetime.fromtimestamp(wire["generatedAt"], UTC)),
    }


def shown(wire: Mapping[str, Any], path: str) -> str:
    """Return a value of the body as a header has it: a list by its length."""
    found: Any = wire
    for name in path.split("."):
        found = found[name]
    if isinstance(found, list):
        return str(len(found))
    return "" if found is None else str(found)


def recall(product: Named, slot: int, subject: str = "") -> Kept | None:
    """Return the answer of a slot: from this process's memory, or the record that proves itself.

    Answers about subjects are not remembered: there is no end to them.
    """
    if subject:
        return _read(product, slot, subject)
    key = (product.name, product.version)
    held = _MEMORY.get(key)
    if held is None or held.slot != slot:
        held = _read(product, slot)
        if held is not None:
            _MEMORY[key] = held
    return held


def _read(product: Named, slot: int, subject: str = "") -> Kept | None:
    rows = IntelligenceAnswer.objects.filter(
        product=product.name, subject=subject, slot=slot, version=product.version
    )
    there = list(rows)
    found = next(iter(proven(there)), None)
    if there and found is None:
        raise Unproved
    if found is None or not found.data:
        return None
    return Kept(slot, Wire(json.loads(found.data["body"])), subject=subject)


def _stored(product: Product, fresh: Kept, now: datetime) -> Kept:
    """Keep a fresh answer; where another worker was quicker, return theirs, which is no new one."""
    made, known = fresh.made, fresh.known
    assert made is not None
    assert known is not None
    inputs = told(rests_on(product, known, made))
    if not write(product, fresh, inputs=inputs, quality=made.quality.label, now=now):
        return _read(product, fresh.slot, fresh.subject) or fresh
    if product.keeps is not None:
        product.keeps(fresh.slot, made, now)
    return fresh


def write(
    product: Named, fresh: Kept, *, inputs: Mapping[str, Any], quality: str, now: datetime
) -> bool:
    """Write an answer as a sealed record; False where another worker was quicker."""
    try:
        with transaction.atomic():
            IntelligenceAnswer.write(
                payload={"body": json.dumps(fresh.wire), "inputs": inputs},
                now=now,
                product=product.name,
                subject=fresh.subject,
                slot=fresh.slot,
                version=product.version,
                quality=quality,
            )
    except IntegrityError:
        return False
    return True


def told(points: Iterable[Point]) -> dict[str, list[str]]:
    """Return day, vintage and source of points, by which an answer can be computed again."""
    return {one.series: [one.day.isoformat(), iso(one.vintage), one.source] for one in points}


def forget() -> None:
    """Empty this process's memory of answers."""
    _MEMORY.clear()
    knowing.forget()
    proving.forget()
