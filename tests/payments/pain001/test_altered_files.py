"""A payment that somebody rewrote in the database is not told by way of its file either."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import etree

from apps.payments.payments.integrity import INTEGRITY_FAILED
from apps.payments.payments.models import Payment
from apps.payments.payments.pain001 import views
from apps.payments.payments.pain001.integrity import verify_payment_files
from apps.payments.payments.pain001.models import FileTransaction, PaymentFile
from apps.platform.ledger.verification import verifier
from tests.attacks.database import rolled_back, unguarded
from tests.payments.pain001.conftest import FILES, several, work_off
from tests.payments.pain001.test_files import sent  # noqa: F401
from tests.platform.tampering import sql

pytestmark = pytest.mark.django_db
NAMES = {"p": "urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"}


@pytest.fixture
def file_id(sent: Callable[..., str], today: datetime) -> str:  # noqa: F811
    """A file of five that was worked off."""
    found = sent()
    work_off(today)
    return found


def altered(file_id: str, change: str) -> FileTransaction:
    """Rewrite the payment of a file's third transaction."""
    line = FileTransaction.objects.get(file__file_id=file_id, number=3)
    payment = Payment.objects.get(payment_id=line.payment_id)
    assert sql(f"UPDATE payments_payment SET {change} WHERE id = {payment.pk}") == 1
    return line


def lines_of(bank: Any, file_id: str) -> Any:
    return bank.get(f"{FILES}/{file_id}/transactions")


CHANGES = ["state = 'VERIFIED'", "error = 'Nobody said so.'", "state = 'BLOCKED', steps = 0"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_page_of_transactions_with_an_altered_payment_is_not_told(
    file_id: str, bank: Any, change: str
) -> None:
    assert lines_of(bank, file_id).status_code == 200
    altered(file_id, change)
    answer = lines_of(bank, file_id)
    assert (answer.status_code, answer.json()["code"]) == (503, "payment_unproved")


@pytest.mark.parametrize("change", CHANGES)
def test_a_report_gives_no_status_of_an_altered_payment_and_says_why(
    file_id: str, bank: Any, change: str
) -> None:
    altered(file_id, change)
    answer = bank.get(f"{FILES}/{file_id}", headers={"Accept": "application/xml"})
    told = etree.fromstring(b"".join(answer.streaming_content))
    found = [
        (one.findtext("p:TxSts", "", NAMES), one.findtext(".//p:AddtlInf", "", NAMES))
        for one in told.iterfind(".//p:TxInfAndSts", NAMES)
    ]
    good = ("ACTC", "")
    assert found == [good, good, ("", INTEGRITY_FAILED), good, good]


def test_the_page_of_a_file_says_that_a_payment_was_altered(file_id: str) -> None:
    altered(file_id, "state = 'VERIFIED'")
    file = PaymentFile.objects.get(file_id=file_id)
    drawn = views.build_file_context(file=file, query=views.TransactionListQuery.read({}))["lines"]
    assert [one.words for one in drawn].count("Submitted") == 4
    assert drawn[2].words == "Altered: integrity check failed"


def test_a_transaction_that_was_pointed_at_a_payment_of_another_tells_nothing_of_it(
    file_id: str,
    bank: Any,
) -> None:
    Payment.objects.filter(payment_id=altered(file_id, "trouble = ''").payment_id).update(
        owner="account:0"
    )
    assert lines_of(bank, file_id).status_code == 503


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE pain001_paymentfile SET done = 4", "4 transactions are judged"),
        ("UPDATE pain001_paymentfile SET refused = 1", "1 of them refused, it has 5 and 0"),
        ("UPDATE pain001_paymentfile SET finished_at = NULL", "it is WORKING, and 5 of 5"),
        ("UPDATE pain001_paymentfile SET total = 6", "its MAC does not hold"),
        ("DELETE FROM pain001_filetransaction WHERE number = 3", "it has 4 and 0"),
        ("DELETE FROM pain001_paymentfile", "its row is missing, but it has file transactions"),
    ],
)
def test_a_file_that_was_altered_is_found(file_id: str, statement: str, says: str) -> None:
    assert list(verify_payment_files(lambda _: None)) == []
    with rolled_back():
        with unguarded([]):
            assert sql(statement) == 1
        assert any(
            says in fault for fault in verifier.verify_ledger(ledger="payment_events").faults
        )


def test_a_file_that_waits_is_no_fault(sent: Callable[..., str]) -> None:  # noqa: F811
    sent()
    assert list(verify_payment_files(lambda _: None)) == []


@pytest.mark.parametrize("many", [2, 20])
def test_the_payments_of_a_page_are_proved_in_one_query(
    sent: Callable[..., str],  # noqa: F811
    bank: Any,
    today: datetime,
    many: int,
) -> None:
    file_id = sent(several(many))
    work_off(today)
    with CaptureQueriesContext(connection) as queries:
        assert len(lines_of(bank, file_id).json()["items"]) == many
    statements = [query["sql"] for query in queries if "payments_paymentevent" in query["sql"]]
    assert len(statements) == 1 and not [
        query["sql"] for query in queries if 'FROM "payments_payment" ' in query["sql"]
    ]
