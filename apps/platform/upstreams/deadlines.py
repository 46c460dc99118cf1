"""Calls that return by their deadline, come what may."""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from apps.platform.upstreams.connections import CallConnections

T = TypeVar("T")


class DeadlineExceeded(Exception):
    """The call was not done in time; its connections were cut."""


def run_with_deadline(
    fetch: Callable[[CallConnections], T],
    *,
    line: CallConnections,
    seconds: float,
    begins: float,
    name: str,
) -> T:
    """Return what `fetch` gives, or raise what it raises; DeadlineExceeded after `seconds`.

    DeadlineExceeded as well when no answer has begun after `begins` seconds. Timeouts of sockets do
    not cover looking up a name, nor bytes that drip in one by one; so the call has a thread of its
    own, and its connections are cut when it is late.
    """
    answers: SimpleQueue[tuple[T | None, Exception | None]] = SimpleQueue()
    ends = time.monotonic() + seconds

    def work() -> None:
        try:
            answers.put((fetch(line), None))
        except Exception as error:
            answers.put((None, error))

    threading.Thread(target=work, name=f"upstream-{name}", daemon=True).start()
    try:
        answer, error = _await_first_answer(answers, line, min(seconds, begins), ends)
    except Empty:
        raise DeadlineExceeded from None
    finally:
        line.end()
    if error is not None:
        raise error
    return answer  # type: ignore[return-value]


def _await_first_answer(
    answers: SimpleQueue[tuple[T | None, Exception | None]],
    line: CallConnections,
    begins: float,
    ends: float,
) -> tuple[T | None, Exception | None]:
    try:
        return answers.get(timeout=begins)
    except Empty:
        if not line.begun:
            raise
    return answers.get(timeout=max(0.0, ends - time.monotonic()))
