"""From signals to score, tier and action; the cohort of a wallet; its running risk. Pure.

Document 1 section 2.4, DESIGN.md section 4, 2.4. Points are kept in thousandths.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

from apps.aml.rules.profile import DAY, Profile
from apps.aml.rules.scene import Fired
from apps.aml.rules.signals import BY_ID, SIGNALS

Action = Literal["PROCEED", "FLAG", "BLOCK"]
Weights = Mapping[str, Mapping[str, int]]

# Raised whenever a rule, a number or a sentence of these rules changes; part of every record.
VERSION = "2026-11.5"
POINT = 1000
CAUTION = 125  # per cent: what behaviour weighs of wallets that nobody knows yet
HALF_LIFE = 90 * DAY  # of the running risk of a wallet
TOGETHER = 60 * POINT  # most of signals that count the same payments: looked at, never blocked
AGAIN = 4  # the part of the lesser that a further finding adds to the running risk
HIGH = 50 * POINT  # of which both must be: low scores add up to nothing, however many there are


@dataclass(frozen=True, slots=True)
class Maturity:
    """A row of the table of cohorts; the first that holds. `caution` in per cent."""

    name: str
    ref: str
    words: str
    when: Callable[[int], bool]
    caution: int = 100


MATURITIES: tuple[Maturity, ...] = (
    Maturity("UNKNOWN", "1 §2.4 UNKNOWN", "no payment before", lambda n: n == 0, CAUTION),
    Maturity("NEW", "1 §2.4 NEW", "fewer than 10 payments", lambda n: n < 10, CAUTION),
    Maturity("DEVELOPING", "1 §2.4 DEVELOPING", "10 to 99 payments", lambda n: n < 100),
    Maturity("ESTABLISHED", "1 §2.4 ESTABLISHED", "100 payments or more", lambda n: True),
)
COHORTS = tuple(one.name for one in MATURITIES)


@dataclass(frozen=True, slots=True)
class Tier:
    """A row of the table of tiers: from this score on."""

    code: str
    ref: str
    name: str
    least: int
    action: Action
    words: str


TIERS: tuple[Tier, ...] = (  # the first whose least is reached
    Tier("AML-1", "1 §2.4 CRITICAL", "CRITICAL", 75, "BLOCK", "A score of 75 or more blocks."),
    Tier("AML-2", "1 §2.4 HIGH", "HIGH", 50, "FLAG", "A score of 50 to 74 is looked at."),
    Tier("AML-3", "1 §2.4 MEDIUM", "MEDIUM", 25, "PROCEED", "A score of 25 to 49 proceeds."),
    Tier("AML-4", "1 §2.4 LOW", "LOW", 0, "PROCEED", "A score below 25 proceeds."),
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A rule above the tiers that decides the action."""

    code: str
    ref: str
    words: str


LISTED = Ruling("AML-5", "1 §2.4 rule 1", "A sanctions hit blocks, whatever the score.")
ESCALATED = Ruling("AML-6", "1 §2.4 rule 2", "The assessment of a flagged payment blocks it.")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A signal that fired and the points (thousandths) that it brought."""

    fired: Fired
    points: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a payment is judged to be. `points` are uncapped thousandths; `rule` decided."""

    cohort: str
    signals: tuple[Weighed, ...]
    points: int
    tier: Tier
    action: Action
    rule: Tier | Ruling

    @property
    def score(self) -> int:
        """The score, 0 to 100."""
        return min(100, self.points // POINT)


def prior() -> dict[str, dict[str, int]]:
    """Return the weights before anything was learnt, by cohort and signal."""
    return {name: {one.id: one.weight * POINT for one in SIGNALS} for name in COHORTS}


def maturity(count: int) -> Maturity:
    """Return the cohort of a wallet of so many payments."""
    return next(one for one in MATURITIES if one.when(count))


def tier_of(score: int) -> Tier:
    """Return the tier of a score."""
    return next(one for one in TIERS if score >= one.least)


def judge(
    *, signals: Sequence[Fired], count: int, weights: Weights, listed: bool = False
) -> Judgement:
    """Judge what fired for a wallet of `count` payments, dust not counted.

    A `listed` party blocks whatever the score.
    """
    cohort = maturity(count)
    held = weights[cohort.name]
    weighed = _counted_once([Weighed(one, _points(one, held[one.id], cohort)) for one in signals])
    points = sum(one.points for one in weighed)
    tier = tier_of(min(100, points // POINT))
    if listed:
        return Judgement(cohort.name, weighed, points, tier, "BLOCK", LISTED)
    return Judgement(cohort.name, weighed, points, tier, tier.action, tier)


def _points(one: Fired, weight: int, cohort: Maturity) -> int:
    caution = 100 if BY_ID[one.id].sanctions else cohort.caution
    return weight * one.strength * caution // 10_000


def _counted_once(weighed: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """Return signals with the points that each brings: what counts the same payments is bounded.

    That a wallet pays many within a day, that their sum is split and that they go to many is all
    told of the same payments. Each is evidence, and the more so the weaker each is by itself; but
    together they are one finding, at which somebody looks, and block nothing without another. The
    strongest is whole, also where what was learnt of it is more than all may bring.
    """
    same = [one for one in weighed if BY_ID[one.fired.id].counts_again]
    if sum(one.points for one in same) <= TOGETHER:
        return tuple(weighed)
    most = max(same, key=lambda one: one.points)
    others = [one for one in same if one is not most]
    room = max(0, TOGETHER - most.points)
    left = dict(zip((one.fired.id for one in others), _shared(others, room), strict=True))
    return tuple(replace(one, points=left.get(one.fired.id, one.points)) for one in weighed)


def _shared(weighed: Sequence[Weighed], room: int) -> list[int]:
    """Return the points of each when all of them come to `room`, none of which is lost."""
    until = list(accumulate((one.points for one in weighed), initial=0))
    whole = until[-1] or 1
    return [after * room // whole - before * room // whole for before, after in pairwise(until)]


def escalated(found: Judgement, *, recommendation: str) -> Judgement:
    """Return a flagged judgement after its assessment: ESCALATE_TO_BLOCK blocks."""
    if found.action != "FLAG" or recommendation != "ESCALATE_TO_BLOCK":
        return found
    return replace(found, action="BLOCK", rule=ESCALATED)


def risk_at(known: Profile, at: int) -> int:
    """Return the running risk of a wallet at a moment, in thousandths: it halves in 90 days."""
    gone = max(0, at - known.risk_at)
    return round(known.risk * 0.5 ** (gone / HALF_LIFE)) if known.risk else 0


def with_risk(known: Profile, *, points: int, at: int) -> Profile:
    """Return a profile whose running risk has heard of another screen."""
    held = risk_at(known, at)
    lesser = min(held, points)
    more = lesser // AGAIN if lesser >= HIGH else 0
    return replace(known, risk=max(held, points) + more, risk_at=at)
