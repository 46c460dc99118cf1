"""A call that is paid for by x402, as payers of either version see it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import PaymentClaim, Receipt, State
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.paywall.payer import ALICE, BOB, packed, unpacked, v1, v2

pytestmark = pytest.mark.django_db
Ask = Callable[..., Any]


def offer(screen: Ask) -> dict[str, Any]:
    return screen().json()["accepts"][0]


def test_who_sends_neither_key_nor_payment_is_told_the_price_in_both_versions(screen: Ask) -> None:
    asked = screen()
    body, header = asked.json(), unpacked(asked["PAYMENT-REQUIRED"])
    assert asked.status_code == 402 and asked["Cache-Control"] == "no-store"
    assert (body["x402Version"], body["error"], body["code"]) == (1,) + ("payment_required",) * 2
    first, second = body["accepts"][0], header["accepts"][0]
    assert (first["maxAmountRequired"], first["network"]) == ("10000", "base-mainnet")
    assert first["resource"] == "http://testserver/compliance/compliance/screen"
    assert {"scheme", "description", "mimeType", "payTo", "asset", "extra"} < set(first)
    assert (header["x402Version"], second["amount"]) == (2, "10000")
    assert (second["network"], header["resource"]["url"]) == ("eip155:8453", first["resource"])
    assert "X-API-Key" in asked["WWW-Authenticate"]
    detail = body["detail"]
    assert detail.startswith("This call costs 0.01 USDC.") and body["message"] == detail
    for named in ("X-PAYMENT ", "PAYMENT-SIGNATURE", "PAYMENT-REQUIRED", second["network"]):
        assert named in detail
    assert "knows no network base-mainnet may call it base;" in detail
    assert detail.endswith("Or send a key in X-API-Key, and no payment.")
    assert not PaymentClaim.objects.exists()


def test_what_only_a_payment_buys_speaks_of_no_key(db: None) -> None:
    detail = APIClient().get("/reports/report/macro").json()["detail"]
    assert detail.startswith("This call costs 2 USDC.") and "send a key" not in detail


def test_a_payment_of_version_1_buys_a_call_and_its_receipt_says_sandbox(screen: Ask) -> None:
    answer = screen(v1(offer(screen)))
    assert answer.status_code == 200 and answer.json()["decision"] == "APPROVED"
    said = unpacked(answer["X-PAYMENT-RESPONSE"])
    assert (said["success"], said["network"]) == (True, "base-mainnet")
    assert said["payer"] == ALICE.address.lower() and said["transaction"].startswith("sandbox-0x")
    claim = PaymentClaim.objects.get()
    assert (claim.state, str(claim.amount), claim.resource) == (State.SETTLED, "0.01", "screen")
    assert Screen.objects.get().owner == f"payer:{ALICE.address.lower()}"


def test_a_payment_of_version_2_buys_the_same(screen: Ask) -> None:
    answer = screen(v2(unpacked(screen()["PAYMENT-REQUIRED"])))
    assert answer.status_code == 200
    said = unpacked(answer["PAYMENT-RESPONSE"])
    assert (said["success"], said["network"], said["amount"]) == (True, "eip155:8453", "10000")


@pytest.mark.parametrize("network", ["base", "base-mainnet"])
def test_version_1_may_call_the_network_by_either_name(screen: Ask, network: str) -> None:
    assert screen(v1(offer(screen) | {"network": network})).status_code == 200


def test_the_receipt_is_a_record_of_its_ledger(screen: Ask) -> None:
    screen(v1(offer(screen)))
    record = Receipt.objects.get()
    assert (record.kind, str(record.amount), record.facilitator) == ("PAYMENT", "0.01", "sandbox")
    assert record.data["payer"] == ALICE.address.lower()
    sealer.seal_all_ledgers(now=now())
    assert verifier.verify_ledger(ledger="receipts", heads=None).faults == []


def test_the_same_payment_for_the_same_request_is_the_same_answer(screen: Ask) -> None:
    paid = v1(offer(screen))
    first, again = screen(paid), screen(paid)
    assert again.content == first.content and again["Idempotent-Replayed"] == "true"
    assert unpacked(again["X-PAYMENT-RESPONSE"]) == unpacked(first["X-PAYMENT-RESPONSE"])
    assert Screen.objects.count() == Receipt.objects.count() == 1


def test_the_same_payment_for_another_request_is_409_and_buys_nothing(screen: Ask) -> None:
    paid = v1(offer(screen))
    screen(paid)
    other = screen(paid, name="Somebody Else Ltd")
    assert (other.status_code, other.json()["code"]) == (409, "payment_used")
    assert Screen.objects.count() == 1


def test_an_answer_goes_to_nobody_who_only_knows_the_nonce(screen: Ask) -> None:
    asked, nonce = offer(screen), b"n" * 32
    assert screen(v1(asked, nonce=nonce)).status_code == 200
    forged = v1(asked, BOB, nonce=nonce, **{"from": ALICE.address})
    refused = screen(forged)
    assert (refused.status_code, refused.json()["error"]) == (
        402, "invalid_exact_evm_payload_signature",
    )  # fmt: skip


def test_a_bad_request_costs_nothing(screen: Ask) -> None:
    paid = v1(offer(screen))
    assert screen(paid, name="").status_code == 400
    assert not PaymentClaim.objects.exists()
    assert screen(paid).status_code == 200


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "too little": ({}, {"value": 9999}, "invalid_exact_evm_payload_authorization_value_mismatch"),
    "too much": ({}, {"value": 10001}, "invalid_exact_evm_payload_authorization_value_mismatch"),
    "to somebody else": (
        {}, {"to": BOB.address}, "invalid_exact_evm_payload_recipient_mismatch",
    ),
    "expired": (
        {}, {"validBefore": 1_700_000_000}, "invalid_exact_evm_payload_authorization_valid_before",
    ),
    "not yet valid": (
        {}, {"validAfter": 4_000_000_000, "validBefore": 4_000_000_600},
        "invalid_exact_evm_payload_authorization_valid_after",
    ),
    "signed by another": ({}, {"from": BOB.address}, "invalid_exact_evm_payload_signature"),
    "another asset": ({"asset": BOB.address}, {}, "invalid_exact_evm_payload_signature"),
    "another token name": (
        {"extra": {"name": "USDC", "version": "2"}}, {}, "invalid_exact_evm_payload_signature",
    ),
    "another network": ({"network": "ethereum"}, {}, "network_mismatch"),
    "another scheme": ({"scheme": "upto"}, {}, "unsupported_scheme"),
}  # fmt: skip


@pytest.mark.parametrize(("offered", "changed", "reason"), WRONG.values(), ids=WRONG)
def test_a_payment_that_is_not_good_is_refused_and_says_why(
    screen: Ask, offered: Any, changed: Any, reason: str
) -> None:
    refused = screen(v1(offer(screen) | offered, **changed))
    body = refused.json()
    assert (refused.status_code, body["code"], body["error"]) == (402, "payment_refused", reason)
    assert body["accepts"] and refused["PAYMENT-REQUIRED"]
    said = unpacked(refused["X-PAYMENT-RESPONSE"])
    assert (said["success"], said["errorReason"]) == (False, reason)
    assert not PaymentClaim.objects.exists() and not Screen.objects.exists()


def test_version_2_must_take_up_the_very_offer(screen: Ask) -> None:
    challenge = unpacked(screen()["PAYMENT-REQUIRED"])
    paid = unpacked(v2(challenge)["PAYMENT-SIGNATURE"])
    paid["accepted"]["amount"] = "1"
    refused = screen({"PAYMENT-SIGNATURE": packed(paid)})
    assert refused.json()["error"] == "no_matching_payment_requirements"


@pytest.mark.parametrize(
    "value",
    ["not base64!", "AAAA", packed([]), packed({}), packed({"x402Version": 1}), "A" * 20_000,
     packed({"x402Version": 1, "payload": {"signature": "0x", "authorization": {}}})],
)  # fmt: skip
def test_a_header_that_is_no_payment_is_400(screen: Ask, value: str) -> None:
    refused = screen({"X-PAYMENT": value})
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed_payment")


def test_an_unknown_key_is_401_where_payments_are_taken_too(screen: Ask) -> None:
    assert screen({"X-API-Key": "svc_sub_unknown"}).status_code == 401


def test_a_key_is_billed_and_not_asked_to_pay(screen: Ask, caller: Any) -> None:
    answer = caller("Alice Ltd").post(
        "/compliance/compliance/screen", {"name": "Blue Heron"}, format="json"
    )
    assert answer.status_code == 200 and not PaymentClaim.objects.exists()


def test_who_paid_for_a_screen_reads_it_and_nobody_else_does(screen: Ask, monkeypatch: Any) -> None:
    asked = offer(screen)
    paid = v1(asked)
    body = screen(paid, name="Flagged Ltd", amount=250_000).json()
    path = f"/compliance/compliance/screen/{body['screenId']}"
    client = APIClient()
    for shown in (paid, v1(asked), v2(unpacked(screen()["PAYMENT-REQUIRED"]))):
        response = client.get(path, headers=shown)
        assert response.status_code == 200 and response.json()["decision"] == body["decision"]
    assert client.get(path, headers=v1(asked, BOB)).status_code == 404
    assert PaymentClaim.objects.count() == Receipt.objects.count() == 1
    later = now() + timedelta(days=1)
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: later)
    assert client.get(path, headers=paid).status_code == 200
    stale = client.get(path, headers=v1(asked))
    assert (stale.status_code, stale.json()["code"]) == (401, "payer_not_proved")


@pytest.mark.parametrize(
    "changed", [{"from": BOB.address}, {"to": BOB.address}, {"validAfter": 4_000_000_000}]
)
def test_a_payment_that_its_wallet_did_not_sign_for_us_shows_nothing(
    screen: Ask, changed: Any
) -> None:
    asked = offer(screen)
    body = screen(v1(asked, BOB)).json()
    path = f"/compliance/compliance/screen/{body['screenId']}"
    refused = APIClient().get(path, headers=v1(asked, **changed))
    assert (refused.status_code, refused.json()["code"]) == (401, "payer_not_proved")


def test_a_long_signature_of_a_contract_wallet_shows_nothing(screen: Ask) -> None:
    paid = v1(offer(screen))
    body = screen(paid).json()
    document = unpacked(paid["X-PAYMENT"])
    document["payload"]["signature"] = "0x" + "11" * 200
    path = f"/compliance/compliance/screen/{body['screenId']}"
    refused = APIClient().get(path, headers={"X-PAYMENT": packed(document)})
    assert refused.status_code == 401
