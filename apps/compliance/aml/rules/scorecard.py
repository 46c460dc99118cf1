"""From signals to score, tier and action; the cohort of a wallet; its running risk. Pure.

Document 1 section 2.4, DESIGN.md section 4, 2.4. Points are kept in thousandths.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Literal

from apps.compliance.aml.rules.profile import DAY, Profile
from apps.compliance.aml.rules.signal_context import FiredSignal
from apps.compliance.aml.rules.signals import BY_ID, SIGNALS

Action = Literal["PROCEED", "FLAG", "BLOCK"]
Weights = Mapping[str, Mapping[str, int]]

# Raised whenever a rule, a number or a sentence of these rules changes; part of every record.
VERSION = "2026-11.9"
POINT = 1000
CAUTION = 125  # percent: weight of the behaviour of wallets without history
HALF_LIFE = 90 * DAY  # of the running risk of a wallet
TOGETHER = 60 * POINT  # most of signals that count the same payments
MEASURED = 74 * POINT  # most of all that is no fact: reviewed, never blocked
DEVELOPING_FROM, ESTABLISHED_FROM = 10, 100  # payments of a wallet
FIRST_DAYS = 49 * POINT  # the same of a wallet that is younger than a month: it has no history yet
HIT = 100 * POINT  # least of a sanctions hit, so that score and tier say what the action says
FLAGGED = 50 * POINT  # least where a signal holds that flags by itself
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
    Maturity(
        "NEW",
        "1 §2.4 NEW",
        f"fewer than {DEVELOPING_FROM} payments",
        lambda n: n < DEVELOPING_FROM,
        CAUTION,
    ),
    Maturity(
        "DEVELOPING",
        "1 §2.4 DEVELOPING",
        f"{DEVELOPING_FROM} to {ESTABLISHED_FROM - 1} payments",
        lambda n: n < ESTABLISHED_FROM,
    ),
    Maturity(
        "ESTABLISHED", "1 §2.4 ESTABLISHED", f"{ESTABLISHED_FROM} payments or more", lambda n: True
    ),
)
COHORTS = tuple(maturity.name for maturity in MATURITIES)


@dataclass(frozen=True, slots=True)
class Tier:
    """A row of the table of tiers: from this score on."""

    code: str
    ref: str
    name: str
    least: int
    action: Action
    words: str


BLOCKED_FROM, REVIEWED_FROM, MEDIUM_FROM = 75, 50, 25  # scores of tiers
TIERS: tuple[Tier, ...] = (  # the first whose least is reached
    Tier(
        "AML-1",
        "1 §2.4 CRITICAL",
        "CRITICAL",
        BLOCKED_FROM,
        "BLOCK",
        f"A score of {BLOCKED_FROM} or more blocks.",
    ),
    Tier(
        "AML-2",
        "1 §2.4 HIGH",
        "HIGH",
        REVIEWED_FROM,
        "FLAG",
        f"A score of {REVIEWED_FROM} to {BLOCKED_FROM - 1} is reviewed.",
    ),
    Tier(
        "AML-3",
        "1 §2.4 MEDIUM",
        "MEDIUM",
        MEDIUM_FROM,
        "PROCEED",
        f"A score of {MEDIUM_FROM} to {REVIEWED_FROM - 1} proceeds.",
    ),
    Tier("AML-4", "1 §2.4 LOW", "LOW", 0, "PROCEED", f"A score below {MEDIUM_FROM} proceeds."),
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A rule above the tiers that decides the action."""

    code: str
    ref: str
    words: str


LISTED = Ruling("AML-5", "1 §2.4 rule 1", f"A sanctions hit scores {HIT // POINT} and blocks.")
ESCALATED = Ruling("AML-6", "1 §2.4 rule 2", "The assessment of a flagged payment blocks it.")


@dataclass(frozen=True, slots=True)
class WeighedSignal:
    """A signal that fired and the points (thousandths) that it brings to the score."""

    fired: FiredSignal
    points: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a payment is judged to be. `points` are uncapped thousandths; `rule` decided.

    `evidence` is what the running risk of the wallet hears: what the signals prove together, also
    where it is too little to act upon this one payment, and without what only lifts the score.
    """

    cohort: str
    signals: tuple[WeighedSignal, ...]
    points: int
    evidence: int
    tier: Tier
    action: Action
    rule: Tier | Ruling

    @property
    def score(self) -> int:
        """The score, 0 to 100."""
        return min(100, self.points // POINT)


def prior_weights() -> dict[str, dict[str, int]]:
    """Return the weights before anything was learnt, by cohort and signal."""
    return {name: {signal.id: signal.weight * POINT for signal in SIGNALS} for name in COHORTS}


def maturity_of_count(count: int) -> Maturity:
    """Return the cohort of a wallet of so many payments."""
    return next(maturity for maturity in MATURITIES if maturity.when(count))


def tier_of_score(score: int) -> Tier:
    """Return the tier of a score."""
    return next(tier for tier in TIERS if score >= tier.least)


def judge_signals(
    *,
    signals: Sequence[FiredSignal],
    count: int,
    weights: Weights,
    listed: bool = False,
    young: bool = False,
    vouched: bool = False,
) -> Judgement:
    """Judge the signals of a wallet with `count` payments, excluding dust.

    A `listed` party scores 100 and blocks, whatever the signals. A `young` wallet has no history to
    compare with. A `vouched` wallet (registered or declared) is not blocked because money passes
    through it.
    """
    cohort = maturity_of_count(count)
    weight = weights[cohort.name]
    proved = _cap_repeated_signals(
        [
            WeighedSignal(signal, _signal_points(signal, weight[signal.id], cohort))
            for signal in signals
        ]
    )
    # What is measured brings at most MEASURED; facts add to it. Of a young wallet what it does
    # brings at most FIRST_DAYS, and what the lists have near it comes on top. What flags by itself
    # brings what is missing to FLAGGED, and nothing else.
    flags = [signal for signal in proved if BY_ID[signal.fired.id].flags]
    facts = [signal for signal in proved if is_fact(signal.fired, vouched=vouched)]
    measured = [signal for signal in proved if signal not in flags and signal not in facts]
    if young:
        near_lists = [signal for signal in measured if BY_ID[signal.fired.id].sanctions]
        behaviour = [signal for signal in measured if signal not in near_lists]
        measured = [*_bound_points(behaviour, FIRST_DAYS), *near_lists]
    measured = _bound_points(measured, MEASURED)
    missing = max(0, FLAGGED - sum(signal.points for signal in (*measured, *facts)))
    lifted = [replace(flag, points=0 if place else missing) for place, flag in enumerate(flags)]
    weighed_signals_by_id = {signal.fired.id: signal for signal in (*measured, *facts, *lifted)}
    weighed = tuple(weighed_signals_by_id[signal.fired.id] for signal in proved)
    points = sum(signal.points for signal in weighed)
    # before the bounds that protect young wallets: what is too little to hold a payment still ranks
    # the wallet
    evidence = sum(signal.points for signal in proved if not BY_ID[signal.fired.id].flags)
    if listed:
        # so that score, tier and action say the same
        points = max(points, HIT)
    tier = tier_of_score(min(100, points // POINT))
    if listed:
        return Judgement(cohort.name, weighed, points, evidence, tier, "BLOCK", LISTED)
    return Judgement(cohort.name, weighed, points, evidence, tier, tier.action, tier)


def _signal_points(fired_signal: FiredSignal, weight: int, cohort: Maturity) -> int:
    # nearness to a list is no behaviour: a new wallet does not make it worse
    caution = 100 if BY_ID[fired_signal.id].sanctions else cohort.caution
    # strength and caution are both per cent
    return weight * fired_signal.strength * caution // 10_000


def _cap_repeated_signals(weighed: Sequence[WeighedSignal]) -> tuple[WeighedSignal, ...]:
    """Return signals with their points, limited for signals that count the same payments.

    Many payments within a day, a split sum and many receivers may describe the same payments. Each
    is evidence, but together they are one finding, which goes to review and does not block without
    another. The strongest counts in full, even if its learnt weight exceeds the limit.
    """
    same = [signal for signal in weighed if BY_ID[signal.fired.id].counts_again]
    if sum(signal.points for signal in same) <= TOGETHER:
        return tuple(weighed)
    most = max(same, key=lambda signal: signal.points)
    others = [signal for signal in same if signal is not most]
    room = max(0, TOGETHER - most.points)
    left = dict(zip((other.fired.id for other in others), _share_points(others, room), strict=True))
    return tuple(
        replace(signal, points=left.get(signal.fired.id, signal.points)) for signal in weighed
    )


def _bound_points(weighed: Sequence[WeighedSignal], most: int) -> list[WeighedSignal]:
    """Return signals with their points, each with its share where they are more than a bound."""
    if sum(signal.points for signal in weighed) <= most:
        return list(weighed)
    shares = _share_points(weighed, most)
    return [replace(signal, points=points) for signal, points in zip(weighed, shares, strict=True)]


def is_fact(fired_signal: FiredSignal, *, vouched: bool) -> bool:
    """Return whether a signal is a fact: only with a fact does a score reach BLOCK.

    Money passing through is not a fact for a registered or declared wallet: payroll bureaus, law
    firms and marketplaces live by it.
    """
    return BY_ID[fired_signal.id].is_fact(fired_signal.strength) and not (
        vouched and fired_signal.id == "passed_on"
    )


def _share_points(weighed: Sequence[WeighedSignal], room: int) -> list[int]:
    """Return the points of each when all of them come to `room`, none of which is lost."""
    # shares of running sums: the rounded parts add up to `room` exactly
    until = list(accumulate((weighed_signal.points for weighed_signal in weighed), initial=0))
    whole = until[-1] or 1
    return [after * room // whole - before * room // whole for before, after in pairwise(until)]


def escalate_judgement(judgement: Judgement, *, recommendation: str) -> Judgement:
    """Return a flagged judgement after its assessment: ESCALATE_TO_BLOCK blocks."""
    if judgement.action != "FLAG" or recommendation != "ESCALATE_TO_BLOCK":
        return judgement
    return replace(judgement, action="BLOCK", rule=ESCALATED)


def risk_at(known: Profile, at: int) -> int:
    """Return the running risk of a wallet at a moment, in thousandths: it halves in 90 days."""
    # nothing is halved for a moment before the last screen
    gone = max(0, at - known.risk_at)
    return round(known.risk * 0.5 ** (gone / HALF_LIFE)) if known.risk else 0


def add_running_risk(known: Profile, *, points: int, at: int) -> Profile:
    """Return a profile with its running risk updated by another screen."""
    running = risk_at(known, at)
    lesser = min(running, points)
    more = lesser // AGAIN if lesser >= HIGH else 0
    return replace(known, risk=max(running, points) + more, risk_at=at)
