"""A message of ISO 20022 that is sent: one transaction is a payment, what is wrong is told."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from lxml import etree

from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.models import PaymentFile, SenderProfile
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import INITIATE, instruction
from tests.payments.pain001.conftest import JSON, several, work_off
from tests.payments.pain001.messages import LEI, message, transaction, twin
from tests.shared_data import shared

pytestmark = pytest.mark.django_db
BATCH = "/integration/payments/batch"
V09 = "pain.001.001.09"


def _valid(xml: bytes, version: str) -> None:
    schema = etree.XMLSchema(etree.parse(str(shared(f"pain001/xsd/pain.002.001.{version}.xsd"))))
    schema.assertValid(etree.fromstring(xml))


def test_one_transaction_is_its_payment(post: Callable[..., Any]) -> None:
    answer = post(message(), **JSON)
    assert answer.status_code == 202, answer.content
    told, payment = answer.json(), Payment.objects.get()
    assert told["svcPaymentId"] == str(payment.payment_id) == answer["X-SVC-PaymentId"]
    assert (told["tmsReference"], told["status"]) == ("E2E-1", "SUBMITTED")
    assert (told["file"]["groupStatus"], told["file"]["state"]) == ("ACCP", "DONE")
    assert payment.message_id == "MSG-1"
    assert payment.instructed.source is not None
    assert payment.instructed.source.sha256 == told["file"]["sha256"]


@pytest.mark.parametrize("to", [INITIATE, BATCH])
def test_the_location_leads_to_the_file(post: Callable[..., Any], bank: Any, to: str) -> None:
    answer = post(message(), to=to, **JSON)
    response = bank.get(answer["Location"])
    assert response.status_code == 200, response.content
    assert response.json() == answer.json()["file"]


def test_each_report_has_an_id_of_its_own(post: Callable[..., Any], monkeypatch: Any) -> None:
    first = etree.fromstring(post(message()).content)
    later = datetime(2026, 11, 23, 13, tzinfo=UTC)
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: later)
    second = etree.fromstring(post(message()).content)
    ids = [one.findtext(".//{*}GrpHdr/{*}MsgId") for one in (first, second)]
    assert ids[0] != ids[1] and all(id_ and len(id_) == 35 for id_ in ids)


@pytest.mark.parametrize("kind", ["XML", "JSON"])
@pytest.mark.parametrize("count", [1, 2])
def test_what_stands_beside_the_payments_is_told_as_unmapped(
    post: Callable[..., Any], kind: str, count: int
) -> None:
    extra = "<SplmtryData><Envlp><Note>7</Note></Envlp></SplmtryData></CstmrCdtTrfInitn>"
    text = several(count).replace("</CstmrCdtTrfInitn>", extra)
    if kind == "XML":
        body = post(text, **JSON).json()
    else:
        body = post(json.dumps(twin(text)), kind="application/json", Version=V09).json()
    assert body["unmapped"] == ["SplmtryData/Envlp/Note"]


def test_the_bytes_that_came_are_kept(post: Callable[..., Any]) -> None:
    raw = message().encode()
    post(raw)
    assert b"".join(PaymentFile.objects.get().pieces()) == raw


def test_xml_is_answered_in_pain_002(post: Callable[..., Any]) -> None:
    answer = post(message())
    assert answer["Content-Type"] == "application/xml"
    root = etree.fromstring(answer.content)
    assert root.tag == "{urn:iso:std:iso:20022:tech:xsd:pain.002.001.10}Document"
    assert root.findtext(".//{*}TxSts") == "ACTC"
    assert root.findtext(".//{*}StsId") == Payment.objects.get().payment_id.hex
    _valid(answer.content, "10")


@pytest.mark.parametrize(("version", "answered"), [("03", "03"), ("08", "10")])
def test_versions_without_proxies_pay_wallets_by_a_name(
    post: Callable[..., Any], bank: Any, version: str, answered: str
) -> None:
    SenderProfile.objects.create(account=bank.account, wallet_in_name=True)
    held = "<Id><Othr><Id>NOTPROVIDED</Id></Othr></Id><Nm>WALLET:0x" + "a" * 40 + "</Nm>"
    answer = post(message(transaction(account=held), version=version))
    assert answer.status_code == 202, answer.content
    assert etree.fromstring(answer.content).findtext(".//{*}TxSts") == "ACTC"
    _valid(answer.content, answered)


@pytest.mark.parametrize(
    "kind", ["application/xml", "text/xml", "application/xml; charset=utf-8", "TEXT/XML"]
)
def test_the_content_type_decides(post: Callable[..., Any], kind: str) -> None:
    assert post(message(), kind=kind).status_code == 202


@pytest.mark.parametrize("version", [V09, "09", ".09"])
def test_the_twin_is_taken_with_its_version(post: Callable[..., Any], version: str) -> None:
    answer = post(json.dumps(twin(message())), kind="application/json", Version=version)
    assert answer.status_code == 202, answer.content
    assert answer.json()["svcPaymentId"] == str(Payment.objects.get().payment_id)


def test_the_version_may_stand_in_the_address(post: Callable[..., Any]) -> None:
    to = f"/integration/payments/initiate?version={V09}"
    answer = post(json.dumps(twin(message())), kind="application/json", to=to)
    assert answer.status_code == 202, answer.content


def test_a_twin_without_its_version_is_told_so(post: Callable[..., Any]) -> None:
    for to in ("/integration/payments/initiate", BATCH):
        answer = post(json.dumps(twin(message())), kind="application/json", to=to)
        assert (answer.status_code, answer.json()["code"]) == (400, "version_missing")


@pytest.mark.parametrize("version", ["05", "pain.008.001.08", "x" * 200])
def test_an_unknown_version_is_refused(post: Callable[..., Any], version: str) -> None:
    answer = post(json.dumps(twin(message())), kind="application/json", Version=version)
    assert (answer.status_code, answer.json()["code"]) == (400, "message_refused")


def test_the_native_format_is_as_it_was(bank: Any) -> None:
    answer = bank.post("/integration/payments/initiate", instruction(), format="json")
    assert answer.status_code == 202
    assert set(answer.json()) == {"svcPaymentId", "tmsReference", "status", "submittedAt"}


def test_a_batch_takes_messages_too(post: Callable[..., Any]) -> None:
    assert post(message(), to=BATCH, **JSON).json()["file"]["accepted"] == 1


def test_accept_chooses_the_answer(post: Callable[..., Any]) -> None:
    body = json.dumps(twin(message()))
    xml = post(body, kind="application/json", Version=V09, Accept="application/xml")
    assert xml["Content-Type"] == "application/xml"
    json_ = post(message(transaction(2), id="MSG-2"), **JSON)
    assert json_["Content-Type"] == "application/json"


def test_what_is_wrong_with_one_transaction_is_told_and_nothing_is_kept(
    post: Callable[..., Any],
) -> None:
    bad = message(transaction(account=""))
    answer = post(bad, **JSON)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (400, "message_refused")
    assert [reason["code"] for reason in body["reasons"]] == ["AC03"]
    assert body["errors"][0]["field"] == "PmtInf[1]/CdtTrfTxInf[1]/CdtrAcct"
    assert not PaymentFile.objects.exists() and not Payment.objects.exists()
    assert post(message(), **JSON).status_code == 202  # mended, under the same MsgId


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<a/>", "FF01"),
        (message(count=2), "AM18"),
        (message(sum="<CtrlSum>1</CtrlSum>"), "AM10"),
        (message(transaction(account="")), "AC03"),
        (message().replace("<Document", "<!DOCTYPE Document><Document"), "FF01"),
    ],
)
def test_a_refusal_in_xml_is_pain_002(post: Callable[..., Any], body: str, code: str) -> None:
    answer = post(body)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/xml")
    root = etree.fromstring(answer.content)
    assert root.findtext(".//{*}GrpSts") == "RJCT"
    assert root.findtext(".//{*}StsRsnInf/{*}Rsn/{*}Cd") == code
    version = root.tag.partition("}")[0][-2:]
    _valid(answer.content, version)


def test_an_empty_body_and_one_too_large_are_refused(
    post: Callable[..., Any], settings: Any
) -> None:
    assert post(b"").status_code == 400
    settings.PAYMENT_FILE_MAX = 100
    assert post(message()).status_code == 413


def test_a_packed_body_is_refused(post: Callable[..., Any]) -> None:
    assert post(message(), **{"Content-Encoding": "gzip"}).status_code == 415


def test_the_same_message_again_is_the_same_payment(post: Callable[..., Any]) -> None:
    first, second = post(message(), **JSON), post(message(), **JSON)
    assert (first.status_code, second.status_code) == (202, 200)
    assert first.json() == second.json()
    assert Payment.objects.count() == 1


def test_other_bytes_under_a_msgid_are_refused(post: Callable[..., Any]) -> None:
    post(message())
    other = message(transaction(2))
    answer = post(other, **JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "message_id_taken")
    assert answer.json()["reasons"][0]["code"] == "DU01"
    assert etree.fromstring(post(other).content).findtext(".//{*}Cd") == "DU01"
    assert Payment.objects.count() == 1


def test_a_msgid_belongs_to_its_institution(post: Callable[..., Any]) -> None:
    other = key_client("Birch Bank", "INSTITUTION")
    assert post(message()).status_code == post(message(), client=other).status_code == 202
    assert Payment.objects.count() == 2


def test_a_reference_that_was_used_is_refused(post: Callable[..., Any]) -> None:
    post(message())
    same = post(message(id="MSG-2"), **JSON).json()
    assert [reason["code"] for reason in same["reasons"]] == ["AM05"]
    amount = '<InstdAmt Ccy="USD">1.00</InstdAmt>'
    other = post(message(transaction(amount=amount), id="MSG-3"), **JSON).json()
    assert [reason["code"] for reason in other["reasons"]] == ["DU04"]


def test_an_idempotency_key_gives_the_same_xml_again(post: Callable[..., Any]) -> None:
    key = {"Idempotency-Key": "a-key-of-mine"}
    first, second = post(message(), **key), post(message(), **key)
    assert second["Idempotent-Replayed"] == "true"
    assert (first.content, first["Content-Type"]) == (second.content, second["Content-Type"])
    assert post(message(id="MSG-2"), **key).status_code == 409


def test_the_initiating_party_is_one_that_the_profile_names(
    post: Callable[..., Any], bank: Any
) -> None:
    SenderProfile.objects.create(account=bank.account, initiators=[LEI])
    other = "<Nm>A</Nm><Id><OrgId><LEI>506700T7Z685VUOZL877</LEI></OrgId></Id>"
    told = post(message(initiator=other), **JSON)
    assert (told.status_code, told.json()["reasons"][0]["code"]) == (400, "BE15")
    told = post(message(initiator="<Nm>A</Nm>"), **JSON)  # nobody is none of them
    assert (told.status_code, told.json()["reasons"][0]["code"]) == (400, "BE15")
    mine = f"<Nm>A</Nm><Id><OrgId><LEI>{LEI}</LEI></OrgId></Id>"
    assert post(message(initiator=mine)).status_code == 202


CALLED = "https://treasury.example/called"


def test_what_the_profile_names_is_called_at_the_end_of_payments_of_messages_alone(
    post: Callable[..., Any], bank: Any, send: Callable[..., Any], today: datetime
) -> None:
    post(message(id="MSG-0"))
    call_command("payment_sender", "--account", bank.account.name, "--callback-url", CALLED)
    post(message(transaction(2)))
    post(message(transaction(3), transaction(4), id="MSG-2"))
    work_off(today)
    send(tmsReference="INV-9")
    called = dict(Payment.objects.values_list("reference", "callback_url"))
    assert called == {
        "E2E-1": "",
        **dict.fromkeys(("E2E-2", "E2E-3", "E2E-4"), CALLED),
        "INV-9": "",
    }
    body = post(message(id="MSG-3"), **JSON).json()
    assert body["reasons"][0]["code"] == "AM05", "what is called is no part of what is instructed"


def test_a_profile_names_no_address_that_is_not_called(bank: Any) -> None:
    with pytest.raises(CommandError, match="not a web address"):
        call_command("payment_sender", "--account", bank.account.name, "--callback-url", "ftp://x/")
    assert not SenderProfile.objects.exists()


def test_without_a_key_nobody_sends(api: Any) -> None:
    body = message().encode()
    path = "/integration/payments/initiate"
    assert api.generic("POST", path, body, content_type="application/xml").status_code == 401
