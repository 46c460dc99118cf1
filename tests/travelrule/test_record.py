"""The record of a settled payment: GET /travel-rule/:paymentId (document 2 section 2.3)."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.services import record_payments
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.common.clock import now
from apps.platform.jobs.models import Job
from tests.api.endpoint_walk import key_client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("amount", "applies", "status", "reason"),
    [
        ("2999.99", False, "EXEMPT", "BELOW_THRESHOLD"),
        ("3000.00", True, "STORED", "NO_ENDPOINT"),
        ("3000.01", True, "STORED", "NO_ENDPOINT"),
    ],
)
def test_the_threshold_is_met_at_exactly_three_thousand_dollars(
    recorded: Any, read: Any, amount: str, applies: bool, status: str, reason: str
) -> None:
    found = read(recorded(amount=amount))
    assert (found["applies"], found["status"], found["reason"]) == (applies, status, reason)
    assert Decimal(found["amountUsd"]) == Decimal(amount)
    assert found["thresholdUsd"] == 3000


def test_a_foreign_amount_counts_at_the_rate_of_its_payment(recorded: Any, read: Any) -> None:
    found = read(recorded(amount="2900.00", currency="EUR"))
    rate = Decimal(found["exchangeRate"])
    assert rate > 1
    assert Decimal(found["amountUsd"]) == (Decimal("2900.00") * rate).quantize(Decimal("0.000001"))
    assert found["applies"] is (Decimal(found["amountUsd"]) >= 3000)
    assert found["ivms101"]["transferAmount"] == {
        "transferAmount": "2900",
        "transferCurrency": "EUR",
    }


def test_a_record_is_kept_for_the_seconds_of_five_years(recorded: Any, read: Any) -> None:
    found = read(recorded())
    assert found["retainUntil"] - found["createdAt"] == 157_788_000
    assert "103.33" in found["regulation"]
    assert "103.38" in found["retentionRequirement"]


def test_the_message_names_both_sides_with_their_leis_and_wallets(recorded: Any, read: Any) -> None:
    message = read(recorded(amount="4000.00"))["ivms101"]
    originator = message["originator"]["originatorPersons"][0]["legalPerson"]
    assert originator["name"]["nameIdentifier"] == [
        {"legalPersonName": "Microsoft Corporation", "legalPersonNameIdentifierType": "LEGL"}
    ]
    assert originator["nationalIdentification"] == {
        "nationalIdentifier": "INR2EJN1ERAN0W5ZP974",
        "nationalIdentifierType": "LEIX",
    }
    beneficiary = message["beneficiary"]["beneficiaryPersons"][0]["legalPerson"]
    assert "nationalIdentification" not in beneficiary
    assert len(message["beneficiary"]["accountNumber"]) == 1
    vasp = message["originatorVASP"]["vasp"]["name"]["nameIdentifier"][0]
    assert vasp["legalPersonName"] == "Sandbox operator"


def test_it_says_by_what_the_institution_calls_the_payment(recorded: Any, read: Any) -> None:
    payment = recorded(tmsReference="Payroll of Ada, November")
    assert read(payment)["tmsReference"] == "Payroll of Ada, November"
    row = str(TravelRecord.objects.values().get())
    for text in (TravelEvent.objects.get().payload, row):
        assert "Payroll" not in text, "it may name somebody"


def test_another_institution_finds_no_record(recorded: Any, read: Any) -> None:
    payment = recorded()
    stranger = key_client("Birch Bank", "INSTITUTION")
    missing = read(payment, client=stranger, status=404)
    assert missing == read(str(uuid.uuid4()), client=stranger, status=404)


def test_a_payment_that_has_not_settled_has_no_record(send: Any, read: Any) -> None:
    sent = send()
    record_settled_payments("", now())
    read(sent["svcPaymentId"], status=404)


def test_recording_again_makes_no_second_record(recorded: Any) -> None:
    payment = recorded()
    record_settled_payments("", now())
    assert TravelRecord.objects.filter(payment_id=payment).count() == 1
    assert TravelEvent.objects.count() == 1


def test_a_payment_that_settles_plans_its_own_record(settled: Callable[..., str]) -> None:
    settled()
    assert Job.objects.filter(name="travelrule.record").count() == 1


def test_many_payments_are_recorded_in_a_few_statements(
    settled: Any, django_assert_max_num_queries: Any
) -> None:
    for number in range(4):
        settled(tmsReference=f"INV-{number}")
    with django_assert_max_num_queries(25):
        record_settled_payments("", now())
    assert TravelRecord.objects.count() == 4


def test_no_name_or_account_stands_in_clear_in_the_ledger(recorded: Any) -> None:
    recorded()
    event = TravelEvent.objects.get()
    row = str(TravelRecord.objects.values().get())
    for text in (event.payload, row):
        assert "Microsoft" not in text
        assert "Heron" not in text
        assert "0x000" not in text


def test_a_record_that_was_altered_is_not_served(recorded: Any, read: Any) -> None:
    payment = recorded()
    TravelRecord.objects.update(status="SENT")
    assert read(payment, status=503)["code"] == "record_unproved"


def test_a_settled_payment_that_was_altered_is_not_recorded(settled: Any) -> None:
    from apps.payments.payments.models import Payment

    settled()
    Payment.objects.update(tx_hash="0xother")
    with pytest.raises(RuntimeError, match="1 settled payments"):
        record_settled_payments("", now())
    assert not TravelRecord.objects.exists()


def test_one_that_cannot_be_recorded_stops_no_other(settled: Any) -> None:
    from apps.payments.payments.models import Payment

    bad, good = settled(tmsReference="A"), settled(tmsReference="B")
    Payment.objects.filter(payment_id=bad).update(tx_hash="0xother")
    with pytest.raises(RuntimeError):
        record_settled_payments("", now())
    assert str(TravelRecord.objects.get().payment_id) == good


def test_a_record_leaves_after_five_years_and_not_a_second_before(recorded: Any) -> None:
    from apps.platform.ledger.retention import find_expired_records
    from apps.platform.ledger.sealer import seal_all_ledgers

    at = now()
    recorded(at)
    seal_all_ledgers(now=at)
    kept = timedelta(seconds=157_788_000)
    assert not list(find_expired_records(ledger="travel_rule", now=at + kept))
    assert (
        len(list(find_expired_records(ledger="travel_rule", now=at + kept + timedelta(seconds=1))))
        == 1
    )


def test_more_than_are_recorded_at_once_are_recorded_the_oldest_first(
    settled: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_payments, "AT_ONCE", 2)
    payments = [settled(tmsReference=f"INV-{number}") for number in range(3)]
    record_settled_payments("", now())
    found = TravelRecord.objects.order_by("pk").values_list("payment_id", flat=True)
    assert [str(one) for one in found] == payments
