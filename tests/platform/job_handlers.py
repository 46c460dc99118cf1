"""Handlers of the tests' own jobs."""

import time
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django_q.exceptions import TimeoutException

from apps.platform.jobs.job_queue import RetryLater
from apps.platform.upstreams.http import Upstream

ran: list[tuple[str, datetime]] = []


def note(key: str, now: datetime) -> None:
    ran.append((key, now))


def fail(key: str, now: datetime) -> None:
    note(key, now)
    raise ValueError("no such luck")


def again(key: str, now: datetime) -> None:
    note(key, now)
    raise RetryLater(eta=datetime.fromisoformat(key))


def overrun(key: str, now: datetime) -> None:
    raise TimeoutException("Task exceeded maximum timeout value")


def write_down(key: str, now: datetime) -> None:
    """Leave a line that other processes can read."""
    with notes().open("a") as out:
        out.write(f"{key} {time.time()}\n")


def block(key: str, now: datetime) -> None:
    """Leave a line, then hang while there is a file that says so."""
    write_down(key, now)
    while (settings.VAR_DIR / "block").exists():
        time.sleep(0.05)


class Far(Upstream):
    """Some upstream of a test, at the address that a job names."""

    name = "far"
    patience = 10.0


def call(key: str, now: datetime) -> None:
    """Fetch what is at an address, and leave a line when that ended, well or not."""
    far = Far()
    far.base_url = key
    try:
        far.get_bytes()
    finally:
        write_down(f"ended-{key}", now)


def notes() -> Path:
    return Path(settings.VAR_DIR) / "notes.txt"
