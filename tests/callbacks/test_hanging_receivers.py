"""Receivers that hang delay nobody else: shares by host and owner, made in the claim."""

import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.callbacks import tasks
from apps.payments.callbacks.models import Delivery, Endpoint, State
from apps.payments.callbacks.services import claim_deliveries
from tests.callbacks.receivers import ALICE, BOB, URL, Receivers, delivery, later, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
BOBS = "https://bob.example/in"


def hosts(taken: list[claim_deliveries.ClaimedDelivery]) -> list[str]:
    return sorted(claimed_delivery.delivery.endpoint.host for claimed_delivery in taken)


def test_one_receiver_has_four_at_once_and_those_behind_it_are_taken() -> None:
    for _ in range(200):
        tell()
    behind = tell(owner=BOB, url=BOBS, now=later(seconds=1))
    due_deliveries = claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32)
    assert hosts(due_deliveries) == ["alice.example:443"] * 4 + ["bob.example:443"]
    assert delivery(behind).state == State.SENDING
    assert claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32) == []


def test_the_share_is_of_host_and_port_however_it_is_spelled_and_whoever_owns_it() -> None:
    spellings = ["https://a.example/1", "https://A.EXAMPLE:443/2", "https://a.example./3"]
    for number in range(9):
        tell(owner=f"account:{number}", url=spellings[number % 3])
    assert len(claim_deliveries.claim_due_deliveries(now=NOON, most=32)) == 4
    tell(owner=BOB, url="https://a.example:8443/4")
    assert hosts(claim_deliveries.claim_due_deliveries(now=NOON, most=32)) == ["a.example:8443"]


def test_one_owner_has_eight_at_once_over_all_its_hosts() -> None:
    for number in range(30):
        tell(url=f"https://h{number}.example/")
    tell(owner=BOB, url=BOBS, now=later(seconds=1))
    due_deliveries = claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32)
    assert len(due_deliveries) == 9 and "bob.example:443" in hosts(due_deliveries)


def _ended(claimed_deliveries: list[claim_deliveries.ClaimedDelivery]) -> None:
    """Let attempts end well, so that their room is free."""
    rows = Delivery.objects.filter(
        pk__in=[claimed_delivery.delivery.pk for claimed_delivery in claimed_deliveries]
    )
    rows.update(state=State.DELIVERED, due_at=None)


@pytest.mark.parametrize(("slow", "room"), [(False, 4), (True, 1)])
def test_thousands_of_one_owner_do_not_hold_up_another_at_the_same_receiver(
    slow: bool, room: int
) -> None:
    for number in range(300):
        tell(url=f"{URL}/{number % 50}")  # another path is no other receiver
    late = [tell(owner=BOB, now=later(seconds=1), url=f"{URL}/bob") for _ in range(10)]
    Endpoint.objects.update(slow=slow)
    bobs, rounds = 0, 0
    while bobs < len(late):
        due_deliveries = claim_deliveries.claim_due_deliveries(
            now=later(seconds=2 + rounds), most=32
        )
        assert len(due_deliveries) == room
        bobs += sum(due_delivery.delivery.owner == BOB for due_delivery in due_deliveries)
        _ended(due_deliveries)
        rounds += 1
    # all were sent before even a fifth of what the other has due
    assert rounds * room < 60
    assert Delivery.objects.filter(owner=ALICE, state=State.DELIVERED).exists()


def test_one_room_that_is_free_is_for_who_has_nothing_under_way_there() -> None:
    for _ in range(40):
        tell()
    due_deliveries = claim_deliveries.claim_due_deliveries(now=NOON, most=32)
    behind = tell(owner=BOB, url=URL, now=later(seconds=1))
    assert claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32) == []
    _ended(due_deliveries[:1])
    (taken,) = claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32)
    assert taken.delivery.pk == delivery(behind).pk


def test_the_oldest_of_an_owner_goes_first_at_a_receiver() -> None:
    made = [tell(now=later(seconds=second)) for second in (3, 1, 2)]
    tell(owner=BOB, url=URL, now=NOON)
    due_deliveries = claim_deliveries.claim_due_deliveries(now=later(seconds=5), most=3)
    mine = [
        due_delivery.delivery.pk
        for due_delivery in due_deliveries
        if due_delivery.delivery.owner == ALICE
    ]
    assert mine == [delivery(made[1]).pk, delivery(made[2]).pk]


def test_a_claim_looks_few_times_however_much_one_owner_has_due() -> None:
    for _ in range(100):
        tell()
    tell(owner=BOB, url=URL, now=later(seconds=1))
    with CaptureQueriesContext(connection) as queries:
        assert len(claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32)) == 4
    assert len([query for query in queries if 'JOIN "callbacks_event"' in query["sql"]]) <= 4


def test_one_that_ran_out_of_time_has_one_at_once_until_it_answers() -> None:
    for _ in range(6):
        tell()
    Endpoint.objects.update(slow=True)
    assert len(claim_deliveries.claim_due_deliveries(now=NOON, most=32)) == 1
    assert claim_deliveries.claim_due_deliveries(now=NOON, most=32) == []


def test_a_share_is_free_again_when_an_attempt_ends(receivers: Receivers) -> None:
    for _ in range(10):
        tell()
    tasks.send_due_callbacks("", NOON)
    assert Delivery.objects.filter(state=State.DELIVERED).count() == 10


def test_what_a_dead_sender_held_is_free_after_its_lease() -> None:
    for _ in range(6):
        tell()
    assert len(claim_deliveries.claim_due_deliveries(now=NOON, most=32)) == 4
    assert (
        len(claim_deliveries.claim_due_deliveries(now=NOON + claim_deliveries.LEASE, most=32)) == 2
    )


def test_a_claim_takes_no_more_than_it_is_asked_for() -> None:
    for number in range(9):
        tell(owner=f"account:{number}", url=f"https://h{number}.example/")
    assert len(claim_deliveries.claim_due_deliveries(now=NOON, most=3)) == 3
    assert claim_deliveries.claim_due_deliveries(now=NOON, most=0) == []


def test_the_oldest_go_first() -> None:
    for minute in (3, 1, 2):
        tell(url=f"https://h{minute}.example/", now=later(minutes=minute))
    due_deliveries = claim_deliveries.claim_due_deliveries(now=later(hours=1), most=2)
    assert hosts(due_deliveries) == ["h1.example:443", "h2.example:443"]


def test_while_one_hangs_with_hundreds_due_others_get_theirs_in_time(
    receivers: Receivers,
) -> None:
    let_go, times = threading.Event(), []

    def before(url: str) -> None:
        if url == URL:
            let_go.wait(20)
        else:
            times.append(time.monotonic())

    receivers.before, receivers.always = before, {URL: "timeout"}
    for _ in range(300):
        tell()
    for number in range(20):
        tell(owner=f"account:{number}", url=f"https://h{number}.example/", now=later(seconds=1))
    threading.Timer(3, let_go.set).start()
    began = time.monotonic()
    monkey_shift, tasks.SHIFT = tasks.SHIFT, 1.5
    try:
        tasks.send_due_callbacks("", later(seconds=1))
    finally:
        tasks.SHIFT = monkey_shift
    assert len(times) == 20 and max(times) - began < 1.5
    assert len(receivers.to(URL)) == 4


def test_what_becomes_due_while_one_hangs_is_sent_beside_it(
    receivers: Receivers, monkeypatch: Any
) -> None:
    monkeypatch.setattr(tasks, "SHIFT", 2.0)
    let_go = threading.Event()
    receivers.before = lambda url: bool(let_go.wait(20)) if url == URL else None  # type: ignore
    tell()
    behind = tell(owner=BOB, url=BOBS, now=later(seconds=1))
    threading.Timer(2.5, let_go.set).start()
    tasks.send_due_callbacks("", NOON)
    row = delivery(behind)
    lateness = row.log.get().at - later(seconds=1)
    assert row.state == State.DELIVERED and lateness < timedelta(seconds=0.3)


def test_a_shift_that_ends_with_work_left_calls_its_successor(
    receivers: Receivers, monkeypatch: Any
) -> None:
    from apps.platform.jobs.models import Job

    monkeypatch.setattr(tasks, "SHIFT", 0.05)
    receivers.before = lambda url: time.sleep(0.1)
    for _ in range(12):
        tell()
    tasks.send_due_callbacks("", NOON)
    assert Job.objects.filter(key="wake next shift").count() == 1
    assert Delivery.objects.filter(state=State.SENDING).count() == 0
    assert 0 < Delivery.objects.filter(state=State.PENDING).count() < 12


@pytest.mark.django_db(transaction=True)
def test_claims_at_once_take_each_callback_once_and_keep_the_shares() -> None:
    for number in range(40):
        tell(owner=f"account:{number % 3}", url=f"https://h{number % 4}.example/")
    start, taken, faults = threading.Barrier(4), [], []

    def take() -> None:
        try:
            start.wait(10)
            taken.extend(claim_deliveries.claim_due_deliveries(now=NOON, most=32))
        except Exception as error:
            faults.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    ids = [one.delivery.pk for one in taken]
    assert not faults and len(ids) == len(set(ids)) == 16
    assert max(hosts(taken).count(f"h{n}.example:443") for n in range(4)) == 4


def test_a_paused_endpoint_takes_no_share() -> None:
    for _ in range(10):
        tell()
    Endpoint.objects.update(paused_at=NOON, paused_why="STAFF")
    other = tell(owner=BOB, url=BOBS, now=later(seconds=1))
    assert hosts(claim_deliveries.claim_due_deliveries(now=later(seconds=2), most=32)) == [
        "bob.example:443"
    ]
    assert Delivery.objects.filter(state=State.PAUSED, owner=ALICE).count() == 10
    assert delivery(other).state == State.SENDING
