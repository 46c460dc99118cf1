"""A simulated bank on the loopback, and an institution that pays by it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Thread
from typing import Any

from apps.payments.banking.models import Recipient, Send
from apps.payments.banking.services import recipients, submit_send
from apps.payments.banking.simulator.bank import SimulatedBank
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater

TOKEN = "secret-token:test"
SAVED = "/settlement/bank/recipients"
SEND = "/settlement/bank/send"
SENDS = "/settlement/bank/sends"
ACCOUNTS = "/settlement/bank/accounts"
TRANSACTIONS = "/settlement/bank/transactions"
AUTHORIZE = "/settlement/bank/ach-authorize"


@contextmanager
def simulated() -> Iterator[BankServer]:
    """Run a simulated bank."""
    server = BankServer(SimulatedBank(), TOKEN)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def ach_recipient(**changes: Any) -> dict[str, Any]:
    """A recipient of ACH payments."""
    return {
        "name": "Blue Heron Stationery Limited",
        "emails": ["ap@example.com"],
        "electronicRoutingInfo": {
            "routingNumber": "021000021",
            "accountNumber": "1234567890",
            "electronicAccountType": "businessChecking",
            "address": {
                "address1": "1 Main Street",
                "city": "New York",
                "region": "NY",
                "postalCode": "10001",
                "country": "US",
            },
        },
    } | changes


def wire_recipient(**changes: Any) -> dict[str, Any]:
    """A recipient of international wires."""
    return {
        "name": "Blue Heron Stationery Limited",
        "emails": ["ap@example.com"],
        "defaultPaymentMethod": "internationalWire",
        "internationalWireRoutingInfo": {
            "iban": "DE89370400440532013000",
            "swiftCode": "COBADEFFXXX",
            "bankDetails": {
                "bankName": "Sample Bank",
                "bankCityState": "Frankfurt am Main",
                "bankCountry": "DE",
            },
        },
    } | changes


@dataclass
class Payer:
    """An institution with a key."""

    client: Any

    def post(self, path: str, body: dict[str, Any], *, answers: int, **head: str) -> dict[str, Any]:
        answer = self.client.post(path, body, format="json", headers=head)
        assert answer.status_code == answers, answer.content
        return dict(answer.json())

    def get(self, path: str, *, answers: int = 200, **query: Any) -> dict[str, Any]:
        answer = self.client.get(path, query)
        assert answer.status_code == answers, answer.content
        return dict(answer.json())

    def save(self, body: dict[str, Any] | None = None, *, answers: int = 201) -> dict[str, Any]:
        return self.post(SAVED, body or ach_recipient(), answers=answers)

    def send(self, recipient: str, *, answers: int = 202, **changes: Any) -> dict[str, Any]:
        body = {
            "accountId": "3f2b8c1e-6d0a-4b6e-9a57-0c1d2e3f4a5b",
            "recipientId": recipient,
            "amount": 12.5,
            "paymentMethod": "ach",
        } | changes
        return self.post(SEND, body, answers=answers)

    def authorize(self, recipient: str, *, answers: int = 200, **changes: Any) -> dict[str, Any]:
        body = {
            "recipientId": recipient,
            "amount": 25,
            "accountName": "Blue Heron Stationery Limited",
            "routingNumber": "021000021",
            "accountNumber": "1234567890",
            "memo": "invoice 42",
        } | changes
        return self.post(AUTHORIZE, body, answers=answers)


def work(at: datetime | None = None) -> None:
    """Do what the workers would: save recipients and send what is due."""
    moment = at or now() + timedelta(milliseconds=1)
    for number in Recipient.objects.filter(state="NEW").values_list("pk", flat=True):
        with suppress(Exception):
            recipients.save_pending_recipient(str(number), moment)
    for number in Send.objects.filter(state="TAKEN").values_list("pk", flat=True):
        with suppress(RetryLater):
            submit_send.submit_send(str(number), moment)
