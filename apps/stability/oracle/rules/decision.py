"""Whether it is safe to settle now: one table, the first row that holds decides. Pure.

Document 3 section 2.3. A score of 90 or more is stable, below 75 it halts; 50 basis points off the
peg halt whatever the score. A run that is late is never STABLE, and one that is too old is no
answer at all (`TOO_OLD`): who asks whether it is safe is not told what was true an hour ago.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Literal

Status = Literal["STABLE", "CAUTION", "UNSTABLE"]
STATUSES: tuple[Status, ...] = ("STABLE", "CAUTION", "UNSTABLE")
STABLE_FROM = Decimal(90)  # currentScore
CAUTION_FROM = Decimal(75)  # currentScore
PEG_ALERT_FROM = Decimal(50)  # basis points
EVERY = timedelta(minutes=10)
# not shown: one run may be missed before the answer says so, two before there is none
LATE_AFTER = timedelta(minutes=20)
TOO_OLD = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class State:
    """What is judged: score 0 to 100, deviation in basis points (never below 0), age of the run."""

    score: Decimal
    deviation: Decimal
    age: timedelta


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `code` never changes. `action` is what a treasury system is told to do."""

    code: str
    ref: str
    when: str
    holds: Callable[[State], bool]
    status: Status
    healthy: bool
    action: str


ROWS: tuple[Row, ...] = (
    Row("REL-PEG", "3 §2.3", f"peg.deviationBps is {PEG_ALERT_FROM} or more",
        lambda s: s.deviation >= PEG_ALERT_FROM,
        "UNSTABLE", False, "hold, peg alert active"),
    Row("REL-DEFER", "3 §2.3", f"currentScore is below {CAUTION_FROM}",
        lambda s: s.score < CAUTION_FROM,
        "UNSTABLE", False, "defer large settlements"),
    Row("REL-LATE", "D §5", f"the last run is older than {LATE_AFTER.seconds // 60} minutes",
        lambda s: s.age > LATE_AFTER,
        "CAUTION", False, "proceed with caution: the last run is late"),
    Row("REL-CAUTION", "3 §2.3", f"currentScore is {CAUTION_FROM} or more, below {STABLE_FROM}",
        lambda s: s.score < STABLE_FROM,
        "CAUTION", False, "proceed with caution"),
    Row("REL-STABLE", "3 §2.3", f"currentScore is {STABLE_FROM} or more",
        lambda s: True,
        "STABLE", True, "normal operations"),
)  # fmt: skip


def decide(state: State) -> Row:
    """Return the row that decides."""
    return next(one for one in ROWS if one.holds(state))


def too_old(age: timedelta) -> bool:
    """Tell whether a run is too old to answer from."""
    return age > TOO_OLD
