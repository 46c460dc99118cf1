"""Effect of other thresholds on a recorded screen. Pure.

The thresholds of a look-up come from the specification (`watchlists/rules/score_limits.py`) and are
not settings: here a proposal is tested against records, and nothing is changed. Each score is
mapped from the proposed thresholds to the specified ones, so that the rules of a screen judge it
unchanged (`findings.RULES`); what no score decides stays as it was recorded.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import RULES, Decision
from apps.compliance.screening.rules.screen import DECISIONS
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE, PEP_SCORE

LEAST = 20  # lower scores are not recorded: `apps/reference/watchlists/lookup.py`
# rules decided by a score threshold; the others do not depend on the thresholds
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
    """Thresholds in whole percents: where a match blocks, a match flags, a PEP flags."""

    match: int = BLOCK_SCORE
    look: int = PARTIAL_SCORE
    pep: int = PEP_SCORE

    @property
    def fault(self) -> str:
        """Why these cannot be tested against records, or an empty text."""
        if not LEAST <= self.look < self.match <= 100:
            return (
                f"The review threshold must be at least {LEAST} % and below the match threshold, "
                "which is at most 100 %. Lower scores are not recorded."
            )
        if not PEP_SCORE <= self.pep <= 100:
            return (
                f"The PEP threshold must be {PEP_SCORE} to 100 %. Lower PEP scores are not "
                "recorded."
            )
        return ""

    def placed(self, score: int) -> int:
        """Return the specified threshold for the one that a score reaches; 0 below both."""
        # the rules compare with the specified thresholds: a score on one of them is enough
        return BLOCK_SCORE if score >= self.match else PARTIAL_SCORE if score >= self.look else 0

    def placed_holder(self, score: int | None) -> int | None:
        """Return the same for a PEP score; None where PEPs were not screened."""
        return score if score is None else PEP_SCORE if score >= self.pep else 0


SPECIFIED = Thresholds()


def decide_by_placed_scores(facts: ScreenFacts, *, held: Collection[str]) -> Decision:
    """Return the decision on mapped scores; `held` are the codes of the rules that held."""
    decisions = {
        rule.decision
        for rule in RULES
        if (rule.when(facts) if rule.code in BY_SCORE else rule.code in held)
    }
    # most severe first; rules that only inform add None, which decides nothing
    return next(row.decision for row in DECISIONS if row.decision in {*decisions, "APPROVED"})


@dataclass(frozen=True, slots=True)
class RecordedScreen:
    """A recorded screen and an officer's finding.

    `then` is its decision, `otherwise` the decision under other thresholds. `closed`: an officer
    decided it; `approved`: the officer approved; `listed`: the officer found the party, or an
    owner, to be the listed party; `another`: the officer found a different party.
    """

    then: str
    otherwise: str
    closed: bool = False
    approved: bool = False
    listed: bool = False
    another: bool = False


@dataclass(frozen=True, slots=True)
class ThresholdEffect:
    """Effect of a proposal on a screen: the first that holds, most severe first."""

    code: str
    title: str
    when: Callable[[RecordedScreen], bool]


EFFECTS: tuple[ThresholdEffect, ...] = (
    ThresholdEffect(
        "missed",
        "Approved, but officers found a listed party",
        lambda c: c.otherwise == "APPROVED" and c.listed,
    ),
    ThresholdEffect(
        "refused_passes",
        "Approved, but officers rejected it",
        lambda c: c.otherwise == "APPROVED" and c.closed and not c.approved,
    ),
    ThresholdEffect(
        "unblocked",
        "Approved without review, but was blocked",
        lambda c: c.otherwise == "APPROVED" and c.then == "BLOCKED",
    ),
    ThresholdEffect(
        "stopped",
        "Blocked, but officers approved it",
        lambda c: c.otherwise == "BLOCKED" and c.approved,
    ),
    ThresholdEffect(
        "blocked_too",
        "Blocked without review; officers rejected it too",
        lambda c: c.otherwise == "BLOCKED" and c.closed,
    ),
    ThresholdEffect(
        "blocked_anew",
        "Blocked, but was approved without review",
        lambda c: c.otherwise == "BLOCKED",
    ),
    ThresholdEffect(
        "queued_less_grave",
        "Sent to review, but was blocked",
        lambda c: c.otherwise == "FLAGGED" and c.then == "BLOCKED",
    ),
    ThresholdEffect(
        "queued_more",
        "Sent to review, but was approved without it",
        lambda c: c.otherwise == "FLAGGED" and c.then == "APPROVED",
    ),
    ThresholdEffect(
        "saved",
        "Approved without review; officers found a different party",
        lambda c: c.another,
    ),
    ThresholdEffect(
        "cleared",
        "Approved without review; officers approved it for another reason",
        lambda c: True,
    ),
)


def classify_effect(case: RecordedScreen) -> ThresholdEffect | None:
    """Return the effect of a proposal on a screen; None where the decision is the same."""
    if case.then == case.otherwise:
        return None
    return next(effect for effect in EFFECTS if effect.when(case))


def build_rule_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the table of effects for docs/rules.md."""
    rows = [[f"`{effect.code}`", effect.title] for effect in EFFECTS]
    title = "Other thresholds: effect on a recorded screen; the first that holds"
    return [(title, ["Code", "Effect"], rows)]
