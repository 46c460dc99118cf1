"""Money on a chain: real clients pay a running server, and the chain says what moved.

It needs anvil and the clients of npm: `npm install` in tests/paywall/clients.
"""

import json
import shutil
import subprocess
import time
import warnings
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import requests

from apps.access.paywall import tasks
from apps.access.paywall.configured_facilitator import get_network
from apps.access.paywall.models import PaymentClaim, Receipt, State
from apps.access.paywall.x402.onchain_facilitator import OnChainFacilitator
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from tests.paywall.conftest import BODY, PATH
from tests.paywall.facilitator_server import Facilitating, facilitating
from tests.paywall.local_chain import CLIENTS, GAS_KEY, Chain, running
from tests.paywall.payer import ALICE, BOB, unpacked, v1
from tests.paywall.test_races import at_once
from tests.screening.conftest import sample  # noqa: F401

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.processes,
    # from inside web3 and what it brings
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
PRICE = 10_000
POOR = "0x" + "33" * 32


@pytest.fixture
def chain() -> Iterator[Chain]:
    with running([ALICE.address, BOB.address]) as found:
        yield found


@pytest.fixture
def url(sample: Any, live_server: Any, chain: Chain, settings: Any) -> str:  # noqa: F811
    """A running server that settles on the chain by itself."""
    settings.EVM_RPC_URL, settings.FACILITATOR_KEY = chain.url, GAS_KEY
    return f"{live_server.url}{PATH}"


class Relay:
    """A facilitator over HTTP that settles on the chain; `dark` hangs up once it has settled."""

    def __init__(self, chain: Chain) -> None:
        inner = OnChainFacilitator(rpc_url=chain.url, key=GAS_KEY, caip2=get_network().caip2)
        self.calls = {"/verify": inner._facilitator.verify, "/settle": inner._facilitator.settle}
        self.dark = False

    def __call__(self, path: str, document: dict[str, Any]) -> Any:
        from x402.schemas import PaymentPayload, PaymentRequirements

        payload = PaymentPayload.model_validate(document["paymentPayload"])
        wanted = PaymentRequirements.model_validate(document["paymentRequirements"])
        said = self.calls[path](payload, wanted).model_dump(by_alias=True, exclude_none=True)
        return None if self.dark and path == "/settle" else (200, said)


@pytest.fixture
def relay(chain: Chain) -> Relay:
    return Relay(chain)


@pytest.fixture
def served(relay: Relay, settings: Any) -> Iterator[Facilitating]:
    with facilitating(relay) as found, warnings.catch_warnings():
        settings.FACILITATOR_URL = found.url
        yield found


@pytest.fixture
def afar(sample: Any, live_server: Any, served: Facilitating) -> str:  # noqa: F811
    """A running server whose facilitator is reached by HTTP."""
    return f"{live_server.url}{PATH}"


@pytest.fixture
def impatient(url: str, chain: Chain, monkeypatch: Any) -> OnChainFacilitator:
    """Let the server wait for a transaction only shortly."""
    chain_facilitator = OnChainFacilitator(
        rpc_url=chain.url, key=GAS_KEY, caip2=get_network().caip2, patience=1.5
    )
    monkeypatch.setattr(
        "apps.access.paywall.configured_facilitator.get_facilitator", lambda: chain_facilitator
    )
    return chain_facilitator


def post(url: str, headers: Any = None, **changes: Any) -> Any:
    return requests.post(url, json=BODY | changes, headers=headers or {}, timeout=90)


def offer(url: str) -> Any:
    return post(url).json()["accepts"][0]


def received(chain: Chain, settings: Any) -> int:
    return chain.balance(settings.PAY_TO)


def python_client() -> requests.Session:
    """Return a session of the client of PyPI, which pays by itself."""
    from x402 import x402ClientSync
    from x402.http.clients import wrapRequestsWithPayment
    from x402.mechanisms.evm.exact import register_exact_evm_client

    client = x402ClientSync()
    register_exact_evm_client(client, ALICE)
    return wrapRequestsWithPayment(requests.Session(), client)


def test_the_client_of_pypi_pays_and_the_money_arrives(
    url: str, chain: Chain, settings: Any
) -> None:
    answer = python_client().post(url, json=BODY, timeout=90)
    assert answer.status_code == 200 and answer.json()["decision"] == "APPROVED"
    receipt = unpacked(answer.headers["PAYMENT-RESPONSE"])
    assert receipt["success"] is True and receipt["facilitator"] == "chain"
    mined = chain.rpc("eth_getTransactionReceipt", receipt["transaction"])
    assert mined["status"] == "0x1" and received(chain, settings) == PRICE
    assert Receipt.objects.get().transaction == receipt["transaction"]


def test_the_client_of_npm_pays_and_the_money_arrives(
    url: str, chain: Chain, settings: Any
) -> None:
    if not (CLIENTS / "node_modules" / "@x402" / "fetch").exists() or not shutil.which("node"):
        pytest.skip("needs the client of npm: run `npm install` in tests/paywall/clients")
    key = "0x" + bytes(ALICE.key).hex()
    process = subprocess.run(
        ["node", "--preserve-symlinks", "--preserve-symlinks-main", CLIENTS / "pay.mjs", url, key,
         json.dumps(BODY)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    document = json.loads(process.stdout)
    assert document["status"] == 200 and document["body"]["decision"] == "APPROVED"
    assert document["receipt"]["success"] is True and received(chain, settings) == PRICE


def test_a_replay_moves_no_more_money(url: str, chain: Chain, settings: Any) -> None:
    paid = v1(offer(url))
    first, again = post(url, paid), post(url, paid)
    assert first.status_code == 200 and again.content == first.content
    assert post(url, paid, name="Somebody Else Ltd").status_code == 409
    assert (chain.sent(), received(chain, settings)) == (1, PRICE)


@pytest.mark.parametrize(
    ("payer", "changes", "reason"),
    [
        (ALICE, {"value": PRICE - 1}, "invalid_exact_evm_payload_authorization_value_mismatch"),
        (ALICE, {"validBefore": 1_700_000_000},
         "invalid_exact_evm_payload_authorization_valid_before"),
        (None, {}, "invalid_exact_evm_insufficient_balance"),
    ],
    ids=["underpaid", "expired", "a wallet without money"],
)  # fmt: skip
def test_what_is_not_good_moves_nothing(
    url: str, chain: Chain, settings: Any, payer: Any, changes: Any, reason: str
) -> None:
    from eth_account import Account

    refused = post(url, v1(offer(url), payer or Account.from_key(POOR), **changes))
    assert (refused.status_code, refused.json()["error"]) == (402, reason)
    assert (chain.sent(), received(chain, settings)) == (0, 0)
    assert not Screen.objects.exists() and not PaymentClaim.objects.exists()


def test_a_payment_that_was_spent_elsewhere_buys_nothing(
    url: str, chain: Chain, settings: Any
) -> None:
    paid = v1(offer(url))
    assert post(url, paid).status_code == 200
    PaymentClaim.objects.all().delete()  # as if another server of the same payee had taken it
    refused = post(url, paid)
    assert refused.json()["error"] == "invalid_exact_evm_nonce_already_used"
    assert received(chain, settings) == PRICE


def test_a_payment_that_settles_late_is_found_on_the_chain_and_taken_once(
    url: str, chain: Chain, settings: Any, impatient: OnChainFacilitator
) -> None:
    paid = v1(offer(url))
    chain.rpc("evm_setAutomine", False)
    held = post(url, paid)
    assert (held.status_code, held.json()["code"]) == (503, "payment_outcome_unknown")
    assert held.json()["transaction"].startswith("0x") and held.headers["Retry-After"]
    assert post(url, paid).status_code == 503 and not Screen.objects.exists()
    key = str(PaymentClaim.objects.get().pk)
    with pytest.raises(tasks.RetryLater):
        tasks.reconcile_payment(key, now())
    chain.rpc("evm_mine")
    chain.rpc("evm_setAutomine", True)
    tasks.reconcile_payment(key, now())
    assert PaymentClaim.objects.get().state == State.SETTLED
    answer = post(url, paid)
    assert answer.status_code == 200
    assert (
        unpacked(answer.headers["X-PAYMENT-RESPONSE"])["transaction"]
        == (held.json()["transaction"])
    )
    assert (chain.sent(), received(chain, settings)) == (1, PRICE)


def test_a_transaction_that_was_lost_fails_once_its_time_is_over(
    url: str, chain: Chain, settings: Any, impatient: OnChainFacilitator
) -> None:
    paid = v1(offer(url))
    chain.rpc("evm_setAutomine", False)
    body = post(url, paid).json()
    chain.rpc("anvil_dropTransaction", body["transaction"])
    claim = PaymentClaim.objects.get()
    chain.rpc("evm_increaseTime", 600)
    chain.rpc("evm_mine")
    tasks.reconcile_payment(str(claim.pk), now() + timedelta(minutes=10))
    claim.refresh_from_db()
    assert (claim.state, claim.reason) == (State.FAILED, "authorization_expired_unused")
    assert received(chain, settings) == 0 and not Receipt.objects.exists()


def test_the_client_of_pypi_pays_by_an_http_facilitator(
    afar: str, chain: Chain, settings: Any
) -> None:
    answer = python_client().post(afar, json=BODY, timeout=90)
    assert answer.status_code == 200 and received(chain, settings) == PRICE
    assert unpacked(answer.headers["PAYMENT-RESPONSE"])["facilitator"] == "http"


@pytest.mark.parametrize("changes", [{"value": PRICE - 1}, {"validBefore": 1_700_000_000}])
def test_what_is_not_good_is_not_even_sent_to_an_http_facilitator(
    afar: str, chain: Chain, settings: Any, served: Facilitating, changes: Any
) -> None:
    refused = post(afar, v1(offer(afar), **changes))
    assert (refused.status_code, refused.json()["code"]) == (402, "payment_refused")
    assert not served.asked and (chain.sent(), received(chain, settings)) == (0, 0)


def test_a_wallet_without_money_is_refused_by_an_http_facilitator(
    afar: str, chain: Chain, settings: Any
) -> None:
    from eth_account import Account

    refused = post(afar, v1(offer(afar), Account.from_key(POOR)))
    assert refused.json()["error"] == "invalid_exact_evm_insufficient_balance"
    assert chain.sent() == 0 and not Screen.objects.exists()


def test_a_facilitator_that_goes_dark_once_it_has_settled_is_paid_once(
    afar: str, chain: Chain, settings: Any, relay: Relay
) -> None:
    relay.dark, settings.EVM_RPC_URL = True, chain.url
    paid = v1(offer(afar))
    for _ in range(2):
        held = post(afar, paid)
        assert (held.status_code, held.json()["code"]) == (503, "payment_outcome_unknown")
        assert "accepts" not in held.json()  # never a fresh price: the payer would pay twice
    assert received(chain, settings) == PRICE and not Screen.objects.exists()
    claim = PaymentClaim.objects.get()
    tasks.reconcile_payment(str(claim.pk), now())
    claim.refresh_from_db()
    mined = chain.rpc("eth_getTransactionReceipt", claim.transaction)
    assert claim.state == State.SETTLED and mined["status"] == "0x1"
    answers = [post(afar, paid) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert (chain.sent(), received(chain, settings)) == (1, PRICE)
    assert Screen.objects.count() == Receipt.objects.count() == 1


def insistent(url: str, headers: Any) -> Any:
    """Post as clients do: a connection that breaks is made anew.

    The server of the tests lets few wait to be accepted; of a hundred at once, the system may
    turn one away before any of our code has seen it.
    """
    for _ in range(4):
        try:
            return post(url, headers)
        except requests.ConnectionError:
            time.sleep(0.2)
    return post(url, headers)


def replayed(url: str, chain: Chain, settings: Any) -> None:
    """Send one payment a hundred times at once, and see that its money moved once."""
    paid = v1(offer(url))
    answers = at_once(lambda _: insistent(url, paid), 100)
    last = post(url, paid)
    statuses = {answer.status_code for answer in answers}
    assert statuses <= {200, 409} and last.status_code == 200
    good = {answer.content for answer in [*answers, last] if answer.status_code == 200}
    assert len(good) == 1
    busy = {answer.json()["code"] for answer in answers if answer.status_code == 409}
    assert busy <= {"payment_in_progress"}
    assert (chain.sent(), received(chain, settings)) == (1, PRICE)
    assert PaymentClaim.objects.count() == Screen.objects.count() == 1


def test_a_hundred_replays_by_an_http_facilitator_move_the_money_once(
    afar: str, chain: Chain, settings: Any, served: Facilitating
) -> None:
    replayed(afar, chain, settings)
    assert [path for path, _ in served.asked] == ["/verify", "/settle"]


def test_a_hundred_replays_settled_by_this_process_move_the_money_once(
    url: str, chain: Chain, settings: Any
) -> None:
    replayed(url, chain, settings)
