"""Real clients buy every report on a chain: each is paid for once, in both versions of x402.

It needs anvil and the clients of npm: `npm install` in tests/paywall/clients.
"""

import itertools
import json
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import requests

from apps.access.paywall.models import Receipt
from apps.insight.forecast.services import hourly_run as runs
from apps.insight.reports.catalogue import REPORTS
from apps.insight.reports.models import PaidReport
from apps.platform.common.clock import now
from tests.api.oracles import run_oracles
from tests.paywall.local_chain import CLIENTS, GAS_KEY, Chain, running
from tests.paywall.payer import ALICE, BOB
from tests.reports.sample_payments import crowd
from tests.screening.conftest import sample  # noqa: F401

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.processes,
    pytest.mark.timeout(900),
    # from inside web3 and what it brings
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
ALL = sum(int(row.price.paid or 0) for row in REPORTS)
PAID_BY = {1: "X-PAYMENT", 2: "PAYMENT-SIGNATURE"}


@pytest.fixture
def chain() -> Iterator[Chain]:
    """Return a chain on which each payer has the price of all reports: 5 USDC each time."""
    with running([ALICE.address, BOB.address] * 4) as found:
        yield found


@pytest.fixture
def url(sample: Any, live_server: Any, chain: Chain, settings: Any) -> str:  # noqa: F811
    """A running server that knows everything and settles on the chain by itself."""
    settings.EVM_RPC_URL, settings.FACILITATOR_KEY = chain.url, GAS_KEY
    settings.X402_V1_NAME = "base"  # as clients of version 1 call it
    runs.forget_runs()
    run_oracles()
    crowd(_month() + timedelta(days=3))
    return f"{live_server.url}/reports/report/"


def _month() -> datetime:
    """Return the first moment of the month before this one."""
    last = now().replace(day=1) - timedelta(days=1)
    return datetime(last.year, last.month, 1, tzinfo=UTC)


def query(row: Any) -> dict[str, Any]:
    return {"period": f"{_month():%Y-%m}"} if row.name == "treasury" else dict(row.example)


class Session(requests.Session):
    """Keeps what was sent last; of version 1, it does not see what version 2 says."""

    def __init__(self, version: int) -> None:
        super().__init__()
        self.version = version
        self.paid: dict[str, str] = {}

    def pay(self) -> "Session":
        """Let the client of PyPI pay what is asked."""
        from x402 import x402ClientSync
        from x402.http.clients.requests import x402HTTPAdapter
        from x402.mechanisms.evm.exact import register_exact_evm_client

        wallet = x402ClientSync()
        wallet.set_spend_controls(False)  # unless told, it pays no more than 1 USD
        register_exact_evm_client(wallet, ALICE if self.version == 2 else BOB)
        session = self

        class Adapter(x402HTTPAdapter):
            def build_response(self, req: Any, resp: Any) -> Any:
                if session.version == 1:
                    resp.headers.discard("PAYMENT-REQUIRED")
                sent = {one: req.headers[one] for one in PAID_BY.values() if one in req.headers}
                session.paid = sent or session.paid
                return super().build_response(req, resp)

        self.mount("http://", Adapter(wallet))
        return self


def test_the_client_of_pypi_buys_every_report_in_either_version_and_pays_once(
    url: str, chain: Chain, settings: Any
) -> None:
    for row, version in itertools.product(REPORTS, PAID_BY):
        session = Session(version).pay()
        first = session.get(url + row.name, params=query(row), timeout=90)
        assert first.status_code == 200, first.text
        assert first.json()["reportType"] == row.name
        assert list(session.paid) == [PAID_BY[version]]
        again = requests.get(url + row.name, query(row), headers=session.paid, timeout=90)
        assert again.json() == first.json()
        assert again.headers["X-SVC-Report-Id"] == first.headers["X-SVC-Report-Id"]
    assert (PaidReport.objects.count(), Receipt.objects.count()) == (5, 10)
    assert (chain.sent(), chain.balance(settings.PAY_TO)) == (10, 2 * ALL)


def test_the_client_of_npm_buys_a_report_and_the_money_arrives(
    url: str, chain: Chain, settings: Any
) -> None:
    if not (CLIENTS / "node_modules" / "@x402" / "fetch").exists() or not shutil.which("node"):
        pytest.skip("needs the client of npm: run `npm install` in tests/paywall/clients")
    key = "0x" + bytes(ALICE.key).hex()
    for row in REPORTS:
        asked = f"{url}{row.name}?{urlencode(query(row))}"
        process = subprocess.run(
            ["node", "--preserve-symlinks", "--preserve-symlinks-main", CLIENTS / "pay.mjs", asked,
             key],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert process.returncode == 0, process.stderr
        document = json.loads(process.stdout)
        assert document["status"] == 200 and document["body"]["reportType"] == row.name
        assert document["receipt"]["success"] is True
    assert Receipt.objects.count() == len(REPORTS)
    assert (chain.sent(), chain.balance(settings.PAY_TO)) == (len(REPORTS), ALL)
