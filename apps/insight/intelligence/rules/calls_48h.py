"""Calls on the coming 48 hours: how often a state was followed by a rise or a fall. Pure.

Publishers are late: the last known value is some days old. A call therefore spans from the last
known day to 48 hours from now, and a case is a past day with a value that much later, or when
markets next opened. Its state is its band and the direction of the 48 hours before. A call is the
frequency of each outcome in earlier cases of the same state, compared with the frequency in all
cases; without an edge over that, it carries no conviction.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

AHEAD = timedelta(hours=48)
# a weekend and holidays; a later value is of another time
MAX_DELAY = timedelta(days=4)
# cases of a state below which there is no call
LEAST_CASES = 30
HIGHER, LOWER, UNCHANGED, NO_CALL = "HIGHER", "LOWER", "UNCHANGED", "NO_CALL"
OUTCOMES = (HIGHER, LOWER, UNCHANGED)
WORDS = (*OUTCOMES, NO_CALL)
# standard errors of the frequency by which it differs from that of all cases -> conviction
CONVICTIONS: tuple[tuple[int, str], ...] = ((1, "NONE"), (2, "WEAK"))
CLEAR_CONVICTION = "CLEAR"
CONVICTION_WORDS = (*(word for _, word in CONVICTIONS), CLEAR_CONVICTION)

ScoreHistory = Sequence[tuple[date, Decimal]]
CaseState = tuple[str, str]
OutcomeChances = dict[str, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCase:
    """What was on a day, when it was resolved, and how."""

    day: date
    state: CaseState
    resolved: date
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTrackRecord:
    """How calls of each past case, made of the cases before it alone, would have done.

    `brier` is the mean of squared errors over all outcomes (0 is perfect, 2 the worst),
    `base` that of the frequencies of all earlier cases together.
    """

    scored: int
    brier: Decimal
    base: Decimal

    @property
    def skill(self) -> Decimal:
        """How much of the error of the base the calls took away; below 0 they added to it."""
        return 1 - self.brier / self.base if self.base else Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What the past says of the coming 48 hours; no `chances` if too few cases are known.

    `apart` is how many of the `cases` do not overlap in time.
    """

    direction: str
    state: CaseState | None
    cases: int
    apart: int
    chances: OutcomeChances
    base: OutcomeChances
    all_cases: int
    record: CallTrackRecord | None

    @property
    def edge(self) -> Decimal | None:
        """How much more likely the called outcome is now than after any day."""
        if self.direction == NO_CALL:
            return None
        return self.chances[self.direction] - self.base[self.direction]

    @property
    def conviction(self) -> str:
        """How far the edge exceeds chance; see CONVICTIONS."""
        if self.edge is None:
            return CONVICTIONS[0][1]
        base = self.base[self.direction]
        # of the cases that do not overlap: neighbouring days share their outcome and are no
        # evidence of their own
        error = (base * (1 - base) / self.apart).sqrt()
        return next(
            (word for bound, word in CONVICTIONS if self.edge < bound * error), CLEAR_CONVICTION
        )


def direction_of_move(before: Decimal, after: Decimal) -> str:
    """Return where a score went."""
    if before == after:
        return UNCHANGED
    return HIGHER if after > before else LOWER


def make_call(trail: ScoreHistory, band_of: Callable[[Decimal], str], ahead: timedelta) -> Call:
    """Return the call that a trail gives at its end, for so long after its last day."""
    past_cases = collect_past_cases(trail, band_of, ahead)
    state = _state_on_day(trail, len(trail) - 1, band_of) if trail else None
    same = [case for case in past_cases if case.state == state]
    counted = Counter(case.outcome for case in same)
    chances = smoothed_chances(counted) if len(same) >= LEAST_CASES else {}
    return Call(
        direction=max(chances, key=lambda name: chances[name]) if chances else NO_CALL,
        state=state,
        cases=len(same),
        apart=count_separate_cases(same),
        chances=chances,
        base=smoothed_chances(Counter(case.outcome for case in past_cases)) if chances else {},
        all_cases=len(past_cases),
        record=score_past_calls(past_cases),
    )


def count_separate_cases(call_cases: Sequence[CallCase]) -> int:
    """Return how many cases there are of which each begins when the one before had ended."""
    count, ended = 0, date.min
    for call_case in call_cases:
        if call_case.day >= ended:
            count, ended = count + 1, call_case.resolved
    return count


def smoothed_chances(counted: Counter[str]) -> OutcomeChances:
    """Return the share of each outcome, one case of each added (Laplace), so that none is 0."""
    whole = counted.total() + len(OUTCOMES)
    return {name: Decimal(counted[name] + 1) / whole for name in OUTCOMES}


def collect_past_cases(
    trail: ScoreHistory, band_of: Callable[[Decimal], str], ahead: timedelta
) -> list[CallCase]:
    """Return each day of a trail that has a state and was resolved, oldest first."""
    call_cases, last = [], 0
    for at, (day, score) in enumerate(trail):
        while last < len(trail) and trail[last][0] < day + ahead:
            last += 1
        state = _state_on_day(trail, at, band_of)
        if last < len(trail) and trail[last][0] <= day + ahead + MAX_DELAY and state:
            then, after = trail[last]
            call_cases.append(
                CallCase(
                    day=day, state=state, resolved=then, outcome=direction_of_move(score, after)
                )
            )
    return call_cases


def _state_on_day(
    trail: ScoreHistory, at: int, band_of: Callable[[Decimal], str]
) -> CaseState | None:
    """Return a day's band and its move over the 48 hours before; None after a gap."""
    day, score = trail[at]
    # at most four daily values lie within 48 hours and a weekend
    for then, before in reversed(trail[max(at - 4, 0) : at]):
        if then <= day - AHEAD:
            return (
                (band_of(score), direction_of_move(before, score))
                if then >= day - MAX_DELAY
                else None
            )
    return None


def score_past_calls(past_cases: Sequence[CallCase]) -> CallTrackRecord | None:
    """Return how calls would have done, walking forward; None where too few could be made."""
    open_ = deque[CallCase]()
    by_state: dict[CaseState, Counter[str]] = {}
    whole = Counter[str]()
    mine, base, scored = Decimal(0), Decimal(0), 0
    for call_case in past_cases:
        # a case teaches only from the day on which its outcome was known
        while open_ and open_[0].resolved <= call_case.day:
            done = open_.popleft()
            by_state.setdefault(done.state, Counter())[done.outcome] += 1
            whole[done.outcome] += 1
        same = by_state.get(call_case.state, Counter())
        if same.total() >= LEAST_CASES:
            mine += brier_score(smoothed_chances(same), call_case.outcome)
            base += brier_score(smoothed_chances(whole), call_case.outcome)
            scored += 1
        open_.append(call_case)
    if scored < LEAST_CASES:
        return None
    return CallTrackRecord(scored=scored, brier=mine / scored, base=base / scored)


def brier_score(said: OutcomeChances, outcome: str) -> Decimal:
    """Return the squared error of chances, over all outcomes (Brier 1950)."""
    return sum(((said[name] - (name == outcome)) ** 2 for name in OUTCOMES), Decimal(0))
