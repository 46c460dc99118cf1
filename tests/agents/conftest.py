"""Fixtures of agents: a GLEIF that answers on loopback, a clock that stands, and one that acts."""

import io
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from apps.reference.countries import listings
from apps.reference.lei.services import lookups
from apps.reference.watchlists import engine
from tests.api.endpoint_walk import key_client
from tests.conftest import NOON
from tests.lei import fake_gleif
from tests.lei.fake_gleif import FakeGleif
from tests.snapshots import load_once

ALICE_LEI, BOB_LEI = "INR2EJN1ERAN0W5ZP974", "HWUPKR0MPOU8FGXBT394"
ALICE = "Alice Trading Limited"
OWNED = {"ownerEntity": ALICE, "ownerEmail": "owner@alice.example"}


class Clock:
    """The moment at which calls are made."""

    def __init__(self) -> None:
        self.now: datetime = NOON

    def later(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: Any) -> Clock:
    """A clock that the test moves."""
    found = Clock()
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: found.now)
    return found


@pytest.fixture(autouse=True)
def gleif(settings: Any, db: Any) -> Iterator[FakeGleif]:
    """GLEIF, which knows Alice's LEI."""
    lookups._used_leis.clear()
    lookups._used_leis_day.clear()
    fake = FakeGleif()
    settings.GLEIF_URL = fake.url
    fake.add(fake_gleif.record(ALICE_LEI, ALICE))
    yield fake
    fake.close()


class Acting:
    """One agent, as its program holds it."""

    def __init__(self, answer: Any) -> None:
        self.status, self.told = answer.status_code, answer.json()
        self.secret: str = self.told.get("agentSecret", "")
        self.id: str = self.told.get("agentId", "")
        self.client = APIClient(raise_request_exception=False)
        self.client.credentials(HTTP_AUTHORIZATION=f"Bearer {self.secret}")

    def verify(self, **asked: Any) -> Any:
        path = f"/compliance/agent/{self.id}/verify"
        return self.client.post(path, asked, format="json")

    def mandate(self, **terms: Any) -> Any:
        return self.client.post("/compliance/agent/mandate", terms, format="json")

    def allowed(self, **terms: Any) -> Any:
        """Change the mandate as an administrator does."""
        office = key_client("Registrar's office", "SIGNING")
        asked = {"agentId": self.id} | terms
        return office.post("/compliance/agent/mandate", asked, format="json")

    def record(self) -> Any:
        return APIClient().get(f"/compliance/agent/{self.id}").json()

    def revoke(self) -> Any:
        return self.client.delete(f"/compliance/agent/{self.id}")


def _run(command: str) -> None:
    call_command(command, verbosity=0, stdout=io.StringIO(), stderr=io.StringIO())


@pytest.fixture
def lists(db: Any) -> Iterator[None]:
    """The bundled lists; GLEIF is asked for every LEI."""
    load_once("lists", lambda: _run("load_sample_lists"))
    _run("build_index")
    engine.reset_engine()
    listings.clear_listings_cache()
    yield
    engine.reset_engine()
    listings.clear_listings_cache()


@pytest.fixture
def register(lists: None) -> Callable[..., Acting]:
    """Register an agent: `register(ownerLei=…)`."""

    def made(headers: Any = None, **stated: Any) -> Acting:
        body = {"name": "Treasury agent"} | stated
        client = APIClient(raise_request_exception=False)
        path = "/compliance/agent/register"
        return Acting(client.post(path, body, format="json", headers=headers or {}))

    return made


@pytest.fixture
def administrator() -> APIClient:
    """Somebody with a signing key."""
    return key_client("Registrar's office", "SIGNING")
