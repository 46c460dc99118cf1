"""What somebody wrote or altered in the database is neither sent nor told: events are proved."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from apps.payments.callbacks.models import (
    Delivery,
    Endpoint,
    Event,
    FeedEntry,
    FeedHead,
    Unnumbered,
)
from apps.payments.callbacks.selectors import feed
from tests.callbacks.receivers import ALICE, BOB, Receivers, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db


def forged(**changes: Any) -> Event:
    """Write a copy of the one event there is, without the platform's keys."""
    event = Event.objects.get()
    event.pk, event.uid = None, uuid4()
    for name, value in changes.items():
        setattr(event, name, value)
    event.save(force_insert=True)
    return event


def to_another_address() -> None:
    Delivery.objects.update(url="https://mallory.example/in")


def to_another_event() -> None:
    Delivery.objects.update(event=forged(name="payment.settled"))


def of_another_owner() -> None:
    Delivery.objects.update(owner=BOB)


def with_another_body() -> None:
    with connection.cursor() as cursor:
        for kind in ("update", "delete"):
            cursor.execute(
                f"DROP TRIGGER IF EXISTS callbacks_event_no_{kind}"
                + (" ON callbacks_event" if connection.vendor == "postgresql" else "")
            )
        cursor.execute("""UPDATE callbacks_event SET body = '{"status":"SETTLED"}'""")


@pytest.mark.parametrize(
    "alter", [to_another_address, to_another_event, of_another_owner, with_another_body]
)
def test_a_callback_that_was_altered_is_not_sent(
    alter: Callable[[], None], receivers: Receivers
) -> None:
    tell(status="BLOCKED")
    alter()
    run_until(NOON)
    assert not receivers.calls
    row = Delivery.objects.get()
    assert (row.state, row.last_error) == ("PENDING", "altered")
    assert Endpoint.objects.get().failures == 0, "that is no fault of its receiver"


def test_a_callback_that_nobody_altered_is_sent(receivers: Receivers) -> None:
    tell(status="BLOCKED")
    run_until(NOON)
    assert len(receivers.calls) == 1 and Delivery.objects.get().state == "DELIVERED"


def test_the_feed_tells_what_was_published_alone() -> None:
    tell(status="BLOCKED")
    Unnumbered.objects.create(event=forged(name="payment.settled"), owner=ALICE)
    page = feed.read_feed(owner=ALICE)
    assert [item.name for item in page.items] == [Event.objects.earliest("pk").name]
    assert page.last == "2", "who asks from there on is not shown it later"


def test_the_feed_of_one_tells_nothing_of_another() -> None:
    tell(status="BLOCKED")
    FeedHead.objects.create(owner=BOB, last=1)
    FeedEntry.objects.create(owner=BOB, number=1, event=Event.objects.get())
    assert feed.read_feed(owner=BOB).items == []
