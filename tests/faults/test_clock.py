"""The clock of a whole running host is set back by two hours, and ahead by two, under load."""

import http.client
import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.request import urlopen

import pytest

from tests.faults import answer_audit
from tests.faults.clocks import Clock
from tests.faults.hosts import Host, Site
from tests.faults.load import SCREEN, Load, Receiver
from tests.faults.servers import until

PARTS = ("web", "index", "jobs", "outbound", "callbacks", "payments")
HOURS = timedelta(hours=2)
STEPS = {"back": -HOURS, "ahead again": timedelta(), "ahead": HOURS, "back again": timedelta()}
RECOVERS = 150.0  # seconds: django-q2 looks for its tick every thirty, and counts late ones then
RATE = 5  # calls a minute of a key


@pytest.fixture(scope="module")
def clock(site: Site) -> Clock:
    """The clock of the host."""
    return Clock(site.folder)


@pytest.fixture(scope="module")
def host(hosts: Callable[..., Host], clock: Clock) -> Host:
    """A host that goes by that clock."""
    made = hosts("one", *PARTS, **clock.env())
    made.start()
    return made


@pytest.fixture(scope="module")
def hasty(site: Site, host: Host) -> str:
    """A key that may make few calls a minute."""
    words = ("issue_key", "subscription", "--owner", "Hasty Ltd", "--json", "--rate", str(RATE))
    return str(json.loads(site.manage(*words))["key"])


@pytest.fixture(scope="module")
def other(site: Site, host: Host) -> str:
    """The key of another client: what it asks is not counted among what the load asked."""
    words = ("issue_key", "subscription", "--owner", "Other Ltd", "--json")
    return str(json.loads(site.manage(*words))["key"])


def ask(port: int, key: str, **more: str) -> tuple[int, Any, dict[str, Any]]:
    """Screen a name; return the status, the headers and the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        head = {"X-API-Key": key, "Content-Type": "application/json"} | more
        connection.request("POST", SCREEN, json.dumps({"name": "Harbour Ltd"}), head)
        answer = connection.getresponse()
        return answer.status, answer.headers, json.loads(answer.read())
    finally:
        connection.close()


def told_now(port: int) -> datetime:
    """Return what the host takes for the present moment."""
    with urlopen(f"http://127.0.0.1:{port}/compliance/health", timeout=30) as answer:
        return parsedate_to_datetime(answer.headers["Date"])


def assert_refusals_end_within_a_minute(host: Host, key: str) -> None:
    """Use up a minute's calls: who is refused is told to come in the next one."""
    told = [ask(host.port, key) for _ in range(RATE + 1)]
    refused = [headers for status, headers, _ in told if status == 429]
    assert all(1 <= int(one["Retry-After"]) <= 60 for one in refused)
    assert Counter(status for status, *_ in told)[200] <= RATE


def works(host: Host) -> bool:
    """Tell whether its health says that background work goes on."""
    status, found = host.health()
    return status == 200 and found["checks"]["jobs"]["status"] == "ok"


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_the_clock_holds_up_nothing(
    host: Host,
    load: Load,
    receiver: Receiver,
    clock: Clock,
    hasty: str,
    other: str,
    step: str,
) -> None:
    load.until_answered(10)
    until(lambda: works(host), RECOVERS, "background work goes on before the step")
    key = {"Idempotency-Key": f"clock-{step.replace(' ', '-')}"}
    first = ask(host.port, other, **key)
    assert first[0] == 200
    until(lambda: ask(host.port, hasty)[0] == 429, why="the minute's calls are used up")
    before = set(load.payments())
    clock.set(STEPS[step])
    ahead = told_now(host.port) - datetime.now(UTC)
    assert abs(ahead - STEPS[step]) < timedelta(seconds=10), "the host goes by its new clock"
    # a minute that the clock is set back into may be one that was used up
    until(lambda: ask(host.port, hasty)[0] == 200, 70, "a new minute is counted")
    again = ask(host.port, other, **key)
    assert (again[0], again[2]) == (200, first[2]), "a repetition is answered as the first call"
    assert_refusals_end_within_a_minute(host, hasty)
    load.until_answered(10)
    until(lambda: works(host), RECOVERS, "background work goes on after the step")
    until(lambda: before <= set(receiver.events()), RECOVERS, "what was taken before is settled")
    assert host.process is not None and host.process.poll() is None, host.log()[-3000:]


def test_all_that_was_answered_stands_and_was_handled_once(
    site: Site, load: Load, receiver: Receiver
) -> None:
    load.finish()
    assert set(load.seen) <= {"200", "202", "409"}, load.seen
    answer_audit.insist(site, load, receiver)
