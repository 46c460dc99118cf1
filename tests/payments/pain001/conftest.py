"""An institution that sends messages, and the worker that works its files off."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from apps.payments.payments.pain001.models import PaymentFile
from apps.payments.payments.pain001.services.process_file import accept_next_transactions
from tests.payments.conftest import INITIATE
from tests.payments.pain001.messages import message, transaction

FILES = "/integration/payments/files"
XML = "application/xml"
JSON = {"Accept": "application/json"}


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """A day on which the messages of these tests are in time."""
    moment = datetime(2026, 11, 23, 12, tzinfo=UTC)
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: moment)
    return moment


@pytest.fixture
def post(bank: Any, today: datetime) -> Callable[..., Any]:
    """Send a message: `post(text)`; returns the answer."""

    def call(
        body: str | bytes,
        *,
        client: Any = None,
        kind: str = XML,
        to: str = INITIATE,
        **headers: str,
    ) -> Any:
        raw = body if isinstance(body, bytes) else body.encode()
        return (client or bank).generic("POST", to, raw, content_type=kind, headers=headers)

    return call


def several(count: int = 5, **parts: Any) -> str:
    """A message of several transactions."""
    return message(*(transaction(number) for number in range(1, count + 1)), **parts)


def work_off(now: datetime) -> None:
    """Work all files off, as the job does."""
    for file in PaymentFile.objects.filter(finished_at=None):
        while not accept_next_transactions(file, now=now):
            pass
