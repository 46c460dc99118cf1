"""Calls on the coming 48 hours: how often what is now was followed by a rise or a fall. Pure.

Publishers are late: what is known now is of some days ago. So a call reaches from the last day that
is known to 48 hours from now, and a case is a day of the past that is followed by a value so much
later, or when markets open again. Its state is the band it was in and where it had gone over the
48 hours before. A call is the frequency of what followed in all earlier cases of the same state,
and is held against what followed in all cases whatsoever: without an edge over that, it carries no
conviction.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

AHEAD = timedelta(hours=48)
SLACK = timedelta(days=4)  # a weekend and holidays, after which a value is of another time
LEAST = 30  # cases of a state, under which there is no call
HIGHER, LOWER, UNCHANGED, NO_CALL = "HIGHER", "LOWER", "UNCHANGED", "NO_CALL"
OUTCOMES = (HIGHER, LOWER, UNCHANGED)
WORDS = (*OUTCOMES, NO_CALL)
# standard errors of the frequency by which it differs from that of all cases -> conviction
CONVICTIONS: tuple[tuple[int, str], ...] = ((1, "NONE"), (2, "WEAK"))
CLEAR = "CLEAR"
CONVICTION_WORDS = (*(word for _, word in CONVICTIONS), CLEAR)

Trail = Sequence[tuple[date, Decimal]]
State = tuple[str, str]
Chances = dict[str, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What was on a day, when it was resolved, and how."""

    day: date
    state: State
    resolved: date
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How calls of each past case, made of the cases before it alone, would have done.

    `brier` is the mean of squared errors over all outcomes (0 is perfect, 2 the worst), `base`
    that of the frequencies of all earlier cases together.
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
    """What the past says of the coming 48 hours; no `chances` where too few cases are known.

    `apart` is how many of the `cases` do not overlap: what they are worth against chance.
    """

    direction: str
    state: State | None
    cases: int
    apart: int
    chances: Chances
    base: Chances
    all_cases: int
    record: Record | None

    @property
    def edge(self) -> Decimal | None:
        """By how much what is called is likelier now than after any day."""
        if self.direction == NO_CALL:
            return None
        return self.chances[self.direction] - self.base[self.direction]

    @property
    def conviction(self) -> str:
        """How far that is more than chance would give; see CONVICTIONS."""
        if self.edge is None:
            return CONVICTIONS[0][1]
        base = self.base[self.direction]
        error = (base * (1 - base) / self.apart).sqrt()
        return next((word for bound, word in CONVICTIONS if self.edge < bound * error), CLEAR)


def move(before: Decimal, after: Decimal) -> str:
    """Return where a score went."""
    if before == after:
        return UNCHANGED
    return HIGHER if after > before else LOWER


def call(trail: Trail, band_of: Callable[[Decimal], str], ahead: timedelta) -> Call:
    """Return the call that a trail gives at its end, for so long after its last day."""
    every = cases(trail, band_of, ahead)
    state = _state(trail, len(trail) - 1, band_of) if trail else None
    same = [one for one in every if one.state == state]
    counted = Counter(one.outcome for one in same)
    said = chances(counted) if len(same) >= LEAST else {}
    return Call(
        direction=max(said, key=lambda name: said[name]) if said else NO_CALL,
        state=state,
        cases=len(same),
        apart=apart(same),
        chances=said,
        base=chances(Counter(one.outcome for one in every)) if said else {},
        all_cases=len(every),
        record=record(every),
    )


def apart(found: Sequence[Case]) -> int:
    """Return how many cases there are of which each begins when the one before had ended."""
    count, ended = 0, date.min
    for one in found:
        if one.day >= ended:
            count, ended = count + 1, one.resolved
    return count


def chances(counted: Counter[str]) -> Chances:
    """Return the share of each outcome, one case of each added (Laplace), so that none is 0."""
    whole = counted.total() + len(OUTCOMES)
    return {name: Decimal(counted[name] + 1) / whole for name in OUTCOMES}


def cases(trail: Trail, band_of: Callable[[Decimal], str], ahead: timedelta) -> list[Case]:
    """Return each day of a trail that has a state and was resolved, oldest first."""
    found, last = [], 0
    for at, (day, score) in enumerate(trail):
        while last < len(trail) and trail[last][0] < day + ahead:
            last += 1
        state = _state(trail, at, band_of)
        if last < len(trail) and trail[last][0] <= day + ahead + SLACK and state:
            then, after = trail[last]
            found.append(Case(day=day, state=state, resolved=then, outcome=move(score, after)))
    return found


def _state(trail: Trail, at: int, band_of: Callable[[Decimal], str]) -> State | None:
    """Return a day's band, and where it came from over the 48 hours before; None after a gap."""
    day, score = trail[at]
    for then, before in reversed(trail[max(at - 4, 0) : at]):
        if then <= day - AHEAD:
            return (band_of(score), move(before, score)) if then >= day - SLACK else None
    return None


def record(every: Sequence[Case]) -> Record | None:
    """Return how calls would have done, walking forward; None where too few could be made."""
    open_ = deque[Case]()
    by_state: dict[State, Counter[str]] = {}
    whole = Counter[str]()
    mine, base, scored = Decimal(0), Decimal(0), 0
    for one in every:
        while open_ and open_[0].resolved <= one.day:
            done = open_.popleft()
            by_state.setdefault(done.state, Counter())[done.outcome] += 1
            whole[done.outcome] += 1
        same = by_state.get(one.state, Counter())
        if same.total() >= LEAST:
            mine += brier(chances(same), one.outcome)
            base += brier(chances(whole), one.outcome)
            scored += 1
        open_.append(one)
    if scored < LEAST:
        return None
    return Record(scored=scored, brier=mine / scored, base=base / scored)


def brier(said: Chances, outcome: str) -> Decimal:
    """Return the squared error of chances, over all outcomes (Brier 1950)."""
    return sum(((said[name] - (name == outcome)) ** 2 for name in OUTCOMES), Decimal(0))
