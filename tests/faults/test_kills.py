"""kill -9 of each kind of process under load: nothing answered is lost, or counts twice."""

import os
import signal
from collections.abc import Callable

import pytest

from tests.faults import answer_audit
from tests.faults.hosts import LANES, STARTS_WITHIN, Host, Site
from tests.faults.load import Load, Receiver
from tests.faults.servers import until

KINDS = {  # who is killed: (part, lane, whether the oldest of its processes, which begets others)
    "web worker": ("web", "", False),
    "web master": ("web", "", True),
    "index keeper": ("index", "", True),
    **{f"worker of lane {lane}": ("jobs", lane, False) for lane in LANES},
    **{f"cluster of lane {lane}": ("jobs", lane, True) for lane in LANES},
    "mcp": ("mcp", "", True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_that_is_killed_is_started_again(host: Host, load: Load, kind: str) -> None:
    part, lane, oldest = KINDS[kind]
    load.until_answered(5)
    before = host.part(part, lane)
    os.kill(before[0] if oldest else before[-1], signal.SIGKILL)
    gone = {before[0] if oldest else before[-1]}
    until(lambda: host.part(part, lane) and not gone & set(host.part(part, lane)), 60, kind)
    load.until_answered(5, seconds=120)


def test_a_supervisor_that_is_killed_takes_its_parts_along_and_starts_again(
    host: Host, load: Load
) -> None:
    load.until_answered(5)
    assert host.process is not None
    os.kill(host.process.pid, signal.SIGKILL)
    host.process.wait(20)
    host.start()  # which parts of the dead one may answer for, until they have ended
    load.until_answered(5, seconds=STARTS_WITHIN)


def test_all_that_was_answered_stands_and_was_handled_once(
    site: Site, host: Host, load: Load, receiver: Receiver
) -> None:
    load.finish()
    answer_audit.insist(site, load, receiver)
    assert load.seen["200"] > 50


@pytest.fixture(autouse=True)
def _told(load: Load, record_property: Callable[[str, object], None]) -> None:
    """Keep what clients saw beside the result."""
    record_property("seen", dict(load.seen))
