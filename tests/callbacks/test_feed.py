"""The feed: each event once, in an order that no late commit changes; own events alone."""

import threading
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from rest_framework.exceptions import ValidationError

from apps.payments.callbacks.models import Event, FeedEntry, Unnumbered
from apps.payments.callbacks.selectors import feed
from apps.payments.callbacks.services.publish_event import publish_event
from tests.conftest import NOON


def tell(number: int, owner: str = "account:1", now: datetime = NOON) -> UUID:
    body = {"number": number}
    published_event = publish_event(
        owner=owner, event="thing.done", subject=uuid4(), body=body, url="", now=now
    )
    return published_event.event


def walked(owner: str = "account:1", limit: int = 50) -> list[int]:
    """Return the numbers of all events, page by page."""
    found: list[int] = []
    after: str | None = ""
    while after is not None:
        page = feed.read_feed(owner=owner, after=after, limit=limit)
        found += [item.data["number"] for item in page.items if item.data]
        after = page.next
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 200])
def test_every_event_comes_once_and_in_order_whatever_the_page(limit: int) -> None:
    for number in range(7):
        tell(number)
    assert walked(limit=limit) == list(range(7))


@pytest.mark.django_db
def test_the_end_says_so_and_what_comes_later_is_found_from_there() -> None:
    tell(1)
    page = feed.read_feed(owner="account:1")
    assert (len(page.items), page.next, page.last) == (1, None, "1")
    assert feed.read_feed(owner="account:1", after=page.last).items == []
    assert feed.read_feed(owner="account:1", after=page.last).last == page.last
    tell(2)
    later = feed.read_feed(owner="account:1", after=page.last)
    assert [item.data for item in later.items] == [{"number": 2}]


@pytest.mark.django_db
def test_an_owner_reads_its_own_events_alone_and_counts_its_own_places() -> None:
    tell(1)
    tell(2, owner="account:2")
    tell(3)
    assert (walked("account:1"), walked("account:2"), walked("account:3")) == ([1, 3], [2], [])
    assert feed.read_feed(owner="account:2").last == "1"


@pytest.mark.django_db
@pytest.mark.parametrize("after", ["x", "-1", "1.0", " 1", "٣", "1" * 19, "1\x00"])
def test_a_place_that_was_never_given_is_refused(after: str) -> None:
    with pytest.raises(ValidationError):
        feed.read_feed(owner="account:1", after=after)


@pytest.mark.django_db
def test_more_events_than_are_numbered_at_once_are_all_read(monkeypatch: Any) -> None:
    monkeypatch.setattr(feed, "NUMBERED_AT_ONCE", 3)
    for number in range(8):
        tell(number)
    assert walked(limit=2) == list(range(8))
    assert not Unnumbered.objects.exists()


@pytest.mark.django_db
def test_a_feed_that_was_read_is_read_again_without_a_lock(
    django_assert_num_queries: Any,
) -> None:
    tell(1)
    feed.read_feed(owner="account:1")
    with django_assert_num_queries(2):
        feed.read_feed(owner="account:1")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_what_commits_later_with_a_lower_id_is_not_skipped() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                tell(1)
                begun.set()
                go_on.wait(20)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert begun.wait(20)
    tell(2)
    first = feed.read_feed(owner="account:1")
    go_on.set()
    thread.join(20)
    second = feed.read_feed(owner="account:1", after=first.last)
    ids = dict(Event.objects.values_list("uid", "pk"))
    numbers = [item.data["number"] for item in (*first.items, *second.items) if item.data]
    assert numbers == [2, 1] and ids[second.items[0].event] < ids[first.items[0].event]


@pytest.mark.django_db(transaction=True)
def test_readers_at_once_give_each_place_once() -> None:
    for number in range(40):
        tell(number)
    start, pages, faults = threading.Barrier(4), [], []

    def read() -> None:
        try:
            start.wait(10)
            pages.append([item.event for item in feed.read_feed(owner="account:1").items])
        except Exception as error:
            faults.append(error)
        finally:
            connection.close()

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join(30)
    assert not faults and len(pages) == 4 and all(page == pages[0] for page in pages)
    places = FeedEntry.objects.order_by("number").values_list("number", flat=True)
    assert list(places) == list(range(1, 41))


@pytest.mark.django_db
def test_an_event_whose_transaction_failed_is_not_there() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        tell(1)
        raise ZeroDivisionError
    assert walked() == [] and not Event.objects.exists()


@pytest.mark.django_db
def test_a_body_that_left_is_told_as_gone() -> None:
    tell(1, now=NOON - timedelta(days=9))
    Event.objects.update(body="")
    assert [item.data for item in feed.read_feed(owner="account:1").items] == [None]
