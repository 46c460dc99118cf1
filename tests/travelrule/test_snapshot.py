"""An export reads one state of the database, whatever is written while it streams."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.core.clock import now
from apps.travelrule.export import streaming
from apps.travelrule.export.snapshot import snapshot
from apps.travelrule.making import Transfer, make
from apps.travelrule.models import TravelRecord
from apps.travelrule.parties import Named
from apps.travelrule.rules.recording import INBOUND, Facts
from tests.travelrule.offline import GOOD, Desk

pytestmark = pytest.mark.django_db(transaction=True)


def transfer() -> Transfer:
    return Transfer(
        facts=Facts(INBOUND, None, now().date()),
        amount="1",
        currency="USD",
        message={"originator": {}},
        originator=Named((), ()),
        beneficiary=Named((), ()),
    )


def beside(work: Callable[[], Any]) -> None:
    """Do something by a connection of its own."""
    done: list[Any] = []

    def run() -> None:
        try:
            done.append(work())
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert done


def test_an_export_is_of_the_moment_in_which_it_began(desk: Desk) -> None:
    make([transfer(), transfer()], now=now())
    asked = {"format": "ndjson"}
    made = streaming.start(
        asked=asked, caller="account:1", name="Examiner", now=now() + timedelta(seconds=5)
    )
    pieces = made.stream()
    first = next(pieces)
    assert TravelRecord.objects.count() == 2
    beside(lambda: make([transfer()], now=now()))
    raw = first + b"".join(pieces)
    assert len(raw.splitlines()) == 3
    assert TravelRecord.objects.count() == 3
    assert desk.verify(raw)[0] == GOOD


def test_a_snapshot_does_not_see_what_is_written_beside_it(db: None) -> None:
    with snapshot():
        assert TravelRecord.objects.count() == 0
        beside(lambda: make([transfer()], now=now()))
        assert TravelRecord.objects.count() == 0
    assert TravelRecord.objects.count() == 1
    assert not connection.in_atomic_block
