"""Limit the CPU time of comparing one party's names in a thread.

Callers can send any text, including one that takes long to compare. A worker that computes for half
a minute is ended by its server, and the caller's connection breaks: worse than an answer that the
name was not checked. Every loop over readings, parts, aliases, holders or listed names calls
`check_cpu_budget`; C code between two calls is bounded by the length of its input
(`MAX_CHARACTERS` and `MAX_TOKENS`).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class CpuBudgetExceeded(Exception):
    """The CPU time that the names of a party may take is used up."""


class _ThreadBudget(threading.local):
    """When the budget of a thread ends, by the clock of its own CPU time; None without one."""

    ends_at: float | None = None


_thread = _ThreadBudget()


@contextmanager
def cpu_budget(seconds: float) -> Iterator[None]:
    """Bound the CPU time of what this thread computes within; an outer budget goes on counting."""
    outer = _thread.ends_at
    # time of the processor, not of the clock: a busy host must not leave names unread, and the
    # answer to a name must not depend on its load
    ends_at = time.thread_time() + seconds
    _thread.ends_at = ends_at if outer is None else min(outer, ends_at)
    try:
        yield
    finally:
        _thread.ends_at = outer


def check_cpu_budget() -> None:
    """Raise CpuBudgetExceeded once the budget of this thread is used up."""
    ends_at = _thread.ends_at
    if ends_at is not None and time.thread_time() >= ends_at:
        raise CpuBudgetExceeded
