"""POST /bank-webhook: what the bank tells, once, in order, and onward into settlement."""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.banking import onward, quoting
from apps.banking.models import BankEvent, BankTransaction, Delivery
from apps.banking.projection import compare
from apps.core.clock import now
from apps.core.models import Job
from apps.review.models import Case
from apps.stability.models import Quote
from tests.banking.telling import LISTED, OTHER, WALLET, deliver, event, post, tagged, update

pytestmark = pytest.mark.django_db


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


def sound() -> bool:
    return list(compare(lambda _: None)) == []


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
    assert len({one["quoteId"] for one in answers}) == 1 and Quote.objects.count() == 1


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


def test_what_fails_at_the_bank_after_it_was_routed_is_a_case(sample: Any) -> None:
    said = tagged(status="pending")
    deliver(said)
    for version in (2, 3):
        assert deliver(update(said, version, status="failed"))["action"] == "ignored"
    case = Case.objects.get(kind="bank_payment")
    assert (case.risk, case.rules[0]["ref"], case.needs_second) == ("HIGH", "BR-19", True)


@pytest.mark.parametrize(
    ("patch", "rule"),
    [
        ({"note": "svc:0x12"}, "BR-12"),
        ({"amount": -125.5}, "BR-10"),
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
        patch.setattr(quoting.flow, "gather", broken)
        assert deliver(said)["action"] == "waiting"
        assert deliver(said)["action"] == "waiting"
    row = the(said)
    assert (row.state, row.tries, row.trouble) == ("WAITING", 1, "RuntimeError")
    assert Job.objects.filter(name="banking.route", key=str(row.pk)).count() == 1
    onward.again(str(row.pk), now() + timedelta(seconds=4))
    assert the(said).state == "WAITING"
    onward.again(str(row.pk), now() + timedelta(seconds=6))
    assert the(said).state == "ROUTED" and sound()
    assert deliver(said)["quoteId"] == the(said).quote_id


def test_a_quote_that_never_comes_is_asked_for_on_and_on(sample: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(quoting.flow, "gather", broken)
    said = tagged()
    deliver(said)
    at = now()
    for _ in range(10):
        at += timedelta(hours=1)
        onward.again(str(the(said).pk), at)
    assert the(said).tries == 11 and the(said).due_at > at
    onward.sweep(at + timedelta(hours=1))
    assert Job.objects.filter(name="banking.route", key=str(the(said).pk)).exists()


def test_a_row_that_somebody_altered_goes_no_further(sample: Any, monkeypatch: Any) -> None:
    said = tagged()
    with monkeypatch.context() as patch:
        patch.setattr(quoting.flow, "gather", broken)
        deliver(said)
    BankTransaction.objects.update(wallet=OTHER)
    onward.again(str(the(said).pk), now() + timedelta(minutes=1))
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
    held = Delivery.objects.get()
    kept = json.dumps(list(BankEvent.objects.values("payload", "subject")))
    assert "Grey Plover" not in held.body + kept and "1234567890" not in held.body + kept


def test_versions_beyond_what_a_number_holds_are_refused() -> None:
    assert post(json.dumps(event(resourceVersion=2**70)).encode()).status_code == 400
