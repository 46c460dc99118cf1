"""Tiers and warning flags for the ESG score of an entity. Pure.

Bounds are those of the score's own tiers (stability/rules/esg_fee_tiers.py); only the words differ.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.insight.stability.fees.rules.esg_fee_tiers import TIERS, tier_of_score
from apps.reference.lei.rules.registration import is_in_force

# tier of the fee -> tier of this answer, risk
TIER_WORDS: dict[str, tuple[str, str]] = {
    "EXCELLENT": ("EXCELLENT", "LOW"),
    "GOOD": ("GOOD", "LOW"),
    "AVERAGE": ("ACCEPTABLE", "MODERATE"),
    "BELOW_AVERAGE": ("WEAK", "HIGH"),
    "POOR": ("POOR", "CRITICAL"),
}
NAMES = tuple(TIER_WORDS[tier.tier][0] for tier in TIERS)
RISKS = ("LOW", "MODERATE", "HIGH", "CRITICAL")
VIOLATIONS, INCIDENTS, RIGHTS = "noncompliance_quarters", "serious_violations", "ungc_violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFacts:
    """Facts about an entity: its pillars, their coverage, its LEI status, its own figures."""

    pillars: Mapping[str, int]
    coverage: str
    lei_status: str
    figures: Mapping[str, Decimal]

    def above_nought(self, key: str) -> bool:
        """Tell whether a figure is held and above 0."""
        return self.figures.get(key, Decimal(0)) > 0


@dataclass(frozen=True, slots=True)
class EntityFlag:
    """A warning about an entity; a `grave` one lowers the recommended tier."""

    code: str
    raised: Callable[[EntityFacts], bool]
    grave: bool = False


def _has_poor_pillar(pillar: str) -> Callable[[EntityFacts], bool]:
    return lambda entity_facts: tier_of_score(entity_facts.pillars[pillar]).tier == "POOR"


FLAGS: tuple[EntityFlag, ...] = (
    EntityFlag(
        "LEI_NOT_IN_FORCE",
        lambda entity_facts: not is_in_force(entity_facts.lei_status),
        grave=True,
    ),
    EntityFlag(
        "COUNTRY_REFERENCE_ONLY",
        lambda entity_facts: entity_facts.coverage == "COUNTRY",
        grave=True,
    ),
    EntityFlag("PARTIAL_EVIDENCE", lambda entity_facts: entity_facts.coverage == "PARTIAL"),
    EntityFlag(
        "HUMAN_RIGHTS_VIOLATION", lambda entity_facts: entity_facts.above_nought(RIGHTS), grave=True
    ),
    EntityFlag(
        "ENVIRONMENTAL_NON_COMPLIANCE", lambda entity_facts: entity_facts.above_nought(VIOLATIONS)
    ),
    EntityFlag("WORK_SAFETY_VIOLATIONS", lambda entity_facts: entity_facts.above_nought(INCIDENTS)),
    EntityFlag("POOR_ENVIRONMENTAL", _has_poor_pillar("environmental")),
    EntityFlag("POOR_SOCIAL", _has_poor_pillar("social")),
    EntityFlag("POOR_GOVERNANCE", _has_poor_pillar("governance")),
)
CODES = tuple(flag.code for flag in FLAGS)


def get_tier_name(score: int) -> str:
    """Return the tier of a score."""
    return TIER_WORDS[tier_of_score(score).tier][0]


def risk_of_pillar(score: int) -> str:
    """Return the risk of a pillar's score."""
    return TIER_WORDS[tier_of_score(score).tier][1]


def raise_flags(entity_facts: EntityFacts) -> list[EntityFlag]:
    """Return the flags that apply to an entity."""
    return [flag for flag in FLAGS if flag.raised(entity_facts)]


def recommend_tier(score: int, flags: list[EntityFlag]) -> str:
    """Return the recommended tier of an entity: one lower if a flag is severe."""
    place = NAMES.index(get_tier_name(score)) + any(flag.grave for flag in flags)
    return NAMES[min(place, len(NAMES) - 1)]
