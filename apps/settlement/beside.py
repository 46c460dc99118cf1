"""Runs checks side by side, and returns by a deadline, come what may.

A few threads of each process wait for work. A thread keeps its connection to the database from one
call to the next, as the process itself does, and closes it once it is too old or broke. One that is
held up, by a register that does not answer, delays nobody: whoever asked is answered without it,
and a check without a thread to run it did not run.
"""

import os
import threading
import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from django.conf import settings
from django.db import close_old_connections, connections

Task = Callable[[], Any]
Answers = SimpleQueue[tuple[str, Any, float]]


class Late(RuntimeError):
    """The check was not done by the deadline."""


class _Crew:
    """The threads of one process."""

    def __init__(self) -> None:
        self.pid = 0
        self.work: SimpleQueue[tuple[str, Task, Answers] | None] = SimpleQueue()
        self.threads: list[threading.Thread] = []

    def give(self, name: str, task: Task, answers: Answers) -> None:
        """Have a task done; threads begin with the first, after any fork."""
        if self.pid != os.getpid():
            self.pid, self.work, self.threads = os.getpid(), SimpleQueue(), []
        if len(self.threads) < settings.FLOW_CHECK_THREADS:
            made = threading.Thread(target=_works, args=(self.work,), name="flow", daemon=True)
            self.threads.append(made)
            made.start()
        self.work.put((name, task, answers))

    def end(self) -> None:
        """Let the threads end, with their connections."""
        for _ in self.threads:
            self.work.put(None)
        for one in self.threads:
            one.join(timeout=5)
        self.threads = []


_crew = _Crew()


def end() -> None:
    """End the threads of this process; the next call begins others."""
    _crew.end()


def _works(work: "SimpleQueue[tuple[str, Task, Answers] | None]") -> None:
    while (taken := work.get()) is not None:
        name, task, answers = taken
        close_old_connections()
        answers.put((name, *_done(task)))
        close_old_connections()
    connections.close_all()


def _done(task: Task) -> tuple[Any, float]:
    began = time.perf_counter()
    try:
        found = task()
    except Exception as error:  # whatever went wrong, the check did not run
        found = error
    return found, time.perf_counter() - began


def run(tasks: Mapping[str, Task], *, seconds: float) -> dict[str, tuple[Any, float]]:
    """Return what each task gives or raises, with how long it took in seconds.

    Late stands for one that was not done after `seconds`. Without threads
    (`FLOW_CHECK_THREADS` 0) they are done one after the other, and none begins after the deadline.
    """
    ends = time.monotonic() + seconds
    if not settings.FLOW_CHECK_THREADS:
        return {name: _in_turn(task, ends) for name, task in tasks.items()}
    answers: Answers = SimpleQueue()
    for name, task in tasks.items():
        _crew.give(name, task, answers)
    found: dict[str, tuple[Any, float]] = {}
    while len(found) < len(tasks):
        try:
            name, value, took = answers.get(timeout=max(0.0, ends - time.monotonic()))
        except Empty:
            break
        found[name] = value, took
    return {name: found.get(name, (Late(name), seconds)) for name in tasks}


def _in_turn(task: Task, ends: float) -> tuple[Any, float]:
    return _done(task) if time.monotonic() < ends else (Late("too late to begin"), 0.0)
