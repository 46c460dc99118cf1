"""Two hosts with a VAR_DIR each, on one PostgreSQL and one Redis, behind a balancer."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.faults import answer_audit
from tests.faults.balancer import Balancer
from tests.faults.hosts import Host, Site
from tests.faults.load import SCREEN, Load, Receiver
from tests.faults.servers import until

PARTS = ("web", "index", "jobs", "outbound", "callbacks", "payments")
RATE = 30  # calls a minute of a key
SWAPS_WITHIN = 60.0  # seconds from a list that goes live to its index on every host
LISTED = "Zephyr Quillon Bulkcarriers"


@pytest.fixture(scope="module")
def both(hosts: Callable[..., Host]) -> list[Host]:
    """The two hosts."""
    made = [hosts(name, *PARTS) for name in ("north", "south")]
    for one in made:
        one.start(wait=False)
    for one in made:
        one.await_up()
    return made


@pytest.fixture(scope="module")
def balancer(both: list[Host]) -> Iterator[Balancer]:
    """What clients call."""
    made = Balancer([host.port for host in both])
    yield made
    made.close()


@pytest.fixture(scope="module")
def clients(site: Site, balancer: Balancer, receiver: Receiver) -> Iterator[Load]:
    """Clients who go on from test to test."""
    made = Load([balancer.port], site.keys(), receiver.url).start()
    yield made
    made.stop()


def ask(port: int, key: str, name: str) -> tuple[int, dict[str, Any]]:
    """Screen a name at a host."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        head = {"X-API-Key": key, "Content-Type": "application/json"}
        connection.request("POST", SCREEN, json.dumps({"name": name}), head)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def issued(site: Site, owner: str, *words: str) -> str:
    """Return a new key."""
    printed = site.manage("issue_key", "subscription", "--owner", owner, "--json", *words)
    return str(json.loads(printed)["key"])


def test_rates_are_exact_over_both(site: Site, both: list[Host]) -> None:
    key = issued(site, "Hasty Ltd", "--rate", str(RATE))
    until(lambda: time.time() % 60 < 15, 60, "a minute has just begun")
    with ThreadPoolExecutor(12) as pool:
        asked = [
            (both[number % 2].port, key, f"Harbour {number} Ltd") for number in range(RATE * 3)
        ]
        told = Counter(pool.map(lambda one: ask(*one)[0], asked))
    assert time.time() % 60 > 1, "all within one minute"
    assert told == {200: RATE, 429: RATE * 2}


def test_a_list_that_goes_live_is_screened_by_on_both(
    site: Site, both: list[Host], clients: Load
) -> None:
    key = issued(site, "Watcher Ltd")
    assert decided(both, key) <= {"APPROVED", "FLAGGED"}
    path = site.folder / "inhouse.csv"
    path.write_text(f"entity_id,schema,name,name_type,country\nz1,Organization,{LISTED},primary,\n")
    site.manage("import_list", "inhouse", str(path), "--enable")
    for one in both:
        until(lambda one=one: swapped(one), SWAPS_WITHIN, f"the index of {one.var_dir} is swapped")
    # the other worker of a host looks within a few seconds, and either may answer
    until(lambda: decided(both, key) == {"BLOCKED"}, 20)
    for _ in range(5):
        assert decided(both, key) == {"BLOCKED"}


def swapped(host: Host) -> bool:
    """Tell whether a host serves the lists that are live, the new one among them."""
    lists = host.health()[1]["checks"]["lists"]
    return "inhouse" in lists["versions"] and lists["servedListSet"] == lists["listSet"]


def decided(both: list[Host], key: str) -> set[str]:
    """Return what the hosts decide about the listed name."""
    return {str(ask(host.port, key, LISTED)[1]["decision"]) for host in both for _ in range(10)}


def test_a_rolling_restart_fails_no_request(both: list[Host], clients: Load) -> None:
    clients.until_answered(10)
    before = Counter(clients.seen)
    for host in both:
        assert host.terminate() == 0
        clients.until_answered(5)
        host.start()
        clients.until_answered(5)
    told = Counter(clients.seen) - before
    assert set(told) <= {"200", "202"}, told


def test_a_host_that_is_lost_costs_broken_connections_alone(
    both: list[Host], clients: Load
) -> None:
    clients.until_answered(5)
    both[0].kill()
    clients.until_answered(20)
    assert both[1].health()[0] == 200


def test_all_that_was_answered_stands_and_was_handled_once(
    site: Site, clients: Load, receiver: Receiver
) -> None:
    clients.finish()
    answer_audit.insist(site, clients, receiver, held=True)
