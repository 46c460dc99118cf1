"""Computes a score from figures, says it in the words of the API, and computes it again.

Everything here is a function of its arguments: the same inputs give the same bytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.core.canonical import canonical
from apps.esg.evidence import Figure, values
from apps.esg.rules.indicators import REFERENCE
from apps.esg.rules.measures import BY_KEY
from apps.esg.rules.scoring import Facts, Part, PillarScore, Score, score
from apps.esg.rules.tiers import surcharge, tier_of

METHOD = "docs/esg-method.md"
MOSTLY = Decimal("0.10")  # share of estimated figures from which an answer says ESTIMATED
WHOLE = 100
_SHOWN = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that a score is computed of; `figures` of the entity and of its country."""

    lei: str
    country: str
    lei_status: str
    figures: tuple[Figure, ...]

    @property
    def facts(self) -> Facts:
        """What the rules are given."""
        own = {one.key: one for one in self.figures if one.subject == self.lei}
        place = {one.key: one for one in self.figures if one.subject == self.country}
        return Facts(values(own), values(place), self.lei_status)

    @property
    def sample(self) -> bool:
        """Whether any of it is of the bundled sample."""
        return any(one.sample for one in self.figures)

    def stored(self) -> dict[str, Any]:
        """Return it as the record of a score keeps it, in one order."""
        return {
            "lei": self.lei,
            "country": self.country,
            "leiStatus": self.lei_status,
            "figures": [one.stored() for one in ordered(self.figures)],
        }


def ordered(figures: Iterable[Figure]) -> list[Figure]:
    """Return figures in one order, however they came."""
    return sorted(figures, key=lambda one: (one.subject, one.key))


def read(stored: Mapping[str, Any]) -> Inputs:
    """Return the inputs of a record."""
    figures = tuple(_figure(one) for one in stored["figures"])
    return Inputs(stored["lei"], stored["country"], stored["leiStatus"], figures)


def _figure(kept: Mapping[str, Any]) -> Figure:
    bare = {name: value for name, value in kept.items() if name != "unit"}
    return Figure(
        **bare
        | {
            "value": Decimal(kept["value"]),
            "period_end": date.fromisoformat(kept["period_end"]),
            "as_of": date.fromisoformat(kept["as_of"]),
        }
    )


def result(inputs: Inputs) -> dict[str, Any]:
    """Return the numbers of a score; NoData when a pillar has nothing to rest on."""
    found = score(inputs.facts)
    return {
        "composite": found.composite,
        "environmental": found.of("environmental"),
        "social": found.of("social"),
        "governance": found.of("governance"),
        "fee_tier": tier_of(found.composite).tier,
        "fee_surcharge": surcharge(found.composite),
        "coverage": found.coverage,
        "data_quality": _quality(inputs, found),
        "reference": REFERENCE,
    }


def replay(payload: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return the result of a record as it was kept and as it comes out now, in canonical bytes."""
    return canonical(payload["result"]), canonical(result(read(payload["inputs"])))


def _quality(inputs: Inputs, found: Score) -> str:
    if inputs.sample:
        return "SAMPLE"
    used = [part for one in found.pillars for part in one.parts if part.value is not None]
    weight = sum(part.indicator.weight for part in used)
    guessed = {one.key for one in inputs.figures if one.estimated}
    estimated = sum(p.indicator.weight for p in used if guessed & set(p.indicator.of))
    if weight and Decimal(estimated) / weight > MOSTLY:
        return "ESTIMATED"
    whole = all(one.covered == WHOLE for one in found.pillars)
    return "LIVE" if whole and inputs.lei_status != "UNVERIFIED" else "PARTIAL"


def explanation(inputs: Inputs, today: date) -> dict[str, Any]:
    """Return what a score is made of; see EsgExplanationOut."""
    found = score(inputs.facts)
    return {
        "reference": REFERENCE,
        "method": METHOD,
        "country": inputs.country,
        "lei_status": {
            "status": inputs.lei_status,
            "rule": found.deducted.code,
            "points": found.deducted.points,
        },
        "pillars": [_pillar(one) for one in found.pillars],
        "figures": [_told(one, today) for one in ordered(inputs.figures)],
    }


def _pillar(one: PillarScore) -> dict[str, Any]:
    return {
        "pillar": one.pillar,
        "score": one.points,
        "rests_on": "ENTITY" if one.on_entity else "COUNTRY",
        "base": one.base.quantize(_SHOWN),
        "covered_percent": one.covered,
        "country_reference": _part(one.reference),
        "indicators": [_part(part) for part in one.parts],
    }


def _part(part: Part) -> dict[str, Any]:
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


def _told(one: Figure, today: date) -> dict[str, Any]:
    return {
        "subject": one.subject,
        "measure": one.key,
        "title": BY_KEY[one.key].title,
        "value": f"{one.value.normalize():f}",
        "unit": one.unit,
        "period": one.period,
        "source": one.source,
        "url": one.url,
        "as_of": one.as_of.isoformat(),
        "age_days": max(0, (today - one.period_end).days),
        "estimated": one.estimated,
        "sample": one.sample,
    }
