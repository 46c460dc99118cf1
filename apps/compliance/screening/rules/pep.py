"""Risk levels of PEP matches. Specification: document 1 section 2.6; DESIGN section 4, 2.6."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from rapidfuzz import fuzz

from apps.compliance.screening.rules.offices import Office
from apps.reference.watchlists.rules.score_limits import PEP_SCORE

RiskLevel = Literal["HIGH", "MEDIUM", "LOW", "NONE"]

# Raised whenever a rule or a number below changes; part of every report and cache key.
VERSION = "2026-11.5"
# whole percents; the levels and the 5 points are DESIGN section 4, 2.6
MEDIUM_SCORE = 70
HIGH_SCORE = 85  # a match counts from PEP_SCORE on, and is HIGH from here on
CACHED_HOURS = 6  # document 1 section 8
POSITION_BONUS = 5
POSITION_ALIKE = 85  # token_sort_ratio of two titles that are one office
NEAR_COST = 5

MEASURES = (  # FATF R.12
    "approval by senior management",
    "source of wealth and source of funds",
    "enhanced ongoing monitoring",
)


@dataclass(frozen=True, slots=True)
class PepMatch:
    """One match: the score of its name and the confidence in it, in whole percents.

    `by_sound`: the names agree only across scripts that distinguish few names, and neither the
    requested country nor the given office confirms the match.
    """

    score: int
    confidence: int
    offices: tuple[Office, ...]
    by_sound: bool = False

    def in_national_office(self, day: date) -> bool:
        """Return whether a national office is held now."""
        return any(office.current(day) and office.national() for office in self.offices)


@dataclass(frozen=True, slots=True)
class PepRule:
    """The level of one match; first that holds.

    `code` never changes, `ref` names document, section and rule.
    """

    code: str
    ref: str
    title: str
    level: RiskLevel
    when: Callable[[PepMatch, date], bool]


RULES: tuple[PepRule, ...] = (
    PepRule(
        "holder.by_sound",
        "D §4 2.6 by sound",
        f"Score from {PEP_SCORE}%, by sound alone across scripts, and not confirmed by country or "
        "office",
        "LOW",
        lambda fact, day: fact.by_sound and fact.score >= PEP_SCORE,
    ),
    PepRule(
        "holder.in_office",
        "D §4 2.6 high",
        f"Confidence from {HIGH_SCORE}%, with a national office that is current or whose end is "
        "unknown",
        "HIGH",
        lambda fact, day: fact.confidence >= HIGH_SCORE and fact.in_national_office(day),
    ),
    PepRule(
        "holder.likely",
        "D §4 2.6 medium",
        f"Confidence from {MEDIUM_SCORE}%, or a former or other office",
        "MEDIUM",
        lambda fact, day: fact.confidence >= MEDIUM_SCORE,
    ),
    PepRule(
        "holder.possible",
        "D §4 2.6 low",
        f"Score from {PEP_SCORE}%",
        "LOW",
        lambda fact, day: fact.score >= PEP_SCORE,
    ),
    PepRule(
        "holder.none", "D §4 2.6 none", f"Score below {PEP_SCORE}%", "NONE", lambda fact, day: True
    ),
)
LEVELS_HIGHEST_FIRST: tuple[RiskLevel, ...] = ("HIGH", "MEDIUM", "LOW", "NONE")


def rate_match(fact: PepMatch, day: date) -> PepRule:
    """Return the rule that gives the risk level of a match."""
    return next(rule for rule in RULES if rule.when(fact, day))


def highest_level(levels: list[RiskLevel]) -> RiskLevel:
    """Return the highest of some levels; NONE for no levels."""
    return next((level for level in LEVELS_HIGHEST_FIRST if level in levels), "NONE")


def is_edd_required(risk: RiskLevel) -> bool:
    """Return whether enhanced due diligence is due: for HIGH and MEDIUM."""
    return risk in ("HIGH", "MEDIUM")


def identity_confidence(
    *, score: int, position: str, offices: tuple[Office, ...], near: bool = False
) -> int:
    """Return the confidence that the person is the PEP, in whole percents.

    It is the score of the name, plus 5 if a listed office is the given one. A name that is only
    similar and not confirmed by a country (`near`) counts 5 less unless the office confirms it.
    """
    # a different office never lowers it: lists are incomplete, and people change office
    if holds_given_office(position=position, offices=offices):
        return min(100, score + POSITION_BONUS)
    return max(0, score - NEAR_COST) if near else score


def holds_given_office(*, position: str, offices: tuple[Office, ...]) -> bool:
    """Return whether a listed office is the one that was given."""
    title = position.casefold().strip()
    return bool(title) and any(
        fuzz.token_sort_ratio(title, office.title.casefold()) >= POSITION_ALIKE
        for office in offices
    )
