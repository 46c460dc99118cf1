"""Lists, LEIs and rates that screens are made against."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.reference.countries import listings
from apps.reference.lei.services import lookups
from apps.reference.watchlists import engine
from tests.snapshots import load_once

CLEAN = "Blue Heron Stationery Limited"
PATH = "/compliance/compliance/screen"
# of evidence that is drawn by itself
REQUEST = serialize_screen_request(ScreenRequest("Karim Hadad"))


def load_sample() -> None:
    """Load the bundled sample lists, LEIs, rates and ESG evidence, and build the index."""
    load_once("sample", _load_sample)
    _run("build_index")  # other tests may have dropped the files of an index of other lists


def _load_sample() -> None:
    for command in (
        "load_sample_lists",
        "load_sample_lei",
        "load_sample_rates",
        "load_sample_esg",
    ):
        _run(command)


def _run(command: str) -> None:
    call_command(command, verbosity=0, stdout=_Quiet(), stderr=_Quiet())


def forget_sample() -> None:
    """Forget what this process read of a database that is gone."""
    engine.reset_engine()
    listings.clear_listings_cache()
    lookups._used_leis.clear()  # the LEIs that an earlier test used today


@pytest.fixture
def sample(db: Any) -> Iterator[None]:
    """The bundled sample lists, LEIs, rates and ESG evidence, with the index built."""
    load_sample()
    forget_sample()
    yield
    engine.reset_engine()
    listings.clear_listings_cache()


class _Quiet:
    def write(self, *_: Any) -> None: ...

    def flush(self) -> None: ...


@pytest.fixture
def alice(sample: None, caller: Callable[..., APIClient]) -> APIClient:
    """A treasury with a subscription key."""
    return caller("Alice Treasury")


@pytest.fixture
def screen(alice: APIClient) -> Callable[..., dict[str, Any]]:
    """Screen as Alice and return the answer, which must be a 200."""

    def call(**fields: Any) -> dict[str, Any]:
        body = {"name": CLEAN, "country": "DE", **fields}
        body = {name: plain(value) for name, value in body.items() if value is not None}
        response = alice.post(PATH, body, format="json")
        assert response.status_code == 200, response.content
        return response.json()

    return call


def plain(value: Any) -> Any:
    """JSON has numbers where Python has Decimal."""
    return float(value) if isinstance(value, Decimal) else value
