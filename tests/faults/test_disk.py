"""Full disks: a host's own, and the database's. What cannot be kept is refused; then it goes on."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.platform.jobs.registry import JOBS
from tests.faults import answer_audit, disks
from tests.faults.hosts import Host, Site
from tests.faults.load import Load, Receiver
from tests.faults.servers import Redis, until

# a run of these may meet the full disk; the next one makes it good
PERIODIC = tuple(name for name, work in JOBS.items() if work.every)
PARTS = ("web", "index", "jobs", "outbound", "callbacks", "payments")
HOST_MEBIBYTES, ROOM = 64, 24  # of the host's disk; beyond what the database has at the start


@pytest.fixture(scope="module")
def own_disk(site: Site) -> Iterator[Path]:
    """The disk of the host's VAR_DIR."""
    with disks.small(site.folder / "one", HOST_MEBIBYTES) as folder:
        yield folder


@pytest.fixture(scope="module")
def database_disk(site: Site) -> Iterator[Path]:
    """The disk of the site's tables."""
    server = site.postgres
    used = server.sql(f"SELECT pg_database_size('{site.database}')")[0][0] >> 20
    with disks.small(server.folder / "small", int(used) + ROOM) as folder:
        place = folder / "tables"
        place.mkdir(mode=0o700)
        for one in (folder, place):
            shutil.chown(one, server.folder.owner())
        server.sql(f"CREATE TABLESPACE small LOCATION '{place}'")
        server.sql(f'ALTER DATABASE "{site.database}" SET TABLESPACE small')
        yield folder
        server.sql(f'DROP DATABASE "{site.database}" WITH (FORCE)')
        server.sql("DROP TABLESPACE small")


@pytest.fixture(scope="module")
def host(own_disk: Path, database_disk: Path, hosts: Callable[..., Host]) -> Host:
    """A host on those disks."""
    made = hosts("one", *PARTS)
    made.start()
    return made


def test_with_the_hosts_disk_full_calls_are_answered_and_new_lists_wait(
    site: Site, host: Host, load: Load, own_disk: Path
) -> None:
    load.until_answered(5)
    disks.fill(own_disk)
    path = site.folder / "inhouse.csv"
    path.write_text("entity_id,schema,name,name_type,country\nz1,Person,Zephyr Quill,primary,\n")
    site.manage("import_list", "inhouse", str(path), "--enable")
    load.until_answered(20)
    time.sleep(20)  # a keeper that ends at each try would have stopped the host by now
    assert host.process is not None and host.process.poll() is None, host.log()[-3000:]
    lists = host.health()[1]["checks"]["lists"]
    assert lists["servedListSet"] != lists["listSet"] and lists["lagSeconds"] > 0
    disks.empty(own_disk)
    until(lambda: host.health()[1]["checks"]["lists"]["lagSeconds"] == 0, 60)


def test_with_redis_gone_and_the_disk_full_nobody_passes_uncounted(
    host: Host, load: Load, own_disk: Path, redis: Redis
) -> None:
    load.until_answered(5)
    disks.fill(own_disk)
    redis.kill()
    time.sleep(8)
    assert not load.unfit, load.unfit[:3]
    redis.start()
    load.until_answered(10)
    disks.empty(own_disk)


def test_with_the_databases_disk_full_what_cannot_be_kept_is_refused(
    host: Host, load: Load, database_disk: Path
) -> None:
    load.until_answered(5)
    disks.fill(database_disk)
    before = load.seen["503"]
    until(lambda: load.seen["503"] > before, 120, "calls are refused")
    assert host.process is not None and host.process.poll() is None
    disks.empty(database_disk)
    load.until_answered(10)


def test_all_that_was_answered_stands_and_was_handled_once(
    site: Site, load: Load, receiver: Receiver
) -> None:
    load.finish()
    answer_audit.insist(site, load, receiver, failed=PERIODIC, held=True)
