"""POST /bank-webhook: what the bank tells, once, in order, and onward into settlement."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from apps.backoffice.review.models import Case
from apps.insight.stability.models import Quote
from apps.payments.banking.case_types import BANK_PAYMENT
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import BankEvent, BankTransaction, Delivery
from apps.payments.banking.services import apply_chain_transfer_status, quote_deposit, route_deposit
from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.payments.models import MonthVolume
from apps.platform.common.clock import now
from apps.platform.jobs.models import Job
from tests.banking.webhook_deliveries import (
    LISTED,
    OTHER,
    WALLET,
    deliver,
    event,
    post,
    tagged,
    update,
)

pytestmark = pytest.mark.django_db


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


def sound() -> bool:
    return list(verify_bank_rows(lambda _: None)) == []


def test_an_untagged_payment_is_ignored_and_kept() -> None:
    said = event()
    answer = deliver(said)
    assert (answer["action"], answer["rule"]) == ("ignored", "BR-3")
    assert (the(said).state, Delivery.objects.get().operation) == ("SEEN", "create")
    assert sound() and not Case.objects.exists()


def test_a_tagged_payment_is_quoted_with_what_executes_it(sample: Any) -> None:
    said = tagged()
    answer = deliver(said)
    assert (answer["action"], answer["recipient"], answer["asset"]) == ("routed", WALLET, "USDC")
    assert answer["amount"] == "125.50" and answer["fees"]["fx"] in ("0", "0.00")
    net = Decimal(answer["amount"]) - Decimal(answer["fees"]["total"])
    assert Decimal(answer["execution"]["amount"]) == net
    assert answer["execution"]["amountMinor"] == str(int(net * 1_000_000))
    assert answer["execution"]["recipient"] == WALLET
    assert Quote.objects.filter(quote_id=answer["quoteId"]).exists()
    assert the(said).state == "ROUTED" and sound()


def test_to_euro_it_is_eurc_with_the_exchange_fee(sample: Any) -> None:
    answer = deliver(tagged(metadata={"destination_currency": "EUR"}))
    assert (answer["asset"], answer["destinationCurrency"]) == ("EURC", "EUR")
    assert Decimal(answer["fees"]["fx"]) > 0


def test_the_same_delivery_again_is_answered_the_same(sample: Any) -> None:
    said = tagged()
    first, again = deliver(said), deliver(said)
    assert first == again
    assert (Delivery.objects.count(), Quote.objects.count()) == (1, 1)


def test_another_body_under_the_same_delivery_id_changes_nothing(sample: Any) -> None:
    said = event()
    first = deliver(said)
    again = deliver(said | {"mergePatch": tagged()["mergePatch"]})
    assert again == first and the(said).state == "SEEN"


@pytest.mark.parametrize("patch", [{"status": "sent"}, {"status": "sent", "amount": 125.5}])
def test_created_and_later_sent_a_payment_is_routed_once(
    sample: Any, patch: dict[str, Any]
) -> None:
    said = tagged(status="pending")
    answers = [deliver(said), deliver(update(said, **patch))]
    assert len({answer["quoteId"] for answer in answers}) == 1 and Quote.objects.count() == 1


def test_an_update_routes_only_as_it_becomes_sent(sample: Any) -> None:
    said = event()
    note = {"note": f"svc:{WALLET}"}
    deliver(said)
    assert deliver(update(said, 2, **note))["action"] == "ignored"
    assert deliver(update(said, 3, status="pending"))["action"] == "ignored"
    assert deliver(update(said, 4, status="sent"))["action"] == "routed"


def test_an_update_that_comes_before_its_creation_waits_for_the_amount(sample: Any) -> None:
    said = tagged()
    sent = update(said, status="sent", note=f"svc:{WALLET}")
    assert deliver(sent)["rule"] == "BR-8"
    assert deliver(said)["action"] == "routed"
    assert deliver(sent)["action"] == "routed"  # it was told to wait: now it is told how it stands


def test_a_late_older_version_undoes_nothing(sample: Any) -> None:
    said = tagged(status="pending")
    deliver(update(said, 5, status="failed"))
    assert deliver(said)["rule"] == "BR-7" and the(said).state == "SEEN"


def test_a_tagged_payment_that_leaves_the_account_is_routed_by_its_sum(sample: Any) -> None:
    said = tagged(amount=-125.5)
    answer = deliver(said)
    assert (answer["action"], answer["amount"]) == ("routed", "125.50")
    assert deliver(update(said, status="sent"))["quoteId"] == answer["quoteId"]


@pytest.mark.parametrize(
    ("patch", "rule"),
    [
        ({"note": "svc:0x12"}, "BR-12"),
        ({"amount": 0.005}, "BR-9"),
        ({"currency": "EUR"}, "BR-11"),
        ({"metadata": {"svc_recipient": OTHER}}, "BR-13"),
        ({"note": "", "metadata": {"svc_route": "true"}}, "BR-14"),
    ],
)
def test_what_cannot_be_routed_is_held_with_one_case(
    sample: Any, settings: Any, patch: dict[str, Any], rule: str
) -> None:
    settings.BANK_DEFAULT_RECIPIENT = ""
    said = tagged(**patch)
    answer = deliver(said)
    assert (answer["action"], answer["rule"]) == ("held", rule)
    assert deliver(update(said, status="sent"))["action"] == "held"
    assert "quoteId" not in answer and not Quote.objects.exists()
    assert Case.objects.get(kind="bank_payment").rules[0]["ref"] == rule
    assert the(said).state == "HELD" and sound()


def test_the_case_of_what_cannot_be_routed_shows_what_the_bank_tells(sample: Any) -> None:
    told = {"currency": "EUR", "counterpartyName": "Grey Plover", "status": "pending"}
    deliver(tagged(**told))
    case = Case.objects.get()
    drawn = BANK_PAYMENT.picture(case.evidence)["request"]["payment"]
    rows = {one["label"]: one["value"] for one in drawn}
    assert rows["Amount at the bank"] == "125.5 EUR" and rows["Payer"] == "Grey Plover"
    assert case.party == "Grey Plover"
    assert rows["Wallets named in tags"] == WALLET and WALLET in rows["Note"]
    assert (rows["Destination currency"], rows["Status at the bank"]) == ("USD", "pending")


def test_a_tag_that_is_put_right_routes_what_was_held(sample: Any) -> None:
    said = tagged("0x12")
    deliver(said)
    mended = update(said, status="sent", note=f"svc:{WALLET}")
    assert deliver(mended)["action"] == "routed"


def test_a_default_recipient_takes_what_names_none(sample: Any, settings: Any) -> None:
    settings.BANK_DEFAULT_RECIPIENT = OTHER.lower()
    answer = deliver(event(patch={"metadata": {"svc_route": "true"}}))
    assert (answer["action"], answer["recipient"]) == ("routed", OTHER)


def test_a_listed_wallet_is_held_and_who_sent_the_delivery_is_not_told_why(sample: Any) -> None:
    said = tagged(LISTED)
    answer = deliver(said)
    assert (answer["action"], answer["rule"]) == ("held", "BR-17")
    assert "BLOCK" not in json.dumps(answer) and "quoteId" not in answer
    assert the(said).state == "HALTED"
    assert deliver(update(said, status="sent"))["action"] == "held"
    assert Case.objects.filter(kind="bank_payment").count() == 1


def broken(**_: Any) -> Any:
    raise RuntimeError("no quote now")


def test_what_cannot_be_quoted_now_waits_and_is_tried_again(sample: Any, monkeypatch: Any) -> None:
    said = tagged()
    with monkeypatch.context() as patch:
        patch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", broken)
        assert deliver(said)["action"] == "waiting"
        assert deliver(said)["action"] == "waiting"
    row = the(said)
    assert (row.state, row.tries, row.trouble) == ("WAITING", 1, "RuntimeError")
    assert Job.objects.filter(name="banking.route", key=str(row.pk)).count() == 1
    route_deposit.route_waiting_deposit(str(row.pk), now() + timedelta(seconds=4))
    assert the(said).state == "WAITING"
    route_deposit.route_waiting_deposit(str(row.pk), now() + timedelta(seconds=6))
    assert the(said).state == "ROUTED" and sound()
    assert deliver(said)["quoteId"] == the(said).quote_id


def test_a_try_planned_by_a_clock_that_is_set_back_is_due(sample: Any, monkeypatch: Any) -> None:
    said = tagged()
    with monkeypatch.context() as patch:
        patch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", broken)
        deliver(said)
    row = the(said)
    BankTransaction.objects.update(due_at=now() + route_deposit.RETRY_DELAYS[-1])
    route_deposit.route_waiting_deposit(str(row.pk), now())
    assert the(said).state == "WAITING"
    BankTransaction.objects.update(due_at=now() + timedelta(hours=2))
    route_deposit.route_waiting_deposit(str(row.pk), now())
    assert the(said).state == "ROUTED" and sound()


def test_a_quote_that_never_comes_is_asked_for_on_and_on(sample: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", broken)
    said = tagged()
    deliver(said)
    at = now()
    for _ in range(10):
        at += timedelta(hours=1)
        route_deposit.route_waiting_deposit(str(the(said).pk), at)
    assert the(said).tries == 11 and the(said).due_at > at
    route_deposit.enqueue_overdue_routes(at + timedelta(hours=1))
    assert Job.objects.filter(name="banking.route", key=str(the(said).pk)).exists()


def test_a_row_that_somebody_altered_goes_no_further(sample: Any, monkeypatch: Any) -> None:
    said = tagged()
    with monkeypatch.context() as patch:
        patch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", broken)
        deliver(said)
    BankTransaction.objects.update(wallet=OTHER)
    route_deposit.route_waiting_deposit(str(the(said).pk), now() + timedelta(minutes=1))
    assert the(said).state == "WAITING" and not sound()
    assert deliver(update(said, status="sent"), answers=503)["code"] == "bank_row_unproved"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": None}, "id"),
        ({"id": ""}, "id"),
        ({"resourceVersion": "1"}, "resourceVersion"),
        ({"resourceVersion": -1}, "resourceVersion"),
        ({"mergePatch": []}, "mergePatch"),
        ({"resourceType": 7}, "resourceType"),
    ],
)
def test_what_is_no_event_is_400(change: dict[str, Any], field: str) -> None:
    answer = deliver(event() | change, answers=400)
    assert answer["errors"][0]["field"] == field and not Delivery.objects.exists()


def test_fields_that_are_not_known_are_passed_over() -> None:
    assert deliver(event() | {"organizationId": "x"})["action"] == "ignored"


def test_another_resource_is_kept_and_ignored() -> None:
    answer = deliver(event(resourceType="checkingAccount", patch={"note": f"svc:{WALLET}"}))
    assert answer["rule"] == "BR-1" and not BankTransaction.objects.exists()


def test_what_came_is_sealed_at_rest() -> None:
    said = event(patch={"counterpartyName": "Grey Plover", "account": "1234567890"})
    deliver(said)
    delivery = Delivery.objects.get()
    kept = json.dumps(list(BankEvent.objects.values("payload", "subject")))
    assert "Grey Plover" not in delivery.body + kept and "1234567890" not in delivery.body + kept


def test_versions_beyond_what_a_number_holds_are_refused() -> None:
    assert post(json.dumps(event(resourceVersion=2**70)).encode()).status_code == 400


def test_checks_are_made_before_the_transaction_that_decides_by_them(
    sample: Any, monkeypatch: Any
) -> None:
    depths, check_bank_payment = [], quote_deposit.route_bank_payment.check_bank_payment

    def seen(**given: Any) -> Any:
        depths.append(len(connection.savepoint_ids))
        return check_bank_payment(**given)

    monkeypatch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", seen)
    said = tagged()
    outside = len(connection.savepoint_ids)
    assert deliver(said)["action"] == "routed"
    with monkeypatch.context() as patch:
        patch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", broken)
        later = tagged()
        deliver(later)
    route_deposit.route_waiting_deposit(str(the(later).pk), now() + timedelta(seconds=6))
    assert the(later).state == "ROUTED" and depths == [outside, outside]


def test_what_changed_while_the_checks_were_made_is_looked_up_anew(
    sample: Any, monkeypatch: Any
) -> None:
    said, check_bank_payment = (
        tagged(status="pending"),
        quote_deposit.route_bank_payment.check_bank_payment,
    )

    def meanwhile(**given: Any) -> Any:
        monkeypatch.setattr(
            quote_deposit.route_bank_payment, "check_bank_payment", check_bank_payment
        )
        deliver(update(said, 5, amount=99, note=f"svc:{OTHER}"))
        return check_bank_payment(**given)

    monkeypatch.setattr(quote_deposit.route_bank_payment, "check_bank_payment", meanwhile)
    assert deliver(said)["action"] == "waiting" and the(said).trouble == "QuoteUnavailable"
    route_deposit.route_waiting_deposit(str(the(said).pk), now() + timedelta(seconds=6))
    row = the(said)
    assert (row.state, row.wallet, row.amount) == ("ROUTED", OTHER, 99) and sound()
    assert Quote.objects.count() == 1


def test_a_quote_is_taken_by_its_payment_and_nobody_else_settles_by_it(sample: Any) -> None:
    said = tagged()
    answer = deliver(said)
    assert Quote.objects.get(quote_id=answer["quoteId"]).used_by == f"bank:{the(said).order_id}"


def test_what_settled_counts_once_in_its_month_even_if_the_chain_took_it_back(
    sample: Any,
) -> None:
    said = tagged()
    deliver(said)
    row = the(said)
    for state in ("FINAL", "FINAL", "CONFLICT", "FINAL"):
        apply_chain_transfer_status.apply_chain_transfer_status(
            row.order_id, TransferStatus(state=state, tx_hash="0x1"), now()
        )  # type: ignore[arg-type]
    assert MonthVolume.objects.get().settled_usd == Decimal("125.5") and sound()


def test_officers_see_which_check_halts_a_payment(sample: Any) -> None:
    deliver(tagged(LISTED))
    checks = Case.objects.get(kind="bank_payment").evidence["checks"]
    assert any("sanctions" in check for check in checks)


@pytest.mark.parametrize(
    "change", [{"amount": 5}, {"note": f"svc:{OTHER}"}, {"note": "no tag any more"}]
)
@pytest.mark.parametrize("status", ["sent", "pending"])
def test_what_is_told_otherwise_after_it_was_routed_is_a_case_of_high_risk(
    sample: Any, change: dict[str, Any], status: str
) -> None:
    first = tagged(amount=500, status="pending")
    assert deliver(first)["action"] == "routed"
    for version in (2, 3):
        answer = deliver(update(first, version, status=status, **change))
    assert answer["action"] != "routed" and "execution" not in answer
    case = Case.objects.get()
    assert (case.rules[0]["ref"], case.risk, case.amount) == ("BR-21", "HIGH", 500)
    deliver(update(first, 4, status="sent", amount=6))
    assert Case.objects.count() == 2 and sound()


@pytest.mark.parametrize(
    ("status", "action"),
    [("FAILED", "ignored"), (" Cancelled", "ignored"), ("rejected", "held"), ("SENT", "routed")],
)
def test_a_status_is_read_in_any_form_and_one_that_is_not_known_is_held(
    sample: Any, status: str, action: str
) -> None:
    assert deliver(tagged(status=status))["action"] == action
    assert Case.objects.count() == (action == "held")
