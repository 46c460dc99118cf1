"""Whether it is safe to settle now: one table, the first row that holds decides. Pure.

Document 3 section 2.3. A score of 90 or more is stable, below 75 settlement halts; a peg deviation
of 50 basis points halts it whatever the score. A run that is late, or with less than 0.8 of the
weight current, is never STABLE.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Literal

from apps.platform.common.bounds import Bounds

Status = Literal["STABLE", "CAUTION", "UNSTABLE"]
STATUSES: tuple[Status, ...] = ("STABLE", "CAUTION", "UNSTABLE")
# points of currentScore
STABLE_FROM = Decimal(90)
CAUTION_FROM = Decimal(75)
# basis points
PEG_ALERT_FROM = Decimal(50)
# share of the weight below which nothing is called stable; ours, the specification has none
COVERAGE_FROM = Decimal("0.8")
EVERY = timedelta(minutes=10)
# ours: one run may be missed before the answer says so, two before there is none, because callers
# must not act on what was true an hour ago
LATE_AFTER = timedelta(minutes=20)
TOO_OLD = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class RunState:
    """The inputs of the decision: score 0 to 100, deviation in basis points (never below 0), age of
    the run, and the share of the weight that was current, 0 to 1.
    """

    score: Decimal
    deviation: Decimal
    age: timedelta
    coverage: Decimal

    @property
    def minutes(self) -> Decimal:
        """The age of the run in minutes."""
        # exact, so that a run of 20 minutes and a microsecond is late
        return Decimal(self.age // timedelta(microseconds=1)) / 60_000_000


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One row; `code` never changes. `action` is the advice to a treasury system.

    It holds where what is `read` lies within `bounds`; `title` names that where it is printed.
    """

    code: str
    ref: str
    title: str
    read: Callable[[RunState], Decimal]
    bounds: Bounds
    status: Status
    healthy: bool
    action: str

    @property
    def when(self) -> str:
        """The condition in words."""
        return f"{self.title} is {self.bounds}"

    def holds(self, state: RunState) -> bool:
        """Tell whether the condition holds."""
        return self.bounds.holds(self.read(state))


def _read_score(state: RunState) -> Decimal:
    return state.score


# what halts settlement comes before what calls for caution
DECISION_ROWS: tuple[DecisionRow, ...] = (
    DecisionRow("REL-PEG", "3 §2.3", "peg.deviationBps", lambda s: s.deviation,
        Bounds(least=PEG_ALERT_FROM),
        "UNSTABLE", False, "hold, peg alert active"),
    DecisionRow("REL-DEFER", "3 §2.3", "currentScore", _read_score,
        Bounds(below=CAUTION_FROM),
        "UNSTABLE", False, "defer large settlements"),
    DecisionRow("REL-LATE", "D §5", "the age of the last run in minutes", lambda s: s.minutes,
        Bounds(above=LATE_AFTER / timedelta(minutes=1)),
        "CAUTION", False, "proceed with caution: the last run is late"),
    DecisionRow("REL-COVERAGE", "D §5", "coverage", lambda s: s.coverage,
        Bounds(below=COVERAGE_FROM),
        "CAUTION", False, "proceed with caution: too many series have stopped"),
    DecisionRow("REL-CAUTION", "3 §2.3", "currentScore", _read_score,
        Bounds(least=CAUTION_FROM, below=STABLE_FROM),
        "CAUTION", False, "proceed with caution"),
    DecisionRow("REL-STABLE", "3 §2.3", "currentScore", _read_score,
        Bounds(least=STABLE_FROM),
        "STABLE", True, "normal operations"),
)  # fmt: skip


def decide_status(state: RunState) -> DecisionRow:
    """Return the row that decides."""
    return next(decision_row for decision_row in DECISION_ROWS if decision_row.holds(state))


def is_too_old(age: timedelta) -> bool:
    """Tell whether a run is too old to answer from."""
    return age > TOO_OLD
