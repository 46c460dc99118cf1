"""One world for all journeys of a session, a desk in a browser, and pages to walk by."""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest

from tests.journeys import journey_world
from tests.journeys.desk import Desk
from tests.journeys.journey_world import World
from tests.journeys.pages import PAGES, Page
from tests.paywall.local_chain import CLIENTS, anvil

TABLE = PAGES / "index.md"
CALLED_WITHIN = 120.0  # seconds
LONGEST = 1200  # seconds for a journey, with the start of the world


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder."""
    for item in items:
        if "tests/journeys/" in item.nodeid:
            for mark in ("journeys", "processes", "database"):
                item.add_marker(mark)
            item.add_marker(pytest.mark.timeout(LONGEST))


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Start platform, counterparty, chain and receiver once."""
    anvil()
    if not (CLIENTS / "node_modules" / "@x402" / "fetch").exists() or not shutil.which("node"):
        pytest.skip("needs the paying client: run `npm install` in tests/paywall/clients")
    with journey_world.started(tmp_path_factory.mktemp("journeys")) as found:
        yield found


@pytest.fixture(scope="session")
def desk(chromium: Any, world: World) -> Iterator[Desk]:
    """The desk in a browser."""
    made = Desk(chromium, world)
    yield made
    made.close()


@pytest.fixture
def page(world: World) -> Iterator[Callable[[str], Page]]:
    """Open a page of docs/journeys; a journey that ends well has run all of its commands."""
    opened: list[Page] = []

    def make(name: str) -> Page:
        opened.append(world.page(name))
        return opened[-1]

    yield make


@pytest.fixture
def called(world: World) -> Callable[[str], list[dict[str, Any]]]:
    """Wait until a payment was called back: `called("INV-1")`; all that came of it, in order."""
    folder = world.folder / "received"

    def came(reference: str) -> list[dict[str, Any]]:
        kept = (json.loads(one.read_text()) for one in sorted(folder.glob("*.json")))
        read = [one | {"body": json.loads(one["body"])} for one in kept]
        return [one for one in read if one["body"]["tmsReference"] == reference]

    def wait(reference: str) -> list[dict[str, Any]]:
        ends = time.monotonic() + CALLED_WITHIN
        while not (found := came(reference)):
            assert time.monotonic() < ends, f"{reference} was not called back"
            time.sleep(0.2)
        return found

    return wait


@pytest.fixture(scope="session")
def counterparty(desk: Desk, world: World) -> None:
    """Enter the second installation into the directory, as the first page says."""
    said = dict(re.findall(r"^\| ([\w ]+) \| (.+) \|$", TABLE.read_text(), re.M))
    sofia = desk.of("sofia")
    sofia.goto("/admin/travelrule/vaspchange/add/")
    for label in ("LEI", "Legal name", "Endpoint", "Shared secret"):
        text = said[label].strip("`")
        for shown, real in world.places().items():
            text = text.replace(shown, real)
        sofia.get_by_label(f"{label}:", exact=True).fill(text)
    wallets = re.findall(r"0x\w+", said["Wallets served"])
    sofia.get_by_label("Wallets served").fill("\n".join(wallets))
    sofia.get_by_label("Message dialect").select_option("platform")
    sofia.get_by_label("First day").fill(f"{date.today() - timedelta(days=30)}")
    sofia.get_by_label("Why").fill("We agreed on the travel rule with them on 3 November.")
    sofia.get_by_role("button", name="Preview effect").click()
    sofia.get_by_role("button", name="Propose", exact=True).click()
    desk.approve("samir", said["Legal name"].strip("`"))
