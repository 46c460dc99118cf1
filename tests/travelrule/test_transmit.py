"""Messages are sent to counterparties of the directory (document 2 sections 3 and 4)."""

import hashlib
import hmac
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.callbacks.clients import webhook_client
from apps.payments.travelrule.integrity import verify_records
from apps.payments.travelrule.ivms import DIALECTS, parse_message, read_message
from apps.payments.travelrule.models import (
    RecordKey,
    Transmission,
    TravelAttempt,
    TravelEvent,
    TravelRecord,
)
from apps.payments.travelrule.rules.directory import RESEND_PERIOD
from apps.payments.travelrule.rules.transmissions import (
    MAX_ATTEMPTS,
    RETRY_DELAYS,
    SEND_FAILURES,
    retry_delay,
)
from apps.payments.travelrule.sending import attempts as running
from apps.payments.travelrule.sending.send_stored import send_stored_records
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.common.clock import now
from tests.payees.registration.conftest import wallet
from tests.platform.tampering import sql
from tests.travelrule.conftest import CREDITOR, DEBTOR
from tests.travelrule.directory import LEI, NAME, OTHER_LEI, SECRET, enter
from tests.travelrule.erasure import erased
from tests.travelrule.peers import Peer, due, gaps, run_until

pytestmark = pytest.mark.django_db
LONG = timedelta(days=2)


def attempts() -> list[tuple[int, str]]:
    return [
        (travel_attempt.number, travel_attempt.error)
        for travel_attempt in TravelAttempt.objects.order_by("pk")
    ]


def apart(count: int) -> list[dict[str, Any]]:
    """Return so many payments between other wallets each, which no pattern joins."""
    return [
        {
            "reference": f"INV-{number}",
            "creditor": replace(CREDITOR, wallet=wallet(300 + number)),
            "debtor": replace(DEBTOR, wallet=wallet(400 + number)),
        }
        for number in range(count)
    ]


def again(one: TravelRecord) -> TravelRecord:
    one.refresh_from_db()
    return one


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_the_version_that_is_named_is_that_of_the_bytes(
    pay: Any, other: Peer, dialect: str
) -> None:
    enter(endpoint=other.url, dialect=dialect)
    pay()
    run_until(now())
    ((_, headers),) = other.came
    assert headers["x-ivms101-version"] == ("101.2023" if dialect == "ivms101-2023" else "1.0")


def test_a_message_for_whom_the_directory_serves_is_sent_and_recorded(
    pay: Any, read: Any, other: Peer
) -> None:
    enter(endpoint=other.url)
    one = pay()
    assert (one.status, one.reason, one.counterparty_lei) == ("PENDING", "ENDPOINT_KNOWN", LEI)
    run_until(now())
    assert again(one).status == "SENT"
    ((body, headers),) = other.came
    assert headers["x-svc-signature"] == hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert headers["x-ivms101-version"] == "1.0"
    assert headers["x-travel-rule-payment-id"] == str(one.payment_id)
    facts = TravelEvent.objects.get(record=one, event="DELIVERED").data
    assert (facts["status"], facts["lei"], facts["attempts"]) == (201, LEI, 1)
    assert facts["sha256"] == hashlib.sha256(body).hexdigest()
    assert facts["receiverId"] == "7f3f6a52-1d0f-4c1e-9a55-0a0b7f0f6f10"
    told = read(str(one.payment_id))
    assert [step["event"] for step in told["steps"]] == ["PENDING", "DELIVERED"]
    assert not list(verify_records(lambda _: None))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_message_is_written_in_the_dialect_that_the_counterparty_reads(
    pay: Any, other: Peer, dialect: str
) -> None:
    enter(endpoint=other.url, dialect=dialect)
    pay()
    run_until(now())
    (body,) = other.bodies()
    message = read_message(parse_message(body))
    assert message.dialect in (dialect, "trisa-json", "npm", "platform")
    named = message.message["beneficiaryVASP"]["beneficiaryVASP"]["legalPerson"]
    assert named["name"]["nameIdentifier"][0]["legalPersonName"] == NAME
    assert message.message["beneficiary"]["accountNumber"] == [wallet(41)]


@pytest.mark.parametrize(
    ("entry", "status"),
    [
        ({}, "PENDING"),
        ({"wallets": [wallet(40)]}, "STORED"),
        ({"wallets": [], "leis": [CREDITOR.lei]}, "PENDING"),
    ],
)
def test_only_messages_to_whom_the_entry_serves_are_sent(
    pay: Any, other: Peer, entry: dict[str, Any], status: str
) -> None:
    enter(endpoint=other.url, **entry)
    assert pay().status == status
    run_until(now())
    assert len(other.came) == (status == "PENDING")


def test_below_the_threshold_nothing_is_sent(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    assert pay(amount=Decimal("2999.99")).status == "EXEMPT"
    assert not Transmission.objects.exists()


def test_an_incomplete_message_is_not_sent(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    one = pay(debtor=replace(DEBTOR, address=None))
    assert (one.status, one.reason) == ("FAILED", "MESSAGE_INCOMPLETE")
    assert not Transmission.objects.exists()


def test_a_failed_attempt_is_made_again_by_the_table_and_then_given_up(
    pay: Any, other: Peer
) -> None:
    other.answers = [500] * 20
    enter(endpoint=other.url)
    one = pay()
    ran = run_until(now() + LONG)
    assert [round(gap / timedelta(minutes=1)) for gap in gaps(ran)] == [1, 5, 30, 120, 720]
    assert again(one).status == "FAILED"
    assert len(attempts()) == MAX_ATTEMPTS == 6
    event = TravelEvent.objects.get(record=one, event="GAVE_UP")
    assert (event.data["error"], event.data["attempts"]) == ("status", 6)
    assert not list(verify_records(lambda _: None))


@pytest.mark.parametrize(("failures", "status"), [(5, "SENT"), (6, "FAILED")])
def test_the_last_attempt_counts(pay: Any, other: Peer, failures: int, status: str) -> None:
    other.answers = [503] * failures
    enter(endpoint=other.url)
    one = pay()
    run_until(now() + LONG)
    assert again(one).status == status


def test_every_attempt_sends_the_same_bytes_whatever_the_directory_says_meanwhile(
    pay: Any, other: Peer
) -> None:
    other.answers = [500]
    enter(endpoint=other.url)
    one = pay()
    run_until(now())
    enter(secret="", endpoint=other.url, dialect="npm", name="Heron Renamed Limited")
    run_until(now() + LONG)
    assert again(one).status == "SENT"
    first, second = other.bodies()
    assert first == second


@pytest.mark.parametrize("status", [400, 409, 413, 415, 422, 410])
def test_a_refusal_is_final(pay: Any, other: Peer, status: int) -> None:
    other.answers = [status]
    enter(endpoint=other.url)
    one = pay()
    run_until(now() + LONG)
    assert again(one).status == "FAILED"
    assert attempts() == [(1, "gone" if status == 410 else "refused")]


@pytest.mark.parametrize("status", [401, 403, 404, 408, 425, 429, 500, 302])
def test_what_may_pass_is_tried_again(pay: Any, other: Peer, status: int) -> None:
    other.answers = [status]
    enter(endpoint=other.url)
    one = pay()
    run_until(now() + timedelta(minutes=2))
    assert again(one).status == "SENT"
    assert len(other.came) == 2


def test_a_sender_that_is_killed_after_the_post_sends_the_same_bytes_again(
    pay: Any, other: Peer, monkeypatch: Any
) -> None:
    enter(endpoint=other.url)
    one = pay()

    def die(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    (job,) = due(now())
    with monkeypatch.context() as patched:
        patched.setattr(running, "settle_attempt", die)
        with pytest.raises(KeyboardInterrupt):
            running.transmit_message(job.key, job.eta)
    assert again(one).status == "PENDING" and attempts() == []
    running.transmit_message(job.key, job.eta + timedelta(minutes=2))  # the job, taken over
    assert attempts() == [(1, "interrupted")]
    run_until(now() + timedelta(minutes=10))
    assert again(one).status == "SENT"
    assert len(other.came) == 2 and other.bodies()[0] == other.bodies()[1]


def test_while_one_sends_another_waits(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    pay()
    (job,) = due(now())
    pk = int(job.key.partition("/")[0])
    assert running.claim_attempt(pk, now=job.eta) is not None
    with pytest.raises(running.RetryLater):
        running.transmit_message(job.key, job.eta + timedelta(seconds=59))
    assert other.came == []


def test_a_job_that_runs_twice_sends_once(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    pay()
    (job,) = due(now())
    running.transmit_message(job.key, job.eta)
    running.transmit_message(job.key, job.eta)
    assert len(other.came) == 1 and len(attempts()) == 1


def test_what_nothing_sends_is_found_by_the_sweep(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    one = pay()
    due(now())[0].delete()
    running.enqueue_missed_attempts("", now() + timedelta(seconds=50))
    assert due(now() + LONG) == []
    running.enqueue_missed_attempts("", now() + timedelta(seconds=70))
    run_until(now() + LONG)
    assert again(one).status == "SENT"


def test_what_a_clock_that_is_set_back_had_planned_is_sent_when_its_wait_is_over(
    pay: Any, other: Peer
) -> None:
    enter(endpoint=other.url)
    other.answers = [503]
    one = pay()
    run_until(now() + timedelta(seconds=1))
    Transmission.objects.update(due_at=now() + timedelta(hours=3))
    assert len(run_until(now() + timedelta(minutes=5))) == 1  # its job finds nothing that is due
    moment = now() + timedelta(minutes=5)
    running.enqueue_missed_attempts("", moment)
    assert run_until(moment + LONG) == [moment + RETRY_DELAYS[0]]
    assert again(one).status == "SENT" and len(other.came) == 2


@pytest.mark.parametrize("tries", range(MAX_ATTEMPTS))
def test_what_is_planned_by_the_clock_that_holds_is_left(pay: Any, other: Peer, tries: int) -> None:
    enter(endpoint=other.url)
    pay()
    due = now() + (RETRY_DELAYS[tries - 1] if tries else timedelta())
    Transmission.objects.update(tries=tries, due_at=due)
    assert (
        running.reschedule_transmissions_after_clock_rollback(now=now() - timedelta(seconds=50))
        == 0
    )
    Transmission.objects.update(sending=True, due_at=now() + running.LEASE)
    assert (
        running.reschedule_transmissions_after_clock_rollback(now=now() - timedelta(seconds=50))
        == 0
    )
    assert (
        running.reschedule_transmissions_after_clock_rollback(now=now() - timedelta(minutes=2)) == 1
    )


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("UPDATE travelrule_vasp SET endpoint = 'http://127.0.0.1:1/x'", "unproved"),
        ("UPDATE travelrule_travelrecord SET counterparty = 'Mallory'", "unproved"),
        ("DELETE FROM travelrule_vaspkey", "no_key"),
    ],
)
def test_nothing_is_sent_by_rows_that_were_altered(
    pay: Any, other: Peer, change: str, word: str
) -> None:
    enter(endpoint=other.url)
    pay()
    sql(change)
    (job,) = due(now())
    running.transmit_message(job.key, job.eta)
    assert other.came == [] and attempts() == [(1, word)]


def test_bytes_that_were_altered_are_not_sent(pay: Any, other: Peer) -> None:
    other.answers = [500]
    enter(endpoint=other.url)
    pay()
    run_until(now())
    sql("UPDATE travelrule_transmission SET sha256 = %s", "0" * 64)
    run_until(now() + timedelta(minutes=2))
    assert len(other.came) == 1
    assert attempts()[-1] == (2, "unproved")


@pytest.mark.parametrize(("last", "sent"), [(0, 1), (-1, 0)])
def test_an_entry_that_ended_meanwhile_is_sent_nothing(
    pay: Any, other: Peer, last: int, sent: int
) -> None:
    enter(endpoint=other.url)
    one = pay()
    enter(secret="", endpoint=other.url, valid_until=now().date() + last * timedelta(days=1))
    run_until(now())
    assert len(other.came) == sent
    assert again(one).status == ("SENT" if sent else "FAILED")


def test_a_message_that_was_erased_is_not_sent(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    one = pay()
    erased(one)
    run_until(now())
    assert other.came == [] and again(one).status == "FAILED"
    assert attempts() == [(1, "erased")]


def test_a_message_whose_key_is_gone_without_a_purge_is_not_told_as_erased(
    pay: Any, other: Peer
) -> None:
    enter(endpoint=other.url)
    pay()
    RecordKey.objects.all().delete()
    run_until(now())
    assert other.came == [] and attempts() == [(1, "unproved")]


def test_nothing_is_sent_to_another_than_the_record_names(pay: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    enter(lei=OTHER_LEI, name="Another", endpoint=other.url, secret="o" * 40, wallets=[])
    pay()
    sql("UPDATE travelrule_transmission SET lei = %s", OTHER_LEI)
    (job,) = due(now())
    running.transmit_message(job.key, job.eta)
    assert other.came == [] and attempts() == [(1, "unproved")]


def test_a_private_address_is_not_called(pay: Any, monkeypatch: Any, other: Peer) -> None:
    enter(endpoint=other.url)
    pay()
    monkeypatch.setattr(webhook_client, "allowed_networks", lambda: ())  # as outside a sandbox
    (job,) = due(now())
    running.transmit_message(job.key, job.eta)
    assert other.came == [] and attempts() == [(1, "refused_address")]


def test_a_counterparty_that_fails_again_and_again_is_left_alone_for_a_while(
    pay: Any, other: Peer
) -> None:
    other.answers = [500] * 50
    enter(endpoint=other.url, leis=[CREDITOR.lei])
    for one in apart(7):
        pay(**one)
    run_until(now())
    words = [word for _, word in attempts()]
    assert words == ["status"] * 5 + ["paused"] * 2
    assert len(other.came) == 5


def stored(pay: Any, moment: datetime) -> TravelRecord:
    one = pay(moment)
    assert one.status == "STORED"
    return TravelRecord.objects.get(pk=one.pk)


@pytest.mark.parametrize(
    ("ago", "status"), [(timedelta(0), "SENT"), (timedelta(seconds=1), "STORED")]
)
def test_what_was_stored_within_thirty_days_is_sent_when_an_entry_comes_to_hold(
    pay: Any, other: Peer, ago: timedelta, status: str
) -> None:
    at = now()
    travel_record = stored(pay, at - RESEND_PERIOD - ago)
    vasp = enter(endpoint=other.url, at=at)
    send_stored_records(f"{vasp.pk}/{vasp.version}", at)
    run_until(at + timedelta(seconds=1))
    assert again(travel_record).status == status
    if status == "SENT":
        events = list(
            TravelEvent.objects.filter(record=travel_record).values_list("event", flat=True)
        )
        assert events == ["STORED", "SEND_LATER", "DELIVERED"]
        assert travel_record.counterparty_lei == LEI
    assert not list(verify_records(lambda _: None))


def test_an_entry_of_the_future_sends_nothing_before_its_first_day(pay: Any, other: Peer) -> None:
    at = now()
    travel_record = stored(pay, at)
    first = at.date() + timedelta(days=1)
    vasp = enter(endpoint=other.url, valid_from=first, at=at)
    send_stored_records(f"{vasp.pk}/{vasp.version}", at)
    assert again(travel_record).status == "STORED"
    send_stored_records(f"{vasp.pk}/{vasp.version}", at + timedelta(days=1))
    assert again(travel_record).status == "PENDING"


def test_what_is_stored_for_others_stays_stored(pay: Any, other: Peer) -> None:
    travel_record = stored(pay, now())
    vasp = enter(endpoint=other.url, wallets=[wallet(40)])
    send_stored_records(f"{vasp.pk}/{vasp.version}", now())
    assert again(travel_record).status == "STORED"


def test_what_another_entry_serves_first_is_not_sent_to_this_one(pay: Any, other: Peer) -> None:
    travel_record = stored(pay, now())
    by_wallet = enter(endpoint=other.url)
    by_lei = enter(
        lei=OTHER_LEI, name="Another", endpoint=other.url, secret="o" * 40, wallets=[],
        leis=[CREDITOR.lei],
    )  # fmt: skip
    send_stored_records(f"{by_lei.pk}/{by_lei.version}", now())
    assert again(travel_record).status == "STORED"
    send_stored_records(f"{by_wallet.pk}/{by_wallet.version}", now())
    assert (again(travel_record).status, again(travel_record).counterparty_lei) == ("PENDING", LEI)


def test_an_entry_that_was_changed_since_sends_by_its_new_version_alone(
    pay: Any, other: Peer
) -> None:
    travel_record = stored(pay, now())
    vasp = enter(endpoint=other.url)
    send_stored_records(f"{vasp.pk}/{vasp.version + 1}", now())
    assert again(travel_record).status == "STORED"


def test_every_failure_of_the_table_has_its_end() -> None:
    for send_failure in SEND_FAILURES:
        waits = [
            retry_delay(tries=tries, word=send_failure.word) for tries in range(1, MAX_ATTEMPTS + 1)
        ]
        assert waits == ([None] * MAX_ATTEMPTS if send_failure.final else [*RETRY_DELAYS, None])


def test_several_payments_are_recorded_in_few_statements(
    paid: Any, other: Peer, django_assert_max_num_queries: Any
) -> None:
    enter(endpoint=other.url, leis=[CREDITOR.lei])
    for one in apart(5):
        paid(**one)
    with django_assert_max_num_queries(45):
        record_settled_payments("", now())
    assert TravelRecord.objects.filter(status="PENDING").count() == 5


def test_a_native_instruction_with_the_payers_address_is_sent_by_itself(
    recorded: Any, read: Any, other: Peer
) -> None:
    enter(endpoint=other.url)
    place = {"streetName": "Gannet Lane", "buildingNumber": "7"}
    place |= {"townName": "Redmond", "postCode": "98052", "country": "US"}
    payer = {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974"}
    payer |= {"walletAddress": wallet(42)}
    payee = {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974"}
    payee |= {"walletAddress": wallet(41)}
    lacking = recorded(amount="3000.00", creditor=payee, debtor=payer, tmsReference="INV-2")
    assert read(lacking)["status"] == "FAILED"
    whole = payer | {"address": place}
    sent = recorded(amount="3000.00", creditor=payee, debtor=whole, tmsReference="INV-3")
    assert read(sent)["status"] == "PENDING"
