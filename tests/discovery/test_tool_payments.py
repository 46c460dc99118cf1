"""Tools that are paid for: the x402 client of PyPI pays over MCP, once."""

import json
from typing import Any

import httpx2
import pytest
import requests
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from apps.access.paywall.models import PaymentClaim, Receipt, State
from apps.compliance.screening.models import Screen
from tests.api.oracles import run_oracles
from tests.discovery.mcp_agent import Agent, Running, alone
from tests.paywall.payer import ALICE, BOB, packed, signed, unpacked, v1

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
    # from inside web3 and what it brings
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
SCREEN = {"name": "Blue Heron Stationery Limited", "country": "DE"}
TOOL = "compliance.screen"
PAYMENT, RECEIPT = "x402/payment", "x402/payment-response"


class Adapted:
    """The SDK's client in the form that the x402 package calls: names as on the wire."""

    def __init__(self, client: Client) -> None:
        self.client, self.calls = client, 0

    async def call_tool(self, params: dict[str, Any], **_: Any) -> Any:
        self.calls += 1
        found = await self.client.call_tool(
            params["name"], params["arguments"], meta=params.get("_meta")
        )
        wire = found.model_dump(mode="json", by_alias=True, exclude_none=True)
        return type("Result", (), {"content": [], "isError": False, "_meta": {}, **wire})


def pay_by_itself(url: str) -> tuple[Any, int]:
    """Call the tool with the client of the x402 package, which pays what it is asked."""

    async def run() -> tuple[Any, int]:
        from x402 import x402Client
        from x402.mcp import x402MCPClient
        from x402.mechanisms.evm.exact import register_exact_evm_client

        wallet = x402Client()
        register_exact_evm_client(wallet, ALICE)
        async with (
            httpx2.AsyncClient(timeout=60, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            adapted = Adapted(client)
            payer = x402MCPClient(adapted, wallet)
            return await payer.call_tool(TOOL, dict(SCREEN)), adapted.calls

    return alone(run)


def asked(tools: Running) -> Any:
    return Agent(tools.url).bad(TOOL, SCREEN)


def payment(challenge: Any, payer: Any = ALICE, **changes: Any) -> dict[str, Any]:
    """Return a payment of version 2, as `_meta` carries it."""
    offer = challenge["accepts"][0]
    return {
        "x402Version": 2,
        "resource": challenge["resource"],
        "accepted": offer,
        "payload": signed(offer | {"maxAmountRequired": offer["amount"]}, payer, **changes),
    }


def test_a_call_without_a_payment_says_what_it_asks_as_x402_has_it(
    tools: Running, sample: None
) -> None:
    found = Agent(tools.url).call(TOOL, SCREEN)
    assert found.is_error
    structured_content = found.structured_content
    assert json.loads(found.content[0].text) == structured_content  # type: ignore[union-attr]
    assert (
        structured_content["x402Version"] == 2
        and structured_content["resource"]["url"] == f"mcp://tool/{TOOL}"
    )
    assert (
        structured_content["accepts"][0]["amount"] == "10000"
        and structured_content["accepts"][0]["network"] == "eip155:8453"
    )
    beside = json.loads(found.content[1].text)  # type: ignore[union-attr]
    assert beside["code"] == "payment_required"
    assert Screen.objects.count() == 0


def test_the_client_of_pypi_pays_once_and_gets_its_receipt(tools: Running, sample: None) -> None:
    found, calls = pay_by_itself(tools.url)
    assert calls == 2 and found.payment_made and not found.is_error
    assert found.payment_response.success is True
    assert found.payment_response.payer.lower() == ALICE.address.lower()
    assert json.loads(found.content[0]["text"])["decision"] == "APPROVED"
    assert PaymentClaim.objects.get().state == State.SETTLED and Receipt.objects.count() == 1
    assert Screen.objects.get().owner == f"payer:{ALICE.address.lower()}"


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_the_same_payment_again_buys_the_same_answer_and_no_other(
    tools: Running, sample: None, era: str
) -> None:
    agent = Agent(tools.url, era)
    meta = {PAYMENT: payment(asked(tools))}
    first, again = agent.call(TOOL, SCREEN, meta), agent.call(TOOL, SCREEN, meta)
    assert not first.is_error and again.structured_content == first.structured_content
    assert first.meta[RECEIPT]["success"] is again.meta[RECEIPT]["success"] is True  # type: ignore[index]
    assert again.meta["idempotentReplayed"] is True  # type: ignore[index]
    other = agent.bad(TOOL, SCREEN | {"name": "Another Ltd"}, meta)
    assert (other["code"], other["status"]) == ("payment_used", 409)
    assert Receipt.objects.count() == Screen.objects.count() == 1


def test_a_payment_of_a_tool_is_one_of_its_endpoint(
    tools: Running, sample: None, live_server: Any
) -> None:
    paid = payment(asked(tools))
    found = Agent(tools.url).good(TOOL, SCREEN, {PAYMENT: paid})
    url = f"{live_server.url}/compliance/compliance/screen"
    plain = requests.post(url, json=SCREEN, headers={"PAYMENT-SIGNATURE": packed(paid)}, timeout=60)
    assert plain.json() == found and Receipt.objects.count() == 1


def test_payments_of_version_1_and_in_headers_are_taken_too(
    tools: Running, sample: None, live_server: Any
) -> None:
    url = f"{live_server.url}/compliance/compliance/screen"
    offer = requests.post(url, json=SCREEN, timeout=30).json()["accepts"][0]
    old = unpacked(v1(offer)["X-PAYMENT"])
    assert Agent(tools.url).good(TOOL, SCREEN, {PAYMENT: old})["decision"] == "APPROVED"
    header = v1(offer, BOB)["X-PAYMENT"]
    found = Agent(tools.url, X_PAYMENT=header).call(TOOL, SCREEN)
    assert not found.is_error and found.meta[RECEIPT]["success"] is True  # type: ignore[index]
    assert Receipt.objects.count() == 2


def test_a_payment_that_is_not_taken_is_asked_for_again_with_its_reason(
    tools: Running, sample: None
) -> None:
    wrong = payment(asked(tools), value=1)
    found = Agent(tools.url).call(TOOL, SCREEN, {PAYMENT: wrong})
    structured_content = found.structured_content
    assert (
        found.is_error
        and structured_content["accepts"]
        and structured_content[RECEIPT]["success"] is False
    )
    assert (
        "value" in structured_content["error"]
        and structured_content["error"] == structured_content[RECEIPT]["errorReason"]
    )
    assert Receipt.objects.count() == Screen.objects.count() == 0


@pytest.mark.parametrize(
    "broken",
    ["text", 1, [], {}, {"x402Version": 3}, {"x402Version": "2"}, {"x402Version": True},
     {"x402Version": 2}, {"x402Version": 2, "accepted": {}, "payload": {}},
     {"x402Version": 2, "filler": "y" * 20_000}],
)  # fmt: skip
def test_what_is_no_payment_is_malformed_and_takes_nothing(
    tools: Running, sample: None, broken: Any
) -> None:
    refused = Agent(tools.url).bad(TOOL, SCREEN, {PAYMENT: broken})
    assert (refused["code"], refused["status"]) == ("malformed_payment", 400)
    assert PaymentClaim.objects.count() == 0


def test_a_report_is_bought_once_by_a_tool(tools: Running, sample: None) -> None:
    run_oracles()
    agent = Agent(tools.url)
    found = agent.call("report.macro")
    assert found.is_error and found.structured_content["accepts"]
    beside = json.loads(found.content[1].text)  # type: ignore[union-attr]
    assert beside["reportPreview"]["whatYouGet"]
    meta = {PAYMENT: payment(found.structured_content)}
    first, again = agent.call("report.macro", {}, meta), agent.call("report.macro", {}, meta)
    assert not first.is_error, first.structured_content
    assert first.structured_content["reportType"] and first.meta[RECEIPT]["success"] is True  # type: ignore[index]
    assert again.structured_content == first.structured_content
    assert Receipt.objects.count() == 1
    other = agent.bad("report.climate", {}, meta)
    assert other.get("code") == "payment_used" or other["error"]
    assert Receipt.objects.count() == 1
