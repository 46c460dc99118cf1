"""Receivers of callbacks that tests tell what to answer, and a clock that they move."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from apps.payments.callbacks import rules, tasks
from apps.payments.callbacks.clients.webhook_client import AttemptResult
from apps.payments.callbacks.models import Delivery
from apps.payments.callbacks.services.publish_event import PublishedEvent, publish_event
from apps.platform.jobs.models import Job, JobState
from tests.conftest import NOON

URL = "https://alice.example/callbacks"
ALICE, BOB = "account:1", "account:2"


@dataclass
class Call:
    """One POST that was sent."""

    url: str
    content: bytes
    headers: Mapping[str, str]


@dataclass
class Receivers:
    """Stands in for the network: `answers` by address, a status or a word; else 200."""

    answers: dict[str, list[int | str]] = field(default_factory=dict)
    always: dict[str, int | str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    before: Callable[[str], None] = lambda url: None
    lock: Any = field(default_factory=threading.Lock)

    def post(self, *, url: str, content: bytes, headers: Mapping[str, str]) -> AttemptResult:
        with self.lock:
            self.calls.append(Call(url, content, headers))
            planned = self.answers.get(url)
            answer = planned.pop(0) if planned else self.always.get(url, 200)
        self.before(url)
        if isinstance(answer, str):
            return AttemptResult(error=answer, latency_ms=7)
        return AttemptResult(rules.failure_of_status(status=answer), answer, "said", 7)

    def to(self, url: str) -> list[Call]:
        return [call for call in self.calls if call.url == url]


def tell(
    *, owner: str = ALICE, url: str = URL, now: datetime = NOON, subject: UUID | None = None,
    **body: Any,
) -> PublishedEvent:  # fmt: skip
    """Publish one event."""
    return publish_event(
        owner=owner,
        event="thing.done",
        subject=subject or uuid4(),
        body=body or {"done": True},
        url=url,
        now=now,
    )


def run_until(moment: datetime) -> list[datetime]:
    """Run every job of callbacks at its own time up to a moment; return when each was."""
    ran = []
    while True:
        rows = Job.objects.filter(name=jobs_name(), state=JobState.PENDING, eta__lte=moment)
        row = rows.order_by("eta", "pk").first()
        if row is None:
            return ran
        Job.objects.filter(pk=row.pk).update(state=JobState.DONE)
        tasks.send_due_callbacks(row.key, row.eta)
        ran.append(row.eta)


def jobs_name() -> str:
    return "callbacks.send"


def delivery(told: PublishedEvent) -> Delivery:
    return Delivery.objects.select_related("event", "endpoint").get(event__uid=told.event)


def later(**span: float) -> datetime:
    return NOON + timedelta(**span)
