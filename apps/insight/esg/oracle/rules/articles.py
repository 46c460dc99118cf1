"""The evidence that an entity needs for compatibility with SFDR Articles 8 and 9. Pure.

Document 3 section 2.4 for Article 9; the rest is our own choice.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

ELEVATED = "ELEVATED_RISK"
UNKNOWN = "DATA_REQUIRED"
# PAI indicators: UN Global Compact and OECD Guidelines; controversial weapons
VIOLATIONS = (10, 14)
_NAMED_VIOLATIONS = f"Indicators {' and '.join(map(str, VIOLATIONS))}"
OURS = "D §4 ESG oracle"
# composite, document 3 section 2.4
ARTICLE_9_LEAST = 80
# ours, for composite and governance: Article 8(1) of Regulation (EU) 2019/2088 requires good
# governance without giving a measure
ARTICLE_8_LEAST = 50


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """What is known of an entity: its score, its indicators' statuses by number, its alignment."""

    composite: int
    governance: int
    statuses: Mapping[int, str]
    taxonomy_aligned: bool = False


@dataclass(frozen=True, slots=True)
class ArticleCondition:
    """One thing that must hold for an article. `code` never changes."""

    code: str
    ref: str
    article: int
    title: str
    holds: Callable[[EntityFacts], bool]


def _has_no_elevated_risk(facts: EntityFacts) -> bool:
    # "no active PAI violations" of document 3 section 2.4; DATA_REQUIRED alone is none, ART9-3 asks
    # for the two that matter to be known
    return ELEVATED not in facts.statuses.values()


def _has_no_violation(facts: EntityFacts) -> bool:
    return all(facts.statuses.get(number) != ELEVATED for number in VIOLATIONS)


def _has_known_violation_status(facts: EntityFacts) -> bool:
    return all(facts.statuses.get(number, UNKNOWN) != UNKNOWN for number in VIOLATIONS)


CONDITIONS: tuple[ArticleCondition, ...] = (
    ArticleCondition(
        "ART9-1",
        "3 §2.4",
        9,
        f"The composite is {ARTICLE_9_LEAST} or more.",
        lambda facts: facts.composite >= ARTICLE_9_LEAST,
    ),
    ArticleCondition(
        "ART9-2", "3 §2.4", 9, "No PAI indicator is at elevated risk.", _has_no_elevated_risk
    ),
    ArticleCondition(
        "ART9-3",
        OURS,
        9,
        f"{_NAMED_VIOLATIONS} (violations, weapons) are known.",
        _has_known_violation_status,
    ),
    ArticleCondition(
        "ART9-4",
        "3 §2.4",
        9,
        "Evidence of EU taxonomy alignment is on record.",
        lambda facts: facts.taxonomy_aligned,
    ),
    ArticleCondition(
        "ART8-1",
        OURS,
        8,
        f"The composite is {ARTICLE_8_LEAST} or more.",
        lambda facts: facts.composite >= ARTICLE_8_LEAST,
    ),
    ArticleCondition(
        "ART8-2",
        OURS,
        8,
        f"Governance is {ARTICLE_8_LEAST} or more.",
        lambda facts: facts.governance >= ARTICLE_8_LEAST,
    ),
    ArticleCondition(
        "ART8-3", OURS, 8, f"{_NAMED_VIOLATIONS} are not at elevated risk.", _has_no_violation
    ),
)


def list_failing_conditions(facts: EntityFacts, article: int) -> list[ArticleCondition]:
    """Return the conditions of an article that do not hold; none means that it is compatible."""
    return [
        condition
        for condition in CONDITIONS
        if condition.article == article and not condition.holds(facts)
    ]
