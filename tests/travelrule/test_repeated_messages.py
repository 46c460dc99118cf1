"""Messages that are the same bytes: which are one payment's, and how many a day may bring."""

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.payments.travelrule.models import AlikeOfDay, TravelRecord
from apps.payments.travelrule.services import repeated_messages
from tests.paywall.test_races import at_once
from tests.travelrule.test_export import export
from tests.travelrule.test_receive import message, post, receive

pytestmark = pytest.mark.django_db


def under(stated: str, *, answers: int = 201, sent: Any = None) -> dict[str, Any]:
    """Send a message under an id, or without one."""
    named = {"x_travel_rule_payment_id": stated} if stated else {}
    return receive(sent or message(), answers=answers, **named)


def test_the_same_bytes_under_another_id_are_another_payments_message(
    sample: Any, examiner: Any
) -> None:
    rents = [under("rent-january"), under("rent-february"), under("")]
    assert len({rent["id"] for rent in rents}) == 3
    assert [rent["duplicate"] for rent in rents] == [False] * 3
    sender_payment_ids = [record.get("senderPaymentId") for record in export(examiner)["records"]]
    assert sorted(sender_payment_ids, key=str) == [None, "rent-february", "rent-january"]


OTHERS = "6f9d2c1e-3b4a-4c5d-8e7f-a1b2c3d4e5f6"  # no payment of ours


@pytest.mark.parametrize("stated", ["rent-january", OTHERS, "x" * 80, ""])
def test_what_is_sent_again_as_it_was_sent_is_the_same_record(sample: Any, stated: str) -> None:
    first = under(stated)
    under("another")
    again = under(stated, answers=200)
    assert (again["id"], again["duplicate"]) == (first["id"], True)
    assert TravelRecord.objects.count() == 2


def test_ids_that_differ_behind_what_is_kept_of_them_are_two(sample: Any) -> None:
    assert under("x" * 64 + "1")["id"] != under("x" * 64 + "2")["id"]


def test_a_broken_message_is_kept_once_for_each_id(sample: Any) -> None:
    for stated in ("one", "one", "two", "", ""):
        under(stated, answers=400, sent={"hello": "world"})
    assert TravelRecord.objects.filter(reason="MESSAGE_BROKEN").count() == 3


def test_a_message_of_a_payment_of_ours_is_apart_from_one_under_an_unknown_id(
    recorded: Any, read: Any
) -> None:
    payment = recorded(amount="4000.00")
    ivms101 = read(payment)["ivms101"]
    linked, other = under(payment, sent=ivms101), under(str(uuid.uuid4()), sent=ivms101)
    assert linked["paymentId"] == payment and "paymentId" not in other
    assert under(payment, sent=ivms101, answers=200)["id"] == linked["id"]


def test_bytes_that_are_replayed_under_new_ids_are_refused_past_what_a_day_may_bring(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeated_messages, "MAX_IDENTICAL", 3)
    first, *_ = [under(f"replayed-{n}") for n in range(3)]
    answer = post(json.dumps(message()).encode(), x_travel_rule_payment_id="replayed-3")
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_alike")
    assert 0 < int(answer["Retry-After"]) <= 24 * 60 * 60
    assert TravelRecord.objects.count() == 3
    assert under("replayed-0", answers=200)["id"] == first["id"]
    under("")
    under("others", sent=message(transferAmount={"transferAmount": "7", "transferCurrency": "USD"}))


def test_the_next_day_takes_the_same_bytes_again(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeated_messages, "MAX_IDENTICAL", 1)
    under("today")
    under("tomorrow", answers=429)
    AlikeOfDay.objects.update(day=timezone.now().date() - timedelta(days=1))
    under("tomorrow")
    repeated_messages.delete_past_counts("", timezone.now() + timedelta(days=1))
    assert [alike_of_day.day for alike_of_day in AlikeOfDay.objects.all()] == [
        timezone.now().date()
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stated", ["rent-january", ""])
def test_fifty_of_the_same_message_at_once_are_one_record(sample: Any, stated: str) -> None:
    raw = json.dumps(message()).encode()
    named = {"x_travel_rule_payment_id": stated} if stated else {}
    results = at_once(lambda _: post(raw, **named), 50)
    assert sorted(one.status_code for one in results) == [200] * 49 + [201]
    assert len({one.json()["id"] for one in results}) == TravelRecord.objects.count() == 1
    assert [alike_of_day.count for alike_of_day in AlikeOfDay.objects.all()] == [1] * bool(stated)


@pytest.mark.django_db(transaction=True)
def test_the_bound_of_a_day_is_exact_when_all_come_at_once(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of each id: the second is told of the record of the first, also of the last one."""
    monkeypatch.setattr(repeated_messages, "MAX_IDENTICAL", 5)
    raw = json.dumps(message()).encode()
    results = at_once(lambda n: post(raw, x_travel_rule_payment_id=f"replayed-{n // 2}"), 20)
    assert [one.status_code for one in results].count(201) == TravelRecord.objects.count() == 5
    pairs = {frozenset(one.status_code for one in results[n : n + 2]) for n in range(0, 20, 2)}
    assert pairs == {frozenset({200, 201}), frozenset({429})}
