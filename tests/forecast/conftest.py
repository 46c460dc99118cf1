"""The commodity forecasts on the bundled sample, at noon."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.forecast import score_cards, tasks
from apps.insight.forecast.services import hourly_run
from tests import sampling
from tests.conftest import NOON
from tests.intelligence.conftest import at  # noqa: F401
from tests.snapshots import load_once

FILES = (
    "commodities", "earlier", "earth", "made_events", "made_growing", "made_land", "prices",
)  # fmt: skip
BOOK = [
    {"symbol": "WHEAT", "notionalUsd": 250000},
    {"symbol": "COFFEE", "notionalUsd": 100000.55},
    {"symbol": "WTI", "notionalUsd": 75000.45},
]


@pytest.fixture(autouse=True)
def _runs_anew() -> Iterator[None]:
    """What a process remembers of a run is another test's."""
    hourly_run.forget_runs()
    score_cards.forget_score_cards()
    yield
    hourly_run.forget_runs()
    score_cards.forget_score_cards()


@pytest.fixture
def unknown(db: None, at: Callable[[datetime], None]) -> APIClient:  # noqa: F811
    """Anybody, at noon, where nothing is known."""
    at(NOON)
    return APIClient()


@pytest.fixture
def anybody(unknown: APIClient) -> APIClient:
    """Anybody, at noon, where the sample is known."""
    sampling.load(now=NOON, files=FILES)
    return unknown


def load_noon() -> None:
    """Keep the sample and the run of noon, which is computed once by a process."""
    load_once("forecast of noon", _load_noon)


def _load_noon() -> None:
    sampling.load(now=NOON, files=FILES)
    tasks.run_forecast("", NOON)


def get(client: APIClient, path: str) -> Any:
    """Call an endpoint of the service without a body."""
    return client.get(f"/forecast/forecast/{path}")


def post(client: APIClient, path: str, **body: Any) -> Any:
    """Call an endpoint of the service with a body."""
    return client.post(f"/forecast/forecast/{path}", body, format="json")
