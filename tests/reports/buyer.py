"""Who buys reports: signs payments that hold at whatever moment a test is at."""

import hashlib
from typing import Any

from eth_account import Account as Wallet
from rest_framework.test import APIClient

from tests.paywall.payer import v1

ALWAYS = {"validAfter": 0, "validBefore": 4_000_000_000}
ADDRESS = "/reports/report/"


class Buyer:
    """Buys reports from a wallet of their own; `paid` are the headers of the last payment."""

    def __init__(self, name: str, key: str = "") -> None:
        self.wallet = Wallet.from_key(hashlib.sha256(name.encode()).digest())
        self.client = APIClient(raise_request_exception=False)
        self.own = {"Authorization": f"Bearer {key}"} if key else {}
        self.paid: dict[str, str] = {}

    def ask(self, report: str, query: dict[str, Any] | None = None, **headers: str) -> Any:
        """Call without a payment."""
        return self.client.get(ADDRESS + report, query or {}, headers=self.own | headers)

    def buy(self, report: str, query: dict[str, Any] | None = None, **headers: str) -> Any:
        """Pay what is asked, and call; a refusal before any price is asked is the answer."""
        asked = self.ask(report, query)
        if asked.status_code != 402:
            return asked
        self.paid = v1(asked.json()["accepts"][0], self.wallet, **ALWAYS)
        return self.again(report, query, **headers)

    def again(self, report: str, query: dict[str, Any] | None = None, **headers: str) -> Any:
        """Send the last payment again."""
        sent = self.own | self.paid | headers
        return self.client.get(ADDRESS + report, query or {}, headers=sent)


def report(answer: Any) -> dict[str, Any]:
    """Return a report that was bought."""
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body
