"""Fixtures of the platform's tests."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from apps.backoffice.sar.models import SarEntry
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Periodic
from apps.platform.jobs.registry import JOBS, JobSpec
from apps.platform.ledger import sealer
from tests.platform import job_handlers, queue


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, noon: datetime) -> queue.Clock:
    """Return the clock that jobs read; it stands at noon."""
    found = queue.Clock(noon)
    monkeypatch.setattr(job_queue.clock, "now", found)
    return found


@pytest.fixture
def own_jobs(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    """Put the tests' own jobs into the table, and no schedule."""
    Periodic.objects.all().delete()
    job_handlers.ran.clear()
    for name in ("note", "fail", "again", "overrun"):
        handler = getattr(job_handlers, name)
        work = JobSpec(handler=handler, title=name, lease=10 * queue.MINUTE, retries=queue.RETRIES)
        monkeypatch.setitem(JOBS, f"test.{name}", work)


@pytest.fixture
def write(noon: Any) -> Callable[..., list[SarEntry]]:
    """Write so many entries; `first` numbers them."""

    def make(count: int, first: int = 1, **columns: Any) -> list[SarEntry]:
        return [
            SarEntry.write(payload={"n": n, "who": "Börge"}, now=noon, kind="screen", ref=f"r{n}")
            for n in range(first, first + count)
        ]

    return make


@pytest.fixture
def chain(write: Any, noon: Any) -> list[SarEntry]:
    """Six sealed entries."""
    made: list[SarEntry] = write(6)
    assert sealer.seal_ledger(ledger="sar", now=noon) == 6
    return made
