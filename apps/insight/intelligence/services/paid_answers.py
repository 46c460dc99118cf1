"""Answer a paid call from the cache or by computing it; the same for every product.

An answer serves everybody until its slot ends: the slots of a product are periods of its cache time
since 1970. A fresh one is stored as a sealed record in the call's own transaction, after it was
paid for; what cannot be computed is 503 before anything is charged.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from django.db import IntegrityError, transaction

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.models import IntelligenceAnswer
from apps.insight.intelligence.regimes import verified_records
from apps.insight.intelligence.selectors import product_inputs
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.common.clock import format_utc, to_epoch_seconds
from apps.platform.common.problems import DomainError
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.points import Point
from apps.reference.signals.quality import RETRY_AFTER_SECONDS

METHODS = "docs/intelligence-methods.md"
# the answer of the current slot by product and version, in this process
_MEMORY: dict[tuple[str, str], "KeptAnswer"] = {}


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer as sent; a fresh one has the inputs and the result that it was built from.

    `subject` is the entity that it is about, empty if it is about the world.
    """

    slot: int
    wire: RenderedAnswer
    known: MethodInputs | None = None
    made: MethodResult | None = None
    subject: str = ""

    @property
    def fresh(self) -> bool:
        """Whether this call computed it."""
        return self.made is not None


class AnswerSource(Protocol):
    """What answers are kept of: a product, or a feed."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


class AnswerIntegrityError(DomainError):
    """Integrity check failed for the record of this answer: nothing is sold."""

    status, code, title = 503, "record_unproved", "Answer integrity check failed"

    def __init__(self) -> None:
        super().__init__("Integrity check failed for one of its records. Contact the operator.",
                         retry_after=RETRY_AFTER_SECONDS)  # fmt: skip


def gather_answer(product: Product, *, asked: Mapping[str, Any], now: datetime) -> KeptAnswer:
    """Return a cached answer, or one computed now.

    Raises TooFewInputs or AnswerIntegrityError (503).
    """
    answer = find_kept_answer(product, now=now)
    # predictions of this slot exist without their answer: a new answer could not store its own, so
    # it must not be computed and charged
    if answer is None and product.free and not product.free(cache_slot_of(product, now)):
        # another worker may have stored both in between
        answer = find_kept_answer(product, now=now)
        if answer is None:
            raise AnswerIntegrityError
    return answer or compute_answer(product, asked=asked, now=now)


def find_kept_answer(product: Product, *, now: datetime, subject: str = "") -> KeptAnswer | None:
    """Return the stored answer in force now, about a subject; None if there is none."""
    return (
        None
        if product.kept is None
        else recall_answer(product, cache_slot_of(product, now), subject)
    )


def cache_slot_of(product: Product, now: datetime) -> int:
    """Return the slot of a moment; 0 if nothing is stored."""
    return 0 if product.kept is None else to_epoch_seconds(now) // int(product.kept.total_seconds())


def compute_answer(
    product: Product, *, asked: Mapping[str, Any], now: datetime, subject: str = ""
) -> KeptAnswer:
    """Return a fresh answer; raises TooFewInputs if too little is known."""
    method_inputs = product_inputs.load_method_inputs(product, as_of=now, asked=asked)
    answer = product.compute(method_inputs)
    return KeptAnswer(
        cache_slot_of(product, now),
        build_wire_answer(product, method_inputs, answer),
        method_inputs,
        answer,
        subject,
    )


def build_wire_answer(
    product: Product, known: MethodInputs, result: MethodResult
) -> RenderedAnswer:
    """Return an answer as sent, in its declared shape."""
    quality = known.named(result.quality, product.series)
    values = result.body | {
        "generated_at": known.as_of,
        "cache_hit": False,
        "data_quality": quality.label,
        "as_of": quality.as_of,
        "coverage": round_to_step(quality.coverage, component_payloads.FOUR_DECIMALS),
        "reasons": list(quality.reasons),
        "missing": list(quality.missing),
        "methodology_version": f"{product.name}-{product.version}",
        "method": f"{METHODS}#{product.name}",
        "sources": result.sources
        or component_payloads.serialize_sources(used_points_of_answer(product, known, result)),
    }
    return render_answer(product.answers, values)


def used_points_of_answer(
    product: Product, known: MethodInputs, result: MethodResult
) -> list[Point]:
    """Return the points that an answer rests on."""
    return component_payloads.select_used_points(
        known, product.series, carried_forward_labels.held_input_names(result.quality.reasons)
    )


def conclude_answer(
    product: Product, *, gathered: KeptAnswer, caller: Caller, now: datetime
) -> Answer:
    """Return the answer, and store a fresh one."""
    answer = gathered
    if answer.fresh and product.kept is not None:
        answer = _store_fresh_answer(product, answer, now)
    wire = RenderedAnswer(answer.wire | {"cacheHit": not answer.fresh})
    return Answer(wire, headers=build_answer_headers(product, wire))


def build_answer_headers(product: Product, wire: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of an answer, of its body as it is sent (document 3 section 2.7)."""
    own = {f"X-SVC-{name}": format_header_value(wire, path) for name, path in product.heads.items()}
    return own | {
        "X-SVC-Cache-Hit": "true" if wire["cacheHit"] else "false",
        "X-SVC-Generated": format_utc(datetime.fromtimestamp(wire["generatedAt"], UTC)),
    }


def format_header_value(wire: Mapping[str, Any], path: str) -> str:
    """Return a value of the body as a header value: of a list its length."""
    value: Any = wire
    for name in path.split("."):
        value = value[name]
    if isinstance(value, list):
        return str(len(value))
    return "" if value is None else str(value)


def recall_answer(product: AnswerSource, slot: int, subject: str = "") -> KeptAnswer | None:
    """Return the answer of a slot, from this process's memory or from its verified record."""
    # answers about entities are not kept in memory: their number is unbounded
    if subject:
        return _load_answer_record(product, slot, subject)
    key = (product.name, product.version)
    kept_answer = _MEMORY.get(key)
    if kept_answer is None or kept_answer.slot != slot:
        kept_answer = _load_answer_record(product, slot)
        if kept_answer is not None:
            _MEMORY[key] = kept_answer
    return kept_answer


def _load_answer_record(product: AnswerSource, slot: int, subject: str = "") -> KeptAnswer | None:
    rows = IntelligenceAnswer.objects.filter(
        product=product.name, subject=subject, slot=slot, version=product.version
    )
    there = list(rows)
    intelligence_answer = next(iter(filter_verified_records(there)), None)
    # never computed again over an altered record: its unique slot could not be stored, and the
    # altered row would stay
    if there and intelligence_answer is None:
        raise AnswerIntegrityError
    if intelligence_answer is None or not intelligence_answer.data:
        return None
    return KeptAnswer(
        slot, RenderedAnswer(json.loads(intelligence_answer.data["body"])), subject=subject
    )


def _store_fresh_answer(product: Product, fresh: KeptAnswer, now: datetime) -> KeptAnswer:
    """Store a fresh answer; if another worker was first, return its answer, marked as not new."""
    answer, known = fresh.made, fresh.known
    assert answer is not None
    assert known is not None
    inputs = serialize_points(used_points_of_answer(product, known, answer))
    if not write_answer_record(
        product, fresh, inputs=inputs, quality=answer.quality.label, now=now
    ):
        return _load_answer_record(product, fresh.slot, fresh.subject) or fresh
    if product.keeps is not None:
        product.keeps(fresh.slot, answer, now)
    return fresh


def write_answer_record(
    product: AnswerSource,
    fresh: KeptAnswer,
    *,
    inputs: Mapping[str, Any],
    quality: str,
    now: datetime,
) -> bool:
    """Write an answer as a sealed record; False if another worker wrote this slot first."""
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


def serialize_points(points: Iterable[Point]) -> dict[str, list[str]]:
    """Return day, vintage and source of points, by which an answer can be computed again."""
    return {
        point.series: [point.day.isoformat(), format_utc(point.vintage), point.source]
        for point in points
    }


def clear_answer_memory() -> None:
    """Empty this process's memory of answers."""
    _MEMORY.clear()
    product_inputs.clear_series_cache()
    verified_records.clear_record_memory()
