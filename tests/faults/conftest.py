"""A PostgreSQL, a Redis and a prepared site for the faults of a session; a host for each file."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.hosts import Host, Site
from tests.faults.load import Load, Receiver
from tests.faults.servers import Postgres, Redis, binaries

LONGEST = 900  # seconds for a test, with the start of what it needs
PREPARED = "prepared"
QUICK = ("test_table.py", "test_draining.py")  # these start no site, and run with all others


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder that needs a site."""
    for item in items:
        if "tests/faults/" in item.nodeid and item.path.name not in QUICK:
            item.add_marker("faults")
            item.add_marker("processes")
            item.add_marker(pytest.mark.timeout(LONGEST))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of this session."""
    found = binaries()
    if found is None or not Path("/proc").exists():
        pytest.skip("needs PostgreSQL's server programs, and /proc to find what it kills")
    server = Postgres(found)
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis of this session."""
    if not shutil.which("redis-server"):
        pytest.skip("needs redis-server")
    server = Redis()
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def prepared(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A database that is migrated and has the sandbox's samples; others are copies of it."""
    site = Site(tmp_path_factory.mktemp("prepared"), postgres, None, PREPARED)
    postgres.create(PREPARED)
    site.prepare()
    return site


@pytest.fixture(scope="module")
def site(prepared: Site, redis: Redis, request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site of its own for a file of tests."""
    name = f"site_{request.path.stem}"
    with tempfile.TemporaryDirectory(prefix="oracle-faults-") as folder:
        prepared.postgres.copy(PREPARED, name)
        made = Site(Path(folder), prepared.postgres, redis, name)
        made.secrets = prepared.secrets
        for kept in ("keys.json", "sandbox.json", "secrets.json"):
            if (prepared.folder / kept).exists():
                shutil.copy(prepared.folder / kept, made.folder / kept)
        yield made


@pytest.fixture(scope="module")
def hosts(site: Site) -> Iterator[Callable[..., Host]]:
    """Make hosts of the site: `hosts("one", "web", "index", WEB_WORKERS="1")`; ended at the end."""
    with ExitStack() as stack:

        def make(name: str, *wanted: str, **more: str) -> Host:
            host = Host(site, name, wanted, **more)
            stack.callback(host.end)
            return host

        yield make


@pytest.fixture(scope="module")
def host(hosts: Callable[..., Host]) -> Host:
    """One host with every part."""
    made = hosts("one", "web", "index", "jobs", "outbound", "callbacks", "payments", "mcp")
    made.start()
    return made


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    """Takes the callbacks of a file of tests."""
    made = Receiver()
    yield made
    made.close()


@pytest.fixture(scope="module")
def load(site: Site, host: Host, receiver: Receiver) -> Iterator[Load]:
    """Clients of the host: they go on from test to test."""
    made = Load([host.port], site.keys(), receiver.url).start()
    yield made
    made.stop()
