"""Compute a score from figures, serialize it for the API, and replay a stored one.

Everything here is a function of its arguments: the same inputs give the same bytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.esg.evidence_figures import Figure, values_by_measure
from apps.insight.esg.rules.indicators import REFERENCE
from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.insight.esg.rules.score import (
    IndicatorScore,
    PillarScore,
    Score,
    ScoreFacts,
    compute_score,
)
from apps.insight.stability.fees.rules.esg_fee_tiers import esg_surcharge, tier_of_score
from apps.platform.crypto.canonical import canonical_json

METHOD = "docs/esg-method.md"
ESTIMATED_ABOVE = Decimal("0.10")  # share of estimated figures from which an answer says ESTIMATED
WHOLE = 100
_SHOWN = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class ScoreInputs:
    """Everything that a score is computed of; `figures` of the entity and of its country."""

    lei: str
    country: str
    lei_status: str
    figures: tuple[Figure, ...]

    @property
    def facts(self) -> ScoreFacts:
        """The inputs of the rules: values by measure, of the entity and of its country."""
        own = {figure.key: figure for figure in self.figures if figure.subject == self.lei}
        place = {figure.key: figure for figure in self.figures if figure.subject == self.country}
        return ScoreFacts(values_by_measure(own), values_by_measure(place), self.lei_status)

    @property
    def sample(self) -> bool:
        """Whether any of it is of the bundled sample."""
        return any(figure.sample for figure in self.figures)

    def stored(self) -> dict[str, Any]:
        """Return the inputs as a score's record stores them, in one order."""
        return {
            "lei": self.lei,
            "country": self.country,
            "leiStatus": self.lei_status,
            "figures": [figure.stored() for figure in sort_figures(self.figures)],
        }


def sort_figures(figures: Iterable[Figure]) -> list[Figure]:
    """Return figures in one order, however they came."""
    return sorted(figures, key=lambda figure: (figure.subject, figure.key))


def parse_score_inputs(stored: Mapping[str, Any]) -> ScoreInputs:
    """Return the inputs of a record."""
    figures = tuple(_parse_figure(figure) for figure in stored["figures"])
    return ScoreInputs(stored["lei"], stored["country"], stored["leiStatus"], figures)


def _parse_figure(stored_figure: Mapping[str, Any]) -> Figure:
    # `unit` is stored for readers of the record and is a property here, derived from the measure
    bare = {name: value for name, value in stored_figure.items() if name != "unit"}
    return Figure(
        **bare
        | {
            "value": Decimal(stored_figure["value"]),
            "period_end": date.fromisoformat(stored_figure["period_end"]),
            "as_of": date.fromisoformat(stored_figure["as_of"]),
        }
    )


def compute_result(inputs: ScoreInputs) -> dict[str, Any]:
    """Return the numbers of a score; InsufficientEvidence when a pillar has nothing to rest on."""
    score = compute_score(inputs.facts)
    return {
        "composite": score.composite,
        "environmental": score.of("environmental"),
        "social": score.of("social"),
        "governance": score.of("governance"),
        "fee_tier": tier_of_score(score.composite).tier,
        "fee_surcharge": esg_surcharge(score.composite),
        "coverage": score.coverage,
        "data_quality": _grade_data_quality(inputs, score),
        "reference": REFERENCE,
    }


def replay_score(payload: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return the result that a record holds and the one computed now, as canonical bytes."""
    return canonical_json(payload["result"]), canonical_json(
        compute_result(parse_score_inputs(payload["inputs"]))
    )


def _grade_data_quality(inputs: ScoreInputs, score: Score) -> str:
    # one sample figure is enough: nothing computed from it may pass for published data
    if inputs.sample:
        return "SAMPLE"
    used = [part for pillar in score.pillars for part in pillar.parts if part.value is not None]
    weight = sum(part.indicator.weight for part in used)
    # an indicator counts as estimated if any of its inputs is
    guessed = {figure.key for figure in inputs.figures if figure.estimated}
    estimated = sum(p.indicator.weight for p in used if guessed & set(p.indicator.of))
    if weight and Decimal(estimated) / weight > ESTIMATED_ABOVE:
        return "ESTIMATED"
    # an unverified LEI leaves open whether the evidence is about this entity at all
    whole = all(pillar.covered == WHOLE for pillar in score.pillars)
    return "LIVE" if whole and inputs.lei_status != "UNVERIFIED" else "PARTIAL"


def build_explanation(inputs: ScoreInputs, today: date) -> dict[str, Any]:
    """Return what a score is made of; see EsgExplanationOut."""
    score = compute_score(inputs.facts)
    return {
        "reference": REFERENCE,
        "method": METHOD,
        "country": inputs.country,
        "lei_status": {
            "status": inputs.lei_status,
            "rule": score.deducted.code,
            "points": score.deducted.points,
        },
        "pillars": [_serialize_pillar(pillar) for pillar in score.pillars],
        "figures": [_serialize_figure(figure, today) for figure in sort_figures(inputs.figures)],
    }


def _serialize_pillar(pillar_score: PillarScore) -> dict[str, Any]:
    return {
        "pillar": pillar_score.pillar,
        "score": pillar_score.points,
        "rests_on": "ENTITY" if pillar_score.on_entity else "COUNTRY",
        "base": pillar_score.base.quantize(_SHOWN),
        "covered_percent": pillar_score.covered,
        "country_reference": _serialize_indicator(pillar_score.reference),
        "indicators": [_serialize_indicator(part) for part in pillar_score.parts],
    }


def _serialize_indicator(part: IndicatorScore) -> dict[str, Any]:
    there = part.value is not None
    return {
        "id": part.indicator.id,
        "title": part.indicator.title,
        "unit": part.indicator.unit,
        "weight": part.indicator.weight,
        "value": part.value.quantize(_SHOWN) if part.value is not None else None,
        "quality": part.quality.quantize(_SHOWN) if there else None,
        "points": part.points.quantize(_SHOWN),
        "basis": part.indicator.basis,
    }


def _serialize_figure(figure: Figure, today: date) -> dict[str, Any]:
    return {
        "subject": figure.subject,
        "measure": figure.key,
        "title": MEASURES_BY_KEY[figure.key].title,
        "value": f"{figure.value.normalize():f}",
        "unit": figure.unit,
        "period": figure.period,
        "source": figure.source,
        "url": figure.url,
        "as_of": figure.as_of.isoformat(),
        "age_days": max(0, (today - figure.period_end).days),
        "estimated": figure.estimated,
        "sample": figure.sample,
    }
