"""PostgreSQL restarted and away under load: 503 with Retry-After, and all goes on by itself."""

import os
import signal
import time

import pytest

from tests.faults import answer_audit
from tests.faults.hosts import LANES, Host, Site
from tests.faults.load import Load, Receiver
from tests.faults.servers import until

AWAY = 4.0  # seconds


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_after_a_restart_all_goes_on(site: Site, host: Host, load: Load, mode: str) -> None:
    load.until_answered(5)
    site.postgres.stop(mode)
    time.sleep(AWAY)
    assert host.health()[0] == 503
    site.postgres.start()
    load.until_answered(10, seconds=120)


def test_while_it_is_away_parts_that_are_killed_come_back_with_it(
    site: Site, host: Host, load: Load
) -> None:
    load.until_answered(5)
    site.postgres.stop("immediate")
    assert host.process is not None
    parts = [host.part("web"), host.part("index"), host.part("mcp")]
    parts += [host.part("jobs", lane) for lane in LANES]
    for pids in parts:  # the first of each is the one that the host started
        os.kill(pids[0], signal.SIGKILL)
    time.sleep(60)  # a part that keeps ending without it would have stopped the host by now
    assert host.process.poll() is None, host.log()[-3000:]
    site.postgres.start()
    load.until_answered(10, seconds=120)
    until(lambda: all(host.part(part) for part in ("web", "index", "jobs")), 60)


def test_all_that_was_answered_stands_and_was_handled_once(
    site: Site, load: Load, receiver: Receiver
) -> None:
    load.finish()
    answer_audit.insist(site, load, receiver, failed=("core.seal",))
    assert load.seen["503"]
