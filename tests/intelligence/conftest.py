"""The intelligence service on the bundled sample, at noon."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind
from apps.insight.intelligence.services import paid_answers
from tests import sampling
from tests.conftest import NOON

PREFIX = "/intelligence/v1/intelligence"


@pytest.fixture(autouse=True)
def _answers_anew() -> Iterator[None]:
    """What a process remembers of answers is another test's."""
    paid_answers.clear_answer_memory()
    yield
    paid_answers.clear_answer_memory()


@pytest.fixture
def series(db: None) -> None:
    """The bundled sample of series."""
    sampling.load(now=NOON)


@pytest.fixture
def at(monkeypatch: Any) -> Callable[[datetime], None]:
    """Set the clock of calls: `at(moment)`."""

    def call(moment: datetime) -> None:
        monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: moment)

    return call


@pytest.fixture
def buyer(
    caller: Callable[..., APIClient], series: None, at: Callable[[datetime], None]
) -> APIClient:
    """A caller with a DATA key, at noon, where the sample is known."""
    at(NOON)
    return caller("Alice Ltd", KeyKind.DATA)


@pytest.fixture
def refused(caller: Callable[..., APIClient], at: Callable[[datetime], None]) -> APIClient:
    """A caller with a DATA key, at noon, where nothing is known: a refusal needs no figure."""
    at(NOON)
    return caller("Alice Ltd", KeyKind.DATA)


def ask(client: APIClient, name: str, **body: Any) -> Any:
    """Call a paid endpoint below /v1/intelligence/; with a body, by POST."""
    if body:
        return client.post(f"{PREFIX}/{name}", body, format="json")
    return client.get(f"{PREFIX}/{name}")
