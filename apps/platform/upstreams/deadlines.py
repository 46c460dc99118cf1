"""Run calls in a thread and return by the deadline."""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from apps.platform.upstreams.connections import CallConnections

T = TypeVar("T")


class DeadlineExceeded(Exception):
    """The call did not finish in time."""


def run_with_deadline(
    fetch: Callable[[CallConnections], T],
    *,
    line: CallConnections,
    seconds: float,
    begins: float,
    name: str,
) -> T:
    """Return what `fetch` returns, or raise what it raises; DeadlineExceeded after `seconds`.

    DeadlineExceeded as well if no answer has begun after `begins` seconds.
    """
    # socket timeouts cover neither name look-ups nor bytes that drip in one by one: so the call has
    # a thread of its own, and its connections are cut when it is late
    answers: SimpleQueue[tuple[T | None, Exception | None]] = SimpleQueue()
    ends = time.monotonic() + seconds

    def work() -> None:
        try:
            answers.put((fetch(line), None))
        except Exception as error:
            answers.put((None, error))

    # a daemon: one that hangs in a name look-up must not keep the process from ending
    threading.Thread(target=work, name=f"upstream-{name}", daemon=True).start()
    try:
        answer, error = _await_first_answer(answers, line, min(seconds, begins), ends)
    except Empty:
        raise DeadlineExceeded from None
    # on success as well: the answer is read, and no connection may outlive its call
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
