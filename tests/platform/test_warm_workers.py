"""Workers of a lane have at hand what its jobs need, before the first of them is started."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connections
from django_q.management.commands import qcluster

from apps.platform.management.commands import qcluster as warming
from apps.reference.watchlists import engine, lookup
from config.lanes import CALLBACKS, PAYMENTS

DONE: list[str] = []


def note() -> None:
    DONE.append("warm")


def fail() -> None:
    raise OperationalError("no database")


@pytest.fixture(autouse=True)
def closing(monkeypatch: Any) -> None:
    DONE.clear()
    monkeypatch.setattr(connections, "close_all", lambda: DONE.append("closed"))
    monkeypatch.setattr(warming, "connection", SimpleNamespace(ensure_connection=lambda: None))
    monkeypatch.setitem(warming.WARMED, PAYMENTS, (f"{__name__}.note",))
    monkeypatch.setattr(qcluster.Command, "handle", lambda *_, **__: DONE.append("started"))


def test_a_lane_is_warm_before_its_workers_are_started(monkeypatch: Any) -> None:
    monkeypatch.setenv("Q_CLUSTER_NAME", PAYMENTS)
    warming.Command().handle()
    assert DONE == ["warm", "closed", "started"]


def test_the_lane_may_be_named_on_the_command_line(monkeypatch: Any) -> None:
    monkeypatch.delenv("Q_CLUSTER_NAME", raising=False)
    warming.Command().handle(cluster_name=PAYMENTS)
    assert DONE == ["warm", "closed", "started"]


def test_another_lane_reads_nothing_it_does_not_need(monkeypatch: Any) -> None:
    monkeypatch.setenv("Q_CLUSTER_NAME", CALLBACKS)
    warming.Command().handle()
    assert DONE == ["closed", "started"]


def test_workers_start_though_the_database_cannot_be_reached(monkeypatch: Any) -> None:
    monkeypatch.setitem(warming.WARMED, PAYMENTS, (f"{__name__}.fail", f"{__name__}.note"))
    monkeypatch.setenv("Q_CLUSTER_NAME", PAYMENTS)
    warming.Command().handle()
    assert DONE == ["closed", "started"]


def test_workers_wait_for_a_database_that_is_away_and_say_so_once(
    monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Started without it they would end, and a part that keeps ending stops the host."""
    answers = iter([OperationalError("connection refused")] * 3 + [None])

    def connects() -> None:
        if error := next(answers):
            raise error

    monkeypatch.setattr(warming, "connection", SimpleNamespace(ensure_connection=connects))
    monkeypatch.setattr(warming, "WAIT_SECONDS", 0)
    monkeypatch.setenv("Q_CLUSTER_NAME", PAYMENTS)
    warming.Command().handle()
    assert DONE == ["warm", "closed", "started"]
    assert next(answers, "none is left") == "none is left"
    assert [record.getMessage() for record in caplog.records] == [
        "workers of payments are waiting for the database: connection refused"
    ]


@pytest.mark.django_db
def test_without_lists_nobody_is_looked_for(monkeypatch: Any) -> None:
    monkeypatch.setattr(lookup, "match_sanctions", lambda **_: pytest.fail("there is no list"))
    from config import warm_up as named

    named.open_match_index()


def test_a_web_worker_starts_though_the_database_cannot_be_reached(monkeypatch: Any) -> None:
    def away(now: Any) -> Any:
        raise OperationalError("connection refused")

    monkeypatch.setattr(engine, "load_current_engine", away)
    from config import warm_up as named

    named.open_match_index()
