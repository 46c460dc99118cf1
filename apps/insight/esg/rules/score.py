"""Evidence to pillars, composite and coverage. Pure. docs/esg-method.md says it in words.

A pillar starts at what its country alone would give it (20 to 50) and earns the rest by evidence
about the entity. DESIGN.md section 4, 2.5.
"""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Literal

from apps.insight.esg.rules.indicators import (
    COUNTRY_INDICATORS,
    INDICATORS,
    PILLARS,
    Indicator,
    Pillar,
    Values,
)
from apps.insight.esg.rules.lei_deductions import Deduction, deduction_of_status

Coverage = Literal["FULL", "PARTIAL", "COUNTRY"]
# points at which a pillar starts if its country is unknown, or the worst
FLOOR = Decimal(20)
# points that the best country adds to the floor
REFERENCE_SPAN = Decimal(30)
# weight, of 100, from which a pillar rests on evidence about the entity
RESTS_ON = 40
# significant digits, fixed so that a replay does not depend on the caller's decimal context
_DIGITS = 28


class InsufficientEvidence(Exception):
    """A pillar has neither enough evidence about the entity nor a reference of its country."""


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """What a score rests on: measures of the entity and of its country, and its LEI's status."""

    entity: Values = field(default_factory=dict)
    country: Values = field(default_factory=dict)
    lei_status: str = "ISSUED"


@dataclass(frozen=True, slots=True)
class IndicatorScore:
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
    reference: IndicatorScore
    parts: tuple[IndicatorScore, ...]

    @property
    def on_entity(self) -> bool:
        """Whether it rests on evidence about the entity."""
        return self.covered >= RESTS_ON

    @property
    def points(self) -> int:
        """The score as it is published."""
        return _round_half_up(self.value)


@dataclass(frozen=True, slots=True)
class Score:
    """A whole score."""

    pillars: tuple[PillarScore, ...]
    deducted: Deduction
    composite: int
    coverage: Coverage

    def of(self, pillar: Pillar) -> int:
        """Return one pillar as it is published."""
        return next(score.points for score in self.pillars if score.pillar == pillar)


def compute_score(facts: ScoreFacts) -> Score:
    """Return the score of facts; InsufficientEvidence when a pillar has nothing to rest on."""
    with localcontext(prec=_DIGITS):
        deducted = deduction_of_status(facts.lei_status)
        pillars = tuple(_score_pillar(pillar, facts, deducted) for pillar in PILLARS)
        # the mean of the rounded pillars, so that a reader can check it from the answer
        published = [pillar.points for pillar in pillars]
        composite = _round_half_up(Decimal(sum(published)) / len(published))
    coverage: Coverage = "COUNTRY"
    if all(pillar.on_entity for pillar in pillars):
        coverage = "FULL"
    elif any(pillar.covered for pillar in pillars):
        coverage = "PARTIAL"
    return Score(pillars, deducted, composite, coverage)


def _score_pillar(pillar: Pillar, facts: ScoreFacts, deducted: Deduction) -> PillarScore:
    row = next(
        country_indicator
        for country_indicator in COUNTRY_INDICATORS
        if country_indicator.pillar == pillar
    )
    points = row.value(facts.country)
    quality = Decimal(0) if points is None else row.quality(points)
    base = FLOOR + REFERENCE_SPAN * quality
    reference = IndicatorScore(row, points, quality, base)
    parts = tuple(
        _score_indicator(indicator, facts.entity, base)
        for indicator in INDICATORS
        if indicator.pillar == pillar
    )
    covered = sum(part.indicator.weight for part in parts if part.value is not None)
    if points is None and covered < RESTS_ON:
        raise InsufficientEvidence(
            f"{pillar}: {covered} % of the evidence is held, and there is no country reference"
        )
    value = base + sum((part.points for part in parts), Decimal(0))
    if pillar == "governance":
        # the status of the LEI is a matter of governance alone (DESIGN.md section 4, 2.5)
        value = max(Decimal(0), value - deducted.points)
    return PillarScore(pillar, value, base, covered, reference, parts)


def _score_indicator(indicator: Indicator, values: Values, base: Decimal) -> IndicatorScore:
    value = indicator.value(values)
    if value is None:
        # missing evidence earns nothing, neither the best nor the middle: hiding a figure never
        # pays
        return IndicatorScore(indicator, None, Decimal(0), Decimal(0))
    quality = indicator.quality(value)
    return IndicatorScore(
        indicator, value, quality, (100 - base) * indicator.weight * quality / 100
    )


def _round_half_up(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))
