"""Run checks in a thread pool and return by the deadline.

A few threads of each process wait for work. A thread that waits for a register that does not answer
delays no other call: the caller is answered without it, and a check that found no free thread did
not run.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections

from apps.platform.upstreams.deadlines import DeadlineExceeded

Task = Callable[[], Any]
Answers = SimpleQueue[tuple[str, Any, float]]
Work = SimpleQueue[tuple[str, Task, Answers, float] | None]
# Seconds. A thread keeps its connection to the database from one call to the next, as the process
# does. Checking whether it is too old or broken costs a query of its own.
CONNECTION_CHECK_EVERY = 1.0


class _ThreadPool:
    """The threads of one process."""

    def __init__(self) -> None:
        self.pid = 0
        self.work: Work = SimpleQueue()
        self.threads: list[threading.Thread] = []

    def give(self, name: str, task: Task, answers: Answers, ends: float) -> None:
        """Queue a task; threads start one by one with the first tasks."""
        # threads do not survive a fork, and the queue would be shared with nobody
        if self.pid != os.getpid():
            self.pid, self.work, self.threads = os.getpid(), SimpleQueue(), []
        if len(self.threads) < settings.FLOW_CHECK_THREADS:
            thread = threading.Thread(
                # daemon: one that waits for a register must not keep the process from ending
                target=_run_worker,
                args=(self.work,),
                name="flow",
                daemon=True,
            )
            self.threads.append(thread)
            thread.start()
        self.work.put((name, task, answers, ends))

    def end(self) -> None:
        """End the threads, with their connections."""
        for _ in self.threads:
            self.work.put(None)
        for thread in self.threads:
            thread.join(timeout=5)
        self.threads = []


_pool = _ThreadPool()


def stop_threads() -> None:
    """End the threads of this process; the next call starts others."""
    _pool.end()


def _run_worker(work: "Work") -> None:
    checked_at = float("-inf")
    while (taken := work.get()) is not None:
        name, task, answers, ends = taken
        if time.monotonic() >= ends:
            continue  # the caller was answered without it
        if time.monotonic() - checked_at >= CONNECTION_CHECK_EVERY:
            close_old_connections()
            checked_at = time.monotonic()
        outcome, took = _time_task(task)
        answers.put((name, outcome, took))
        if isinstance(outcome, Exception):
            # the error may have broken the connection: check it before the next task
            checked_at = float("-inf")
    connections.close_all()


def _time_task(task: Task) -> tuple[Any, float]:
    began = time.perf_counter()
    try:
        outcome = task()
    except Exception as error:  # after any exception the check did not run
        outcome = error
    return outcome, time.perf_counter() - began


def run_tasks(tasks: Mapping[str, Task], *, ends: float) -> dict[str, tuple[Any, float]]:
    """Return what each task returns or raises, with its duration in seconds.

    The result is DeadlineExceeded for a task that was not done by `ends`, a moment of
    `time.monotonic`. Without threads (`FLOW_CHECK_THREADS` 0) they run one after the other, and
    none starts after that.
    """
    began = time.monotonic()
    if not settings.FLOW_CHECK_THREADS:
        return {name: _run_before_deadline(task, ends) for name, task in tasks.items()}
    answers: Answers = SimpleQueue()
    for name, task in tasks.items():
        _pool.give(name, task, answers, ends)
    outcomes: dict[str, tuple[Any, float]] = {}
    # results that come later go into a queue that nobody reads any more
    while len(outcomes) < len(tasks):
        try:
            name, value, took = answers.get(timeout=max(0.0, ends - time.monotonic()))
        except Empty:
            break
        outcomes[name] = value, took
    return {
        name: outcomes.get(name, (DeadlineExceeded(name), max(0.0, ends - began))) for name in tasks
    }


def run_tasks_inline(tasks: Mapping[str, Task]) -> dict[str, tuple[Any, float]]:
    """Return what tasks without waits return or raise, with the duration of each."""
    return {name: _time_task(task) for name, task in tasks.items()}


def _run_before_deadline(task: Task, ends: float) -> tuple[Any, float]:
    if time.monotonic() >= ends:
        return DeadlineExceeded("too late to begin"), 0.0
    outcome, took = _time_task(task)
    return (outcome if time.monotonic() < ends else DeadlineExceeded("too late an end")), took
