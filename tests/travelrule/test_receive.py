"""POST /travel-rule/receive: counterparties' messages (document 2 sections 4 and 5)."""

import copy
import hashlib
import hmac
import json
import uuid
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apps.payments.travelrule.api.viewsets import MESSAGE_EXAMPLE
from apps.payments.travelrule.ivms import rules
from apps.payments.travelrule.ivms.rules.context import RuleBreach
from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.party_index import find_matching_parties
from tests.review.people import OFFICER, at_desk, check_page, person
from tests.travelrule.test_export import export

pytestmark = pytest.mark.django_db
RECEIVE = "/integration/travel-rule/receive"
NAMED = [{"primaryIdentifier": "Plover", "nameIdentifierType": "LEGL"}]
BORN = {
    "naturalPerson": {
        "name": {"nameIdentifier": NAMED},
        "dateAndPlaceOfBirth": {"dateOfBirth": "1990-01-02", "placeOfBirth": "Oslo"},
    }
}


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
    return copy.deepcopy(MESSAGE_EXAMPLE) | changes


def test_a_message_is_stored_as_inbound_for_five_years(sample: Any, examiner: Any) -> None:
    found = receive(message())
    assert (found["status"], found["direction"], found["duplicate"]) == ("STORED", "INBOUND", False)
    assert found["retainUntil"] - found["createdAt"] == 157_788_000
    (record,) = export(examiner)["records"]
    assert record["id"] == found["id"]
    assert (record["applies"], record["reason"]) == (True, "RECEIVED")
    named = record["ivms101"]["originator"]["originatorPersons"][0]["legalPerson"]["name"]
    assert named["nameIdentifier"][0]["legalPersonName"] == "Grey Plover Trading Limited"


def test_it_says_what_the_sender_calls_the_payment(sample: Any, examiner: Any) -> None:
    receive(message(), x_travel_rule_payment_id="their-payment-7")
    receive(message(transferAmount={"transferAmount": "7", "transferCurrency": "USD"}))
    named, other = export(examiner)["records"]
    assert named["senderPaymentId"] == "their-payment-7"
    assert "senderPaymentId" not in other and "tmsReference" not in named


@pytest.mark.parametrize(("amount", "status"), [("2999.99", "EXEMPT"), ("3000.00", "STORED")])
def test_the_threshold_decides_whether_an_inbound_message_is_exempt(
    sample: Any, amount: str, status: str
) -> None:
    money = {"transferAmount": amount, "transferCurrency": "USD"}
    assert receive(message(transferAmount=money))["status"] == status


@pytest.mark.parametrize(
    ("amount", "currency", "status", "usd"),
    [
        (2999, "USD", "EXEMPT", "2999"),
        (3000, "USD", "STORED", "3000"),
        (2999.99, "USD", "EXEMPT", "2999.99"),
        ("2999.99", "usd", "EXEMPT", "2999.99"),
        ("3000.00", "usdc", "STORED", "3000.00"),
    ],
)
def test_an_amount_as_number_or_a_currency_in_small_letters_decides_as_any_other(
    sample: Any, examiner: Any, amount: Any, currency: str, status: str, usd: str
) -> None:
    money = {"transferAmount": amount, "transferCurrency": currency}
    found = receive(message(transferAmount=money))
    assert found["status"] == status
    assert {warning["rule"] for warning in found["warnings"]} & {"D0c", "P2"}
    (record,) = export(examiner)["records"]
    assert Decimal(record["amountUsd"]) == Decimal(usd)


@pytest.mark.parametrize("currency", ["JPY", "KRW", "EUR", "GBP"])
def test_a_rate_of_any_currency_finds_its_place(sample: Any, currency: str) -> None:
    """Also where the database takes no more letters than the column has."""
    money = {"transferAmount": "450000", "transferCurrency": currency}
    receive(message(transferAmount=money))
    record = TravelRecord.objects.get()
    assert record.rate
    record.full_clean(exclude=["owner", "payment_id", "beneficiary", "originator"])


def test_a_message_below_the_threshold_is_not_said_to_be_unsent(sample: Any, examiner: Any) -> None:
    receive(message(transferAmount={"transferAmount": "5.00", "transferCurrency": "USD"}))
    (record,) = export(examiner)["records"]
    assert (
        record["notes"]
        == "The amount is below the threshold: recorded; the rule requires no message."
    )


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


def test_a_part_of_a_name_links_no_message(recorded: Any) -> None:
    payment = recorded(amount="4000.00")
    part = message()
    for side, name in (("originator", "Corporation"), ("beneficiary", "Limited Blue")):
        part[side]["accountNumber"] = ["0x0000000000000000000000000000000000000999"]
        person = part[side][f"{side}Persons"][0]["legalPerson"]
        person["name"]["nameIdentifier"][0]["legalPersonName"] = name
    found = receive(part, x_travel_rule_payment_id=payment)
    assert "paymentId" not in found
    for side, name in (
        ("originator", "MICROSOFT corporation"), ("beneficiary", "Blue Heron Stationery Limited"),
    ):  # fmt: skip
        person = part[side][f"{side}Persons"][0]["legalPerson"]
        person["name"]["nameIdentifier"][0]["legalPersonName"] = name
    assert receive(part, x_travel_rule_payment_id=payment)["paymentId"] == payment


HOSTILE = {
    "half a surrogate in a name": {"originator": {"accountNumber": ["\ud800"]}},
    "half a surrogate in an amount": {
        "transferAmount": {"transferAmount": "1\udfff", "transferCurrency": "USD"}
    },
    "half a surrogate in a key": {"\ud800": 1},
    "NUL in an amount": {
        "transferAmount": {"transferAmount": "1\x00", "transferCurrency": "U\x00D"}
    },
    "NUL in the sender's name": {
        "originatorVASP": {
            "vasp": {
                "name": {
                    "nameIdentifier": [
                        {"legalPersonName": "A\x00B", "legalPersonNameIdentifierType": "LEGL"}
                    ]
                }
            }
        }
    },
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_message_that_no_database_could_hold_is_refused_and_kept(sample: Any, what: str) -> None:
    receive(message(**HOSTILE[what]), answers=400)
    record = TravelRecord.objects.get()
    assert record.reason == "MESSAGE_BROKEN"
    assert "raw" in TravelEvent.objects.get().data
    assert "\x00" not in f"{record.amount}{record.currency}{record.counterparty}"


def test_half_a_surrogate_in_another_encoding_is_refused(sample: Any) -> None:
    raw = b"\xff\xfe" + '{"a":"'.encode("utf-16-le") + b"\x00\xd8" + '"}'.encode("utf-16-le")
    assert post(raw).status_code == 400
    assert TravelRecord.objects.count() == 1


def test_by_what_a_sender_calls_its_payment_is_kept_where_it_is_none_of_ours(sample: Any) -> None:
    """The id is in no message: without it nobody could say which payment a message was about."""
    theirs = str(uuid.uuid4())
    receive(message(), x_travel_rule_payment_id=theirs)
    record = TravelRecord.objects.get()
    assert theirs not in TravelEvent.objects.get().payload
    desk = at_desk(person("olivia", OFFICER))
    assert theirs in check_page(desk.get(f"/admin/travelrule/travelrecord/{record.pk}/"))


def test_a_record_says_which_rules_its_message_breaks(
    recorded: Any, read: Any, sample: Any, examiner: Any
) -> None:
    """Without an address of the payer: 31 CFR 1010.410(f)(1) wants it from 3,000 USD on."""
    assert "Its message breaks" in read(recorded(amount="3000.00"))["notes"]
    assert "X1" in read(recorded(amount="3000.00", tmsReference="INV-2"))["notes"]
    assert "breaks" not in read(recorded(amount="2999.99", tmsReference="INV-3"))["notes"]
    assert post(b"no JSON").status_code == 400
    [broken] = export(examiner, status="FAILED")["records"]
    said = "Its message breaks L1 (A message stays within the bounds of its reader)."
    assert broken["notes"].endswith(said)


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
        [warning["message"] for warning in found["warnings"] if warning["rule"] == "LINK"]
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
        {"originator": MESSAGE_EXAMPLE["originator"]},
        {"beneficiary": MESSAGE_EXAMPLE["beneficiary"]},
        message(originator=MESSAGE_EXAMPLE["originator"] | {"originatorPersons": []}),
    ],
)
def test_a_broken_message_is_refused_with_its_faults_and_kept(sample: Any, broken: Any) -> None:
    refused = receive(broken, answers=400)
    assert refused["code"] == "ivms_invalid"
    assert refused["errors"] and refused["detail"].startswith("Rule ")
    assert all(" is not met: " in error["message"] for error in refused["errors"])
    record = TravelRecord.objects.get()
    assert (record.status, record.reason) == ("FAILED", "MESSAGE_BROKEN")
    receive(broken, answers=400)
    assert TravelRecord.objects.count() == 1


@pytest.mark.parametrize(
    "raw", [b"", b"{", b'{"a":NaN}', b"\xff\xfe", b'{"a":1,"a":2}', b"[" * 5000]
)
def test_what_is_no_json_is_refused(sample: Any, raw: bytes) -> None:
    assert post(raw).status_code == 400


def test_a_message_in_the_envelope_of_a_protocol_is_stored(sample: Any, examiner: Any) -> None:
    found = receive(
        {"asset": {"slip0044": 60}, "callback": "https://a.example", "IVMS101": MESSAGE_EXAMPLE}
    )
    beside = {warning["pointer"] for warning in found["warnings"] if warning["rule"] == "S7b"}
    assert beside == {"/asset", "/callback"}
    (record,) = export(examiner)["records"]
    assert (record["status"], record["amountUsd"]) == ("STORED", "4500")


def test_a_refusal_names_the_keys_that_were_not_read_behind_the_faults(sample: Any) -> None:
    persons = [{"name": {"nameIdentifier": [{"primaryIdentifier": "Grey"}]}}]
    sent = message(originator={"originatorPersons": persons, "accountNumber": ["1"]})
    fields = [error["field"] for error in receive(sent, answers=400)["errors"]]
    assert fields == ["/originator", "/originator/originatorPersons/0/name"]


def test_a_message_that_was_refused_and_is_valid_now_is_kept_as_taken(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = message(originator=MESSAGE_EXAMPLE["originator"] | {"originatorPersons": [BORN]})
    with monkeypatch.context() as yesterday:
        strict = [
            replace(rule, check=lambda case: [RuleBreach(path) for path, _ in case.kind("date")])
            if rule.id == "C2"
            else rule
            for rule in rules.RULES
        ]
        yesterday.setattr(rules, "RULES", tuple(strict))
        receive(sent, answers=400)
    taken = receive(sent)
    assert (taken["status"], taken["duplicate"]) == ("STORED", False)
    assert receive(sent, answers=200)["id"] == taken["id"]
    assert sorted(TravelRecord.objects.values_list("status", flat=True)) == ["FAILED", "STORED"]


def test_what_names_a_broken_message_stays_encrypted(sample: Any) -> None:
    receive({"originator": {"originatorPersons": [{"name": "Grey Plover"}]}}, answers=400)
    assert "Plover" not in TravelEvent.objects.get().payload


def test_an_unknown_version_is_refused(sample: Any) -> None:
    assert receive(message(), answers=400, x_ivms101_version="7")["code"] == "ivms_version_unknown"
    receive(message(), x_ivms101_version="1.0")


def test_records_are_found_by_words_of_a_name_and_by_account(sample: Any) -> None:
    receive(message())
    record = TravelRecord.objects.get()
    assert find_matching_parties(name="PLOVER grey") == [record.originator_id]
    assert find_matching_parties(name="blue heron") == [record.beneficiary_id]
    assert find_matching_parties(name="heron plover") == []
    account = MESSAGE_EXAMPLE["beneficiary"]["accountNumber"][0]
    assert find_matching_parties(account=account.lower()) == [record.beneficiary_id]
    assert find_matching_parties(name="grey", account=account) == []
    assert find_matching_parties() is None


def test_the_document_has_the_headers_that_belong_to_a_message() -> None:
    document = Client().get("/integration/openapi.json").json()
    parameters = document["paths"]["/travel-rule/receive"]["post"]["parameters"]
    sent = {parameter["name"]: parameter for parameter in parameters if parameter["in"] == "header"}
    assert sent["X-IVMS101-Version"]["schema"]["enum"] == ["1.0", "101", "101.2023"]
    assert not sent["X-Travel-Rule-Payment-Id"].get("required")
