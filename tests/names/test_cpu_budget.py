"""The CPU time that comparing one party's names may take, on both sides of its end."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from apps.reference.names import cpu_budget
from apps.reference.names.cpu_budget import CpuBudgetExceeded, check_cpu_budget
from apps.reference.names.payee import compare_payee_names


@pytest.fixture
def computes(monkeypatch: Any) -> Callable[[float], None]:
    """Let the thread's CPU time go on: `computes(0.5)`."""
    used = [100.0]
    monkeypatch.setattr(cpu_budget.time, "thread_time", lambda: used[0])

    def compute(seconds: float) -> None:
        used[0] += seconds

    return compute


def test_a_budget_ends_when_it_is_used_up_and_not_before(computes: Any) -> None:
    with cpu_budget.cpu_budget(1.0):
        computes(0.999)
        check_cpu_budget()
        computes(0.001)
        with pytest.raises(CpuBudgetExceeded):
            check_cpu_budget()
    check_cpu_budget()  # nothing is bounded outside


def test_an_inner_budget_never_lengthens_the_outer_one(computes: Any) -> None:
    with cpu_budget.cpu_budget(1.0):
        with cpu_budget.cpu_budget(5.0):
            computes(1.0)
            with pytest.raises(CpuBudgetExceeded):
                check_cpu_budget()
        with pytest.raises(CpuBudgetExceeded):
            check_cpu_budget()


def test_after_a_shorter_inner_budget_the_outer_one_goes_on(computes: Any) -> None:
    with cpu_budget.cpu_budget(2.0):
        with cpu_budget.cpu_budget(0.5):
            computes(1.0)
            with pytest.raises(CpuBudgetExceeded):
                check_cpu_budget()
        check_cpu_budget()


def test_a_budget_counts_for_its_own_thread() -> None:
    ended: list[str] = []

    def other() -> None:
        check_cpu_budget()
        ended.append("unbounded")

    with cpu_budget.cpu_budget(0.0):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        with pytest.raises(CpuBudgetExceeded):
            check_cpu_budget()
    assert ended == ["unbounded"]


def test_payees_that_take_too_long_are_not_compared() -> None:
    names = {"submitted": "Quillmont Bakery Ltd", "registered": "Quillmont Bakery Limited"}
    assert compare_payee_names(**names).band == "MATCH"
    with cpu_budget.cpu_budget(0.0):
        comparison = compare_payee_names(**names)
    assert (comparison.score, comparison.band, comparison.decided.code) == (35, "CLOSE", "P.67")
    assert comparison.unread
