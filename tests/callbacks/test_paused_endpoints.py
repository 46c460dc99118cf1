"""Endpoints that are gone or fail for days are left alone, and their owner is told."""

from datetime import timedelta

import pytest

from apps.payments.callbacks import rules, tasks
from apps.payments.callbacks.models import Delivery, Endpoint, Pause, State
from apps.payments.callbacks.selectors import feed
from apps.payments.callbacks.services import endpoint_pauses
from tests.callbacks.receivers import ALICE, BOB, URL, Receivers, delivery, later, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("since", "resumed", "failures", "failing"),
    [
        (None, None, 99, False),
        (3 * DAY, None, 12, True),
        (3 * DAY - timedelta(seconds=1), None, 99, False),
        (3 * DAY, None, 11, False),
        (30 * DAY, DAY - timedelta(seconds=1), 99, False),  # what failed before does not count
        (30 * DAY, DAY, 99, True),
        (2 * DAY, 9 * DAY, 99, False),  # a resume before the failures says nothing of them
        (3 * DAY, 9 * DAY, 12, True),
    ],
)
def test_an_endpoint_is_failing_when_the_rule_says_so(
    since: timedelta | None, resumed: timedelta | None, failures: int, failing: bool
) -> None:
    found = rules.is_failing(
        since=NOON - since if since else None,
        resumed_at=NOON - resumed if resumed else None,
        failures=failures,
        now=NOON,
    )
    assert found is failing


def test_410_pauses_at_once_and_nothing_more_is_sent_there(receivers: Receivers) -> None:
    receivers.always[URL] = 410
    first = tell()
    run_until(NOON)
    assert (delivery(first).state, delivery(first).last_error) == (State.PAUSED, "gone")
    endpoint = Endpoint.objects.get()
    assert endpoint.paused_why == Pause.GONE
    second = tell(now=later(minutes=1))
    run_until(later(days=1))
    assert delivery(second).state == State.PAUSED and len(receivers.calls) == 1
    item = feed.read_feed(owner=ALICE).items[1]
    assert (item.name, item.subject) == ("callback.endpoint_paused", endpoint.uid)
    assert item.data == {"endpointId": str(endpoint.uid), "address": endpoint.address,
                         "reason": "GONE"}  # fmt: skip


def test_410_pauses_one_path_of_one_owner(receivers: Receivers) -> None:
    receivers.always[URL] = 410
    tell()
    run_until(NOON)
    others = [tell(url=f"{URL}/other"), tell(owner=BOB, url=URL.replace("callbacks", "b"))]
    run_until(later(seconds=1))
    assert [delivery(other).state for other in others] == [State.DELIVERED] * 2
    assert Endpoint.objects.filter(paused_at=None).count() == 2


def test_a_query_belongs_to_the_delivery_and_not_to_the_endpoint(receivers: Receivers) -> None:
    for number in range(3):
        tell(url=f"{URL}?token={number}")
    run_until(NOON)
    assert Endpoint.objects.get().address == "https://alice.example:443/callbacks"
    assert sorted(call.url[-1] for call in receivers.calls) == ["0", "1", "2"]


def fail_for(days: int, receivers: Receivers) -> None:
    receivers.always[URL] = 500
    for day in range(days):
        tell(now=later(days=day))
        run_until(later(days=day, hours=1))


def test_one_that_fails_for_days_is_paused_and_its_owner_told_once(receivers: Receivers) -> None:
    fail_for(3, receivers)
    assert Endpoint.objects.get().paused_at is None
    fail_for(6, receivers)
    endpoint = Endpoint.objects.get()
    assert endpoint.paused_why == Pause.FAILING and endpoint.failing_since is not None
    names = [item.name for item in feed.read_feed(owner=ALICE, limit=200).items]
    assert names.count("callback.endpoint_paused") == 1


def test_a_success_in_between_begins_anew(receivers: Receivers) -> None:
    fail_for(3, receivers)
    receivers.always[URL] = 200
    tell(now=later(days=2, hours=2))
    run_until(later(days=2, hours=3))
    endpoint = Endpoint.objects.get()
    assert (endpoint.failures, endpoint.failing_since, endpoint.last_error) == (0, None, "")


def test_a_resume_sends_what_was_paused_and_does_not_pause_at_the_next_failure(
    receivers: Receivers,
) -> None:
    fail_for(4, receivers)
    waiting = [tell(now=later(days=4)), tell(now=later(days=5))]
    run_until(later(days=5))
    assert {delivery(told).state for told in waiting} == {State.PAUSED}
    endpoint = Endpoint.objects.get()
    since = endpoint.failing_since
    receivers.answers[URL] = [500, 500, 500]
    receivers.always[URL] = 200
    assert endpoint_pauses.resume_endpoint(endpoint=endpoint, now=later(days=6))
    assert not endpoint_pauses.resume_endpoint(endpoint=endpoint, now=later(days=6))
    run_until(later(days=6))
    endpoint.refresh_from_db()
    assert endpoint.paused_at is None and endpoint.failing_since == since
    run_until(later(days=6, hours=1))
    assert {delivery(told).state for told in waiting} == {State.DELIVERED}
    assert Delivery.objects.filter(state=State.PAUSED).count() == 0


def test_one_that_goes_on_failing_after_a_resume_is_paused_after_a_day(
    receivers: Receivers,
) -> None:
    fail_for(4, receivers)
    endpoint_pauses.resume_endpoint(endpoint=Endpoint.objects.get(), now=later(days=10))
    for hours, paused in ((1, False), (23, False), (25, True)):
        tell(now=later(days=10, hours=hours))
        run_until(later(days=10, hours=hours, minutes=20))
        assert (Endpoint.objects.get().paused_at is not None) is paused


def test_one_that_was_paused_as_its_endpoint_was_resumed_is_not_forgotten(
    receivers: Receivers,
) -> None:
    published_event = tell()
    Delivery.objects.update(state=State.PAUSED, due_at=None)
    run_until(later(hours=1))
    assert delivery(published_event).state == State.PAUSED
    tasks.send_missed_callbacks("", later(hours=1))
    assert delivery(published_event).state == State.DELIVERED


def test_what_a_sender_of_ours_lost_says_nothing_of_the_receiver(receivers: Receivers) -> None:
    receivers.always[URL] = "interrupted"
    tell()
    run_until(later(hours=1))
    assert Endpoint.objects.get().failures == 0
