"""Health says at once that a server is gone: refused, unreachable, or silent."""

import socket
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.db import connections

from apps.platform.health import checks as health_checks
from config import env

pytestmark = pytest.mark.django_db
PATIENCE = 5.0  # far more than health takes, far less than any library's own timeout


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that accepts and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)
        for one in held:
            one.close()


@pytest.fixture
def closed() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def port(request: Any) -> int:
    return int(request.getfixturevalue(request.param))


def database_at(port: int, monkeypatch: Any, tmp_path: Any) -> None:
    monkeypatch.setenv("PROBED", f"postgres://u:hidden@127.0.0.1:{port}/x")
    monkeypatch.setattr(env, "VARIABLES", {})
    elsewhere = env.read_database("PROBED", tmp_path, about="x")
    monkeypatch.setitem(
        connections.settings, "default", connections.settings["default"] | elsewhere
    )


def asked(client: Any) -> tuple[int, dict[str, Any], float]:
    began = time.monotonic()
    answer = client.get("/compliance/health")
    return answer.status_code, answer.json()["checks"], time.monotonic() - began


@pytest.mark.parametrize("port", ["closed", "silent"], indirect=True)
def test_a_database_that_is_gone_is_told_at_once(
    client: Any, port: int, monkeypatch: Any, tmp_path: Any, caplog: Any
) -> None:
    database_at(port, monkeypatch, tmp_path)
    status, checks, seconds = asked(client)
    assert (status, checks) == (503, {"database": {"status": "down"}})
    assert seconds < PATIENCE and "hidden" not in caplog.text


@pytest.mark.parametrize("port", ["closed", "silent"], indirect=True)
def test_a_redis_that_is_gone_is_told_at_once(client: Any, port: int, settings: Any) -> None:
    settings.REDIS_URL = f"redis://:hidden@127.0.0.1:{port}/0"
    _, checks, seconds = asked(client)
    assert checks["redis"] == {"status": "degraded"}  # and not down: the database counts calls
    assert checks["database"] == {"status": "ok"} and "jobs" in checks
    assert seconds < PATIENCE


def test_both_gone_take_no_longer_than_one(
    client: Any, silent: int, settings: Any, monkeypatch: Any, tmp_path: Any
) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{silent}/0"
    database_at(silent, monkeypatch, tmp_path)
    status, checks, seconds = asked(client)
    assert status == 503
    assert checks == {"database": {"status": "down"}, "redis": {"status": "degraded"}}
    assert seconds < PATIENCE


def test_without_redis_nothing_is_said_of_it(noon: datetime, settings: Any) -> None:
    settings.REDIS_URL = ""
    assert "redis" not in health_checks.collect_health_checks(service="compliance", now=noon)


def test_a_redis_that_answers_is_well(client: Any, settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            peer, _ = server.accept()
            with peer:
                while asked_for := peer.recv(4096):
                    peer.sendall(
                        b"+PONG\r\n" if b"PING" in asked_for else b"+OK\r\n" * asked_for.count(b"*")
                    )

        threading.Thread(target=serve, daemon=True).start()
        settings.REDIS_URL = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        assert asked(client)[1]["redis"] == {"status": "ok"}
