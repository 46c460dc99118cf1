"""Words for the ESG score of an entity, and what to beware of. Pure.

Bounds are those of the score's own tiers (apps/esg/rules/tiers.py): another word, no other number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from apps.esg.rules.tiers import TIERS, tier_of

# tier of the fee -> tier of this answer, risk
WORDS: dict[str, tuple[str, str]] = {
    "EXCELLENT": ("EXCELLENT", "LOW"),
    "GOOD": ("GOOD", "LOW"),
    "AVERAGE": ("ACCEPTABLE", "MODERATE"),
    "BELOW_AVERAGE": ("WEAK", "HIGH"),
    "POOR": ("POOR", "CRITICAL"),
}
NAMES = tuple(WORDS[one.tier][0] for one in TIERS)
RISKS = ("LOW", "MODERATE", "HIGH", "CRITICAL")
VIOLATIONS, INCIDENTS, RIGHTS = "noncompliance_quarters", "serious_violations", "ungc_violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is known of an entity: its pillars, on what they rest, its LEI, its own figures."""

    pillars: Mapping[str, int]
    coverage: str
    lei_status: str
    figures: Mapping[str, Decimal]

    def above_nought(self, key: str) -> bool:
        """Tell whether a figure is held and above 0."""
        return self.figures.get(key, Decimal(0)) > 0


@dataclass(frozen=True, slots=True)
class Flag:
    """What to beware of; a `grave` one lowers the recommended tier."""

    code: str
    raised: Callable[[Standing], bool]
    grave: bool = False


def _poor(pillar: str) -> Callable[[Standing], bool]:
    return lambda one: tier_of(one.pillars[pillar]).tier == "POOR"


FLAGS: tuple[Flag, ...] = (
    Flag("LEI_NOT_IN_FORCE", lambda one: one.lei_status != "ISSUED", grave=True),
    Flag("COUNTRY_REFERENCE_ONLY", lambda one: one.coverage == "COUNTRY", grave=True),
    Flag("PARTIAL_EVIDENCE", lambda one: one.coverage == "PARTIAL"),
    Flag("HUMAN_RIGHTS_VIOLATION", lambda one: one.above_nought(RIGHTS), grave=True),
    Flag("ENVIRONMENTAL_NON_COMPLIANCE", lambda one: one.above_nought(VIOLATIONS)),
    Flag("WORK_SAFETY_VIOLATIONS", lambda one: one.above_nought(INCIDENTS)),
    Flag("POOR_ENVIRONMENTAL", _poor("environmental")),
    Flag("POOR_SOCIAL", _poor("social")),
    Flag("POOR_GOVERNANCE", _poor("governance")),
)
CODES = tuple(one.code for one in FLAGS)


def name_of(score: int) -> str:
    """Return the tier of a score."""
    return WORDS[tier_of(score).tier][0]


def risk_of(score: int) -> str:
    """Return the risk of a pillar's score."""
    return WORDS[tier_of(score).tier][1]


def flags_of(one: Standing) -> list[Flag]:
    """Return what to beware of."""
    return [flag for flag in FLAGS if flag.raised(one)]


def recommended(score: int, flags: list[Flag]) -> str:
    """Return the tier to treat an entity as: one lower where a flag is grave."""
    place = NAMES.index(name_of(score)) + any(one.grave for one in flags)
    return NAMES[min(place, len(NAMES) - 1)]
