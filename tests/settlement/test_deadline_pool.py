"""Checks run side by side, and whoever asks is answered by the deadline."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from apps.payments.settlement import check_judgements, deadline_pool
from apps.platform.upstreams.deadlines import DeadlineExceeded


def by(seconds: float) -> float:
    """The moment that is so many seconds from now."""
    return time.monotonic() + seconds


@pytest.fixture
def threads(settings: Any) -> Iterator[None]:
    settings.FLOW_CHECK_THREADS = 3
    deadline_pool.stop_threads()
    yield
    deadline_pool.stop_threads()


@pytest.mark.django_db(transaction=True)
class TestThreads:
    def test_they_run_at_the_same_time(self, threads: None) -> None:
        meet = threading.Barrier(3, timeout=10)
        tasks = deadline_pool.run_tasks(dict.fromkeys("abc", meet.wait), ends=by(10))
        assert sorted(one for one, _ in tasks.values()) == [0, 1, 2]

    def test_one_that_hangs_is_late_and_the_others_are_there(self, threads: None) -> None:
        free = threading.Event()
        tasks = deadline_pool.run_tasks({"hangs": free.wait, "quick": lambda: 7}, ends=by(0.3))
        free.set()
        assert isinstance(tasks["hangs"][0], DeadlineExceeded) and tasks["quick"][0] == 7

    def test_what_is_raised_is_what_was_found(self, threads: None) -> None:
        tasks = deadline_pool.run_tasks({"broken": lambda: 1 // 0}, ends=by(5))
        assert isinstance(tasks["broken"][0], ZeroDivisionError)

    def test_one_without_a_thread_is_late(self, threads: None) -> None:
        free = threading.Event()
        held = {str(n): free.wait for n in range(3)}
        tasks = deadline_pool.run_tasks(held | {"last": lambda: 7}, ends=by(0.3))
        free.set()
        assert isinstance(tasks["last"][0], DeadlineExceeded)
        assert deadline_pool.run_tasks({"next": lambda: 8}, ends=by(5))["next"][0] == 8


def test_without_threads_none_begins_after_the_deadline(settings: Any) -> None:
    settings.FLOW_CHECK_THREADS = 0
    tasks = deadline_pool.run_tasks(
        {"slow": lambda: time.sleep(0.05), "late": lambda: 7}, ends=by(0.01)
    )
    assert isinstance(tasks["slow"][0], DeadlineExceeded) and isinstance(
        tasks["late"][0], DeadlineExceeded
    )


@pytest.mark.django_db(transaction=True)
def test_a_register_that_does_not_answer_holds_the_flow_by_the_deadline(
    threads: None, known: str, steady: None, flow: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()
    hangs = replace(check_judgements.CHECKS["sanctions"], look=lambda wallet: free.wait(60))
    monkeypatch.setattr(check_judgements, "CHECKS", {**check_judgements.CHECKS, "sanctions": hangs})
    monkeypatch.setattr("apps.payments.settlement.flow_check.DEADLINE_SECONDS", 3.0)
    found = flow()
    free.set()
    assert found["decision"] == "HOLD" and "could not run" in found["blockReason"]
    outcome_by_name = {check["name"]: check["outcome"] for check in found["checks"]}
    assert outcome_by_name.pop("sanctions") == "NOT_RUN" and set(outcome_by_name.values()) == {
        "PASS"
    }
