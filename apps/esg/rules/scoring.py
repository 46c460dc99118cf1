"""Evidence to pillars, composite and coverage. Pure. docs/esg-method.md says it in words.

A pillar starts at what its country alone would give it (20 to 50) and earns the rest by evidence
about the entity. What is missing earns nothing: it is never taken for zero emissions, never for
the middle, and to hide evidence never pays. DESIGN.md section 4, 2.5.
"""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Literal

from apps.esg.rules.indicators import (
    COUNTRY,
    INDICATORS,
    PILLARS,
    Indicator,
    Pillar,
    Values,
)
from apps.esg.rules.tiers import Deduction, deduction

Coverage = Literal["FULL", "PARTIAL", "COUNTRY"]
FLOOR = Decimal(20)  # where a pillar starts whose country is unknown, or the worst
REFERENCE_SPAN = Decimal(30)  # what the best country adds to it
RESTS_ON = 40  # weight, of 100, from which a pillar rests on evidence about the entity
_DIGITS = 28


class NoData(Exception):
    """A pillar has neither enough evidence about the entity nor a reference of its country."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a score rests on: measures of the entity and of its country, and its LEI's status."""

    entity: Values = field(default_factory=dict)
    country: Values = field(default_factory=dict)
    lei_status: str = "ISSUED"


@dataclass(frozen=True, slots=True)
class Part:
    """One indicator in a score; `value` None where evidence is missing: then it earned nothing."""

    indicator: Indicator
    value: Decimal | None
    quality: Decimal
    points: Decimal


@dataclass(frozen=True, slots=True)
class PillarScore:
    """One pillar: where it started, what it earned, and on how much evidence (of 100)."""

    pillar: Pillar
    value: Decimal
    base: Decimal
    covered: int
    reference: Part
    parts: tuple[Part, ...]

    @property
    def on_entity(self) -> bool:
        """Whether it rests on evidence about the entity."""
        return self.covered >= RESTS_ON

    @property
    def points(self) -> int:
        """The score as it is published."""
        return _whole(self.value)


@dataclass(frozen=True, slots=True)
class Score:
    """A whole score."""

    pillars: tuple[PillarScore, ...]
    deducted: Deduction
    composite: int
    coverage: Coverage

    def of(self, pillar: Pillar) -> int:
        """Return one pillar as it is published."""
        return next(one.points for one in self.pillars if one.pillar == pillar)


def score(facts: Facts) -> Score:
    """Return the score of facts; NoData when a pillar has nothing to rest on."""
    with localcontext(prec=_DIGITS):
        deducted = deduction(facts.lei_status)
        pillars = tuple(_pillar(pillar, facts, deducted) for pillar in PILLARS)
        published = [one.points for one in pillars]
        composite = _whole(Decimal(sum(published)) / len(published))
    return Score(pillars, deducted, composite, _coverage(pillars))


def _pillar(pillar: Pillar, facts: Facts, deducted: Deduction) -> PillarScore:
    row = next(one for one in COUNTRY if one.pillar == pillar)
    given = row.value(facts.country)
    quality = Decimal(0) if given is None else row.quality(given)
    base = FLOOR + REFERENCE_SPAN * quality
    reference = Part(row, given, quality, base)
    parts = tuple(_part(one, facts.entity, base) for one in INDICATORS if one.pillar == pillar)
    covered = sum(one.indicator.weight for one in parts if one.value is not None)
    if given is None and covered < RESTS_ON:
        raise NoData(f"{pillar}: {covered} % of the evidence is held, and no country's reference")
    value = base + sum((one.points for one in parts), Decimal(0))
    if pillar == "governance":
        value = max(Decimal(0), value - deducted.points)
    return PillarScore(pillar, value, base, covered, reference, parts)


def _part(indicator: Indicator, values: Values, base: Decimal) -> Part:
    value = indicator.value(values)
    if value is None:
        return Part(indicator, None, Decimal(0), Decimal(0))
    quality = indicator.quality(value)
    return Part(indicator, value, quality, (100 - base) * indicator.weight * quality / 100)


def _coverage(pillars: tuple[PillarScore, ...]) -> Coverage:
    if all(one.on_entity for one in pillars):
        return "FULL"
    return "PARTIAL" if any(one.covered for one in pillars) else "COUNTRY"


def _whole(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))
