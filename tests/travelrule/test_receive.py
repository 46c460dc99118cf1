"""POST /travel-rule/receive: counterparties' messages (document 2 sections 4 and 5)."""

import copy
import hashlib
import hmac
import json
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apps.travelrule.endpoints import MESSAGE
from apps.travelrule.models import TravelEvent, TravelRecord
from apps.travelrule.parties import matching
from tests.travelrule.test_export import export

pytestmark = pytest.mark.django_db
RECEIVE = "/integration/travel-rule/receive"


def signed(raw: bytes, key: str = "") -> str:
    secret = key or settings.TRAVEL_RULE_SIGNING_KEY.split(",")[0]
    return hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()


def post(raw: bytes, *, signature: str | None = None, **headers: str) -> Any:
    sent = {"HTTP_X_SVC_SIGNATURE": signed(raw) if signature is None else signature}
    named = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    return Client().post(RECEIVE, raw, content_type="application/json", **sent, **named)


def receive(message: Any, *, answers: int = 201, **headers: str) -> dict[str, Any]:
    answer = post(json.dumps(message).encode(), **headers)
    assert answer.status_code == answers, answer.content
    return dict(answer.json())


def message(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(MESSAGE) | changes


def test_a_message_is_stored_as_inbound_for_five_years(sample: Any, examiner: Any) -> None:
    found = receive(message())
    assert (found["status"], found["direction"], found["duplicate"]) == ("STORED", "INBOUND", False)
    assert found["retainUntil"] - found["createdAt"] == 157_788_000
    (record,) = export(examiner)["records"]
    assert record["id"] == found["id"]
    assert (record["applies"], record["reason"]) == (True, "RECEIVED")
    named = record["ivms101"]["originator"]["originatorPersons"][0]["legalPerson"]["name"]
    assert named["nameIdentifier"][0]["legalPersonName"] == "Grey Plover Trading Limited"


@pytest.mark.parametrize(("amount", "status"), [("2999.99", "EXEMPT"), ("3000.00", "STORED")])
def test_the_threshold_decides_whether_an_inbound_message_is_exempt(
    sample: Any, amount: str, status: str
) -> None:
    money = {"transferAmount": amount, "transferCurrency": "USD"}
    assert receive(message(transferAmount=money))["status"] == status


def test_an_amount_that_cannot_be_valued_is_taken_to_apply(sample: Any, examiner: Any) -> None:
    money = {"transferAmount": "1.00", "transferCurrency": "XXX"}
    assert receive(message(transferAmount=money))["status"] == "STORED"
    (record,) = export(examiner)["records"]
    assert record["reason"] == "RECEIVED_UNVALUED"
    assert "amountUsd" not in record


@pytest.mark.parametrize("signature", ["", "0" * 64, "ä" * 64, "0" * 63, "x"])
def test_a_signature_that_does_not_hold_is_refused(db: None, signature: str) -> None:
    assert post(b"{}", signature=signature).status_code == 401
    assert not TravelRecord.objects.exists()


def test_the_signature_is_of_the_raw_bytes(sample: Any) -> None:
    raw = json.dumps(message(), indent=2, ensure_ascii=False).encode()
    assert post(raw).status_code == 201
    assert post(raw.replace(b"4500", b"9500"), signature=signed(raw)).status_code == 401


def test_the_older_of_two_live_keys_still_proves(sample: Any, settings: Any) -> None:
    settings.TRAVEL_RULE_SIGNING_KEY = "n" * 32 + "," + "o" * 32
    raw = json.dumps(message()).encode()
    assert post(raw, signature=signed(raw, "o" * 32)).status_code == 201
    assert post(raw, signature=signed(raw, "p" * 32)).status_code == 401


def test_the_same_message_again_is_the_same_record(sample: Any) -> None:
    first, again = receive(message()), receive(message(), answers=200)
    assert again["id"] == first["id"]
    assert again["duplicate"] is True
    assert TravelRecord.objects.count() == 1


def test_a_message_is_linked_to_the_payment_of_its_parties(recorded: Any, read: Any) -> None:
    payment = recorded(amount="4000.00")
    found = receive(read(payment)["ivms101"], x_travel_rule_payment_id=payment)
    assert found["paymentId"] == payment
    assert TravelRecord.objects.get(direction="INBOUND").owner


def test_a_message_is_not_linked_to_a_payment_of_others(recorded: Any) -> None:
    payment = recorded()
    other = message()
    other["originator"]["accountNumber"] = ["0x0000000000000000000000000000000000000999"]
    other["beneficiary"]["accountNumber"] = ["0x0000000000000000000000000000000000000998"]
    other["beneficiary"]["beneficiaryPersons"] = other["originator"]["originatorPersons"]
    strange = receive(other, x_travel_rule_payment_id=payment)
    absent = receive(message(), x_travel_rule_payment_id=str(uuid.uuid4()))
    for found in (strange, absent):
        assert "paymentId" not in found
    links = [
        [one["message"] for one in found["warnings"] if one["rule"] == "LINK"]
        for found in (strange, absent)
    ]
    assert links[0] == links[1]
    assert len(links[0]) == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"hello": "world"},
        {},
        [],
        "text",
        {"originator": MESSAGE["originator"]},
        {"beneficiary": MESSAGE["beneficiary"]},
        message(originator=MESSAGE["originator"] | {"originatorPersons": []}),
    ],
)
def test_a_broken_message_is_refused_with_its_faults_and_kept(sample: Any, broken: Any) -> None:
    refused = receive(broken, answers=400)
    assert refused["code"] == "ivms_invalid"
    assert refused["errors"]
    record = TravelRecord.objects.get()
    assert (record.status, record.reason) == ("FAILED", "MESSAGE_BROKEN")
    receive(broken, answers=400)
    assert TravelRecord.objects.count() == 1


@pytest.mark.parametrize(
    "raw", [b"", b"{", b'{"a":NaN}', b"\xff\xfe", b'{"a":1,"a":2}', b"[" * 5000]
)
def test_what_is_no_json_is_refused(sample: Any, raw: bytes) -> None:
    assert post(raw).status_code == 400


def test_what_names_a_broken_message_stays_encrypted(sample: Any) -> None:
    receive({"originator": {"originatorPersons": [{"name": "Grey Plover"}]}}, answers=400)
    assert "Plover" not in TravelEvent.objects.get().payload


def test_an_unknown_version_is_refused(sample: Any) -> None:
    assert receive(message(), answers=400, x_ivms101_version="7")["code"] == "ivms_version_unknown"
    receive(message(), x_ivms101_version="1.0")


def test_records_are_found_by_words_of_a_name_and_by_account(sample: Any) -> None:
    receive(message())
    record = TravelRecord.objects.get()
    assert matching(name="PLOVER grey") == [record.originator_id]
    assert matching(name="blue heron") == [record.beneficiary_id]
    assert matching(name="heron plover") == []
    account = MESSAGE["beneficiary"]["accountNumber"][0]
    assert matching(account=account.lower()) == [record.beneficiary_id]
    assert matching(name="grey", account=account) == []
    assert matching() is None


def test_the_document_has_the_headers_that_belong_to_a_message() -> None:
    document = Client().get("/integration/openapi.json").json()
    parameters = document["paths"]["/travel-rule/receive"]["post"]["parameters"]
    sent = {one["name"]: one for one in parameters if one["in"] == "header"}
    assert sent["X-IVMS101-Version"]["schema"]["enum"] == ["1.0", "101", "101.2023"]
    assert not sent["X-Travel-Rule-Payment-Id"].get("required")
