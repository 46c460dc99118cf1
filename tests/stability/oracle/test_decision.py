"""Whether it is safe to settle now: the decision table and the uptime, each bound on both sides."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from apps.insight.stability.oracle.rules.confidence import WeighedSeries, compute_confidence
from apps.insight.stability.oracle.rules.decision import (
    DECISION_ROWS,
    RunState,
    decide_status,
    is_too_old,
)
from apps.insight.stability.oracle.rules.uptime import (
    WINDOW,
    Uptime,
    measure_uptime,
    slot_of_moment,
    start_of_slot,
)

FRESH = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("score", "bps", "minutes", "coverage", "code", "status"),
    [
        ("100", "0", 0, "1", "REL-STABLE", "STABLE"),
        ("90", "49.999999", 20, "0.8", "REL-STABLE", "STABLE"),
        ("89.9999999", "0", 0, "1", "REL-CAUTION", "CAUTION"),
        ("75", "0", 0, "1", "REL-CAUTION", "CAUTION"),
        ("74.9999999", "0", 0, "1", "REL-DEFER", "UNSTABLE"),
        ("0", "0", 0, "1", "REL-DEFER", "UNSTABLE"),
        ("100", "50", 0, "1", "REL-PEG", "UNSTABLE"),
        ("60", "50", 30, "0.7", "REL-PEG", "UNSTABLE"),
        ("100", "0", 21, "1", "REL-LATE", "CAUTION"),
        ("80", "0", 21, "0.7", "REL-LATE", "CAUTION"),
        ("74", "0", 21, "1", "REL-DEFER", "UNSTABLE"),
        ("100", "0", 0, "0.7999", "REL-COVERAGE", "CAUTION"),
        ("80", "0", 0, "0.7999", "REL-COVERAGE", "CAUTION"),
        ("74", "0", 0, "0.7999", "REL-DEFER", "UNSTABLE"),
    ],
)
def test_the_first_row_that_holds_decides(
    score: str, bps: str, minutes: int, coverage: str, code: str, status: str
) -> None:
    age = timedelta(minutes=minutes)
    row = decide_status(RunState(Decimal(score), Decimal(bps), age, Decimal(coverage)))
    assert (row.code, row.status, row.healthy) == (code, status, code == "REL-STABLE")


def test_every_row_has_a_code_of_its_own_and_is_reached() -> None:
    assert len({decision_row.code for decision_row in DECISION_ROWS}) == len(DECISION_ROWS) == 6


@pytest.mark.parametrize(("seconds", "old"), [(1800, False), (1801, True)])
def test_a_run_of_more_than_half_an_hour_is_no_answer(seconds: int, old: bool) -> None:
    assert is_too_old(timedelta(seconds=seconds)) is old


def test_a_slot_is_ten_minutes() -> None:
    at = datetime(2026, 11, 20, 12, 9, 59, tzinfo=UTC)
    assert start_of_slot(slot_of_moment(at)) == datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    assert slot_of_moment(at + timedelta(seconds=1)) == slot_of_moment(at) + 1


@pytest.mark.parametrize(
    ("first", "slot", "good", "due", "percent"),
    [(100, 100, 1, 1, "100"), (100, 101, 1, 2, "50"), (100, 102, 2, 3, "66.66"),
     (100, 100 + WINDOW - 1, WINDOW, WINDOW, "100"), (100, 100 + WINDOW, WINDOW, WINDOW, "100"),
     (100, 100, 0, 1, "0")],
)  # fmt: skip
def test_uptime_is_of_the_runs_that_were_due(
    first: int, slot: int, good: int, due: int, percent: str
) -> None:
    uptime = measure_uptime(first=first, slot=slot, good=good)
    assert (uptime.due, uptime.percent) == (due, Decimal(percent))


@pytest.mark.parametrize(("slot", "due"), [(10, 4), (11, 4), (12, 5), (13, 6)])
def test_a_slot_that_is_over_without_a_run_was_missed(slot: int, due: int) -> None:
    assert Uptime(10, 4, 4).at(slot).due == due


def test_nothing_due_is_no_uptime() -> None:
    assert Uptime(0, 0, 0).percent == 0


def test_confidence_counts_what_is_estimated_half_and_what_lacks_not_at_all() -> None:
    def held(counts: bool, observed: bool) -> WeighedSeries:
        return WeighedSeries(Decimal(1), counts, observed)

    assert compute_confidence([held(True, True)] * 3) == 100
    assert compute_confidence([held(True, False)] * 3) == 50
    assert compute_confidence([held(True, True), held(True, False), held(False, True)]) == 50
    assert compute_confidence([held(True, True)] * 2 + [held(False, True)]) == Decimal("66.66")
    assert compute_confidence([]) == 0
