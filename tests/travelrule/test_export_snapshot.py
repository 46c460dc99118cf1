"""An export reads one state of the database, whatever is written while it streams."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.payments.travelrule.export import streams
from apps.payments.travelrule.export.snapshot import open_snapshot
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.party_index import NamedSide
from apps.payments.travelrule.rules.record_status import INBOUND, TransferFacts
from apps.payments.travelrule.services.create_records import TransferInputs, create_records
from apps.platform.common.clock import now
from tests.travelrule.examiner import GOOD, Desk

pytestmark = pytest.mark.django_db(transaction=True)


def transfer() -> TransferInputs:
    return TransferInputs(
        facts=TransferFacts(INBOUND, None, now().date()),
        amount="1",
        currency="USD",
        message={"originator": {}},
        originator=NamedSide((), ()),
        beneficiary=NamedSide((), ()),
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
    create_records([transfer(), transfer()], now=now())
    asked = {"format": "ndjson"}
    made = streams.start_export(
        asked=asked, caller="account:1", name="Examiner", now=now() + timedelta(seconds=5)
    )
    pieces = made.stream()
    first = next(pieces)
    assert TravelRecord.objects.count() == 2
    beside(lambda: create_records([transfer()], now=now()))
    raw = first + b"".join(pieces)
    assert len(raw.splitlines()) == 3
    assert TravelRecord.objects.count() == 3
    assert desk.verify(raw)[0] == GOOD


def test_a_snapshot_does_not_see_what_is_written_beside_it(db: None) -> None:
    with open_snapshot():
        assert TravelRecord.objects.count() == 0
        beside(lambda: create_records([transfer()], now=now()))
        assert TravelRecord.objects.count() == 0
    assert TravelRecord.objects.count() == 1
    assert not connection.in_atomic_block
