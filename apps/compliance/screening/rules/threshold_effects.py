"""What other thresholds would have made of a screen that is on record. Pure.

The thresholds of a look-up are the specification's (`watchlists/rules.py`) and no setting:
here a proposal is held against what was recorded, and nothing is changed. A score is moved to the
side of the specified bar on which it lies of the proposed one, so that the very rules of a screen
judge it (`findings.RULES`); what no such score decides stays as it was recorded.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import RULES, Decision
from apps.compliance.screening.rules.screen import DECISIONS
from apps.reference.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE, PEP_SCORE

LEAST = 20  # what is less alike has no score: `apps/reference/watchlists/lookup.py`
# rules that a threshold of scores decides; all others held, or not, whatever the thresholds
BY_SCORE = frozenset(
    {
        "sanctions.match",
        "sanctions.partial",
        "sanctions.known",
        "pep.match",
        "owner.match",
        "owner.minority",
        "owner.partial",
    }
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds in whole percents: from which score on a match blocks, flags, a PEP flags."""

    match: int = BLOCK_SCORE
    look: int = PARTIAL_SCORE
    pep: int = PEP_SCORE

    @property
    def fault(self) -> str:
        """Why these cannot be held against records, or an empty text."""
        if not LEAST <= self.look < self.match <= 100:
            return (
                f"A look begins from {LEAST} % on and below a match, and a match at 100 % at most: "
                "what is less alike was never scored."
            )
        if not PEP_SCORE <= self.pep <= 100:
            return (
                f"Office holders are found from {PEP_SCORE} % on: what is less alike is not on "
                "record, so that a lower threshold cannot be held against it."
            )
        return ""

    def placed(self, score: int) -> int:
        """Return the score at the specified bar that a score reaches of these, 0 below both."""
        return BLOCK_SCORE if score >= self.match else PARTIAL_SCORE if score >= self.look else 0

    def placed_holder(self, score: int | None) -> int | None:
        """Return the same for the score of an office holder; None where nobody was asked for."""
        return score if score is None else PEP_SCORE if score >= self.pep else 0


SPECIFIED = Thresholds()


def decide_by_placed_scores(facts: ScreenFacts, *, held: Collection[str]) -> Decision:
    """Return the decision on facts of placed scores, where these rules held by their codes."""
    decisions = {
        rule.decision
        for rule in RULES
        if (rule.when(facts) if rule.code in BY_SCORE else rule.code in held)
    }
    return next(row.decision for row in DECISIONS if row.decision in {*decisions, "APPROVED"})


@dataclass(frozen=True, slots=True)
class RecordedScreen:
    """A screen on record, and what an officer found of it.

    `then` is what it was decided, `otherwise` what it would have been. `closed` tells that an
    officer decided it, `approved` how; `listed` that the officer found the party, or an owner, to
    be the listed one, `another` that it is not.
    """

    then: str
    otherwise: str
    closed: bool = False
    approved: bool = False
    listed: bool = False
    another: bool = False


@dataclass(frozen=True, slots=True)
class ThresholdEffect:
    """What a proposal would have done to a screen: first that holds, gravest first."""

    code: str
    title: str
    when: Callable[[RecordedScreen], bool]


EFFECTS: tuple[ThresholdEffect, ...] = (
    ThresholdEffect(
        "missed",
        "Approved, though officers found it to be the listed one",
        lambda c: c.otherwise == "APPROVED" and c.listed,
    ),
    ThresholdEffect(
        "refused_passes",
        "Approved, though officers refused it",
        lambda c: c.otherwise == "APPROVED" and c.closed and not c.approved,
    ),
    ThresholdEffect(
        "unblocked",
        "Approved without an officer, though it was blocked",
        lambda c: c.otherwise == "APPROVED" and c.then == "BLOCKED",
    ),
    ThresholdEffect(
        "stopped",
        "Blocked, though officers let it pass",
        lambda c: c.otherwise == "BLOCKED" and c.approved,
    ),
    ThresholdEffect(
        "blocked_too",
        "Blocked at once, and officers refused it as well",
        lambda c: c.otherwise == "BLOCKED" and c.closed,
    ),
    ThresholdEffect(
        "blocked_anew",
        "Blocked, though it was approved without an officer",
        lambda c: c.otherwise == "BLOCKED",
    ),
    ThresholdEffect(
        "queued_less_grave",
        "Sent to an officer, though it was blocked",
        lambda c: c.otherwise == "FLAGGED" and c.then == "BLOCKED",
    ),
    ThresholdEffect(
        "queued_more",
        "Sent to an officer, though it was approved without one",
        lambda c: c.otherwise == "FLAGGED" and c.then == "APPROVED",
    ),
    ThresholdEffect(
        "saved",
        "Approved without an officer, who found it to be another party",
        lambda c: c.another,
    ),
    ThresholdEffect(
        "cleared",
        "Approved without an officer, who let it pass for another reason",
        lambda c: True,
    ),
)


def classify_effect(case: RecordedScreen) -> ThresholdEffect | None:
    """Return what a proposal would have done to a screen; None where the decision is the same."""
    if case.then == case.otherwise:
        return None
    return next(effect for effect in EFFECTS if effect.when(case))


def build_rule_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the table of effects as the printed page of rules has it."""
    rows = [[f"`{effect.code}`", effect.title] for effect in EFFECTS]
    title = "Other thresholds: what they would have made of a screen; the first that holds"
    return [(title, ["Code", "What would have happened"], rows)]
