"""A message of ISO 20022 that is sent: one transaction is a payment, several are a file."""

from collections.abc import Callable
from typing import Any

import pytest
from lxml import etree

from apps.payments.models import Payment
from tests.payments.conftest import INITIATE
from tests.payments.pain001.messages import message

pytestmark = pytest.mark.django_db
FILES = "/integration/payments/files"
XML = "application/xml"


@pytest.fixture
def post(bank: Any) -> Callable[..., Any]:
    """Send a message: `post(text)`; returns the answer."""

    def call(body: str | bytes, *, client: Any = None, kind: str = XML, **headers: str) -> Any:
        raw = body if isinstance(body, bytes) else body.encode()
        return (client or bank).generic("POST", INITIATE, raw, content_type=kind, headers=headers)

    return call


def test_one_transaction_is_its_payment(post: Callable[..., Any]) -> None:
    answer = post(message(), Accept="application/json")
    assert answer.status_code == 202, answer.content
    told, payment = answer.json(), Payment.objects.get()
    assert told["svcPaymentId"] == str(payment.payment_id) == answer["X-SVC-PaymentId"]
    assert told["tmsReference"] == "E2E-1"
    assert told["status"] == "SUBMITTED"
    assert told["file"]["groupStatus"] == "ACCP"


def test_xml_is_answered_in_pain_002(post: Callable[..., Any]) -> None:
    answer = post(message())
    assert answer["Content-Type"] == "application/xml"
    root = etree.fromstring(answer.content)
    assert root.tag == "{urn:iso:std:iso:20022:tech:xsd:pain.002.001.10}Document"
    assert root.findtext(".//{*}TxSts") == "ACTC"
    assert root.findtext(".//{*}StsId") == Payment.objects.get().payment_id.hex
