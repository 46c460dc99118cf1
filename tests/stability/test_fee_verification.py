"""GET /verify-fees: the contract agrees, differs, or could not be asked; never a yes unasked."""

from collections.abc import Iterator
from typing import Any

import pytest
from eth_utils import keccak
from rest_framework.test import APIClient

from apps.insight.stability.fees import fee_verification
from apps.insight.stability.fees.clients import fee_contract
from apps.insight.stability.fees.rules.fee_contract_preview import preview_fees
from apps.platform.upstreams.models import UpstreamState
from tests.openapi import check_answer
from tests.paywall.facilitator_server import facilitating

PATH = "/stability/verify-fees"
QUERY = {"amountUsd": "10000", "hasFx": "true", "esgScore": "80", "monthlyVolumeUsd": "250000"}
ROUTER = "0x" + "fe" * 20
CORE, FX = 15 * 10**8, 25 * 10**8


class Node:
    """A node with a fee contract of these rates; tests change what it says."""

    def __init__(self) -> None:
        self.chain, self.core, self.fx = 8453, CORE, FX
        self.said: dict[str, Any] = {}

    def __call__(self, _: str, call: dict[str, Any]) -> tuple[int, Any] | None:
        method = call["method"]
        if method in self.said:
            found = self.said[method]
            return found if not isinstance(found, str) else (200, {"result": found})
        results = {"eth_chainId": hex(self.chain), "eth_blockNumber": "0x1234"}
        result = results.get(method) or self.previewed(*call["params"])
        return 200, {"jsonrpc": "2.0", "id": 1, "result": result}

    def previewed(self, call: dict[str, str], block: str) -> str:
        assert (call["to"], block) == (ROUTER, "0x1234")
        words = [int(call["data"][at : at + 64], 16) for at in range(10, len(call["data"]), 64)]
        amount, fx, score, volume = words
        fee_preview = preview_fees(
            core_rate=self.core, fx_rate=self.fx, amount=amount, has_fx=bool(fx),
            esg_score=score, monthly_volume=volume,
        )  # fmt: skip
        values = (
            fee_preview.core,
            fee_preview.fx,
            fee_preview.esg,
            fee_preview.license,
            fee_preview.total,
            fee_preview.net,
        )
        return "0x" + "".join(f"{value:064x}" for value in values)


@pytest.fixture
def api(db: None) -> APIClient:
    return APIClient(raise_request_exception=False)


@pytest.fixture
def node(settings: Any) -> Iterator[Node]:
    found = Node()
    with facilitating(found) as served:
        settings.EVM_RPC_URL, settings.FEE_ROUTER = served.url, ROUTER
        yield found


def test_a_contract_that_says_the_same_matches(api: APIClient, node: Node) -> None:
    body = api.get(PATH, QUERY).json()
    check_answer("stability", "GET", "/verify-fees", body)
    assert (body["feesMatch"], body["checkedAgainst"]) == (True, "CONTRACT")
    where = (body["chainAsked"], body["contract"], body["chainId"], body["blockNumber"])
    assert where == (True, ROUTER, 8453, 0x1234)
    assert body["preview"]["total"] == "49.500000" and body["preview"]["net"] == "9950.500000"
    assert body["fees"] == api.get("/stability/quote", QUERY).json()["fees"]


@pytest.mark.parametrize(
    ("changes", "differing"),
    [
        ({"core": CORE + 1}, []),  # of 10,000 USD that is less than a micro-unit
        ({"core": CORE + 10**5}, ["core", "total", "net"]),
        ({"fx": FX - 10**5}, ["fx", "total", "net"]),
    ],
)
def test_a_contract_of_other_rates_does_not(
    api: APIClient, node: Node, changes: dict[str, int], differing: list[str]
) -> None:
    vars(node).update(changes)
    body = api.get(PATH, QUERY).json()
    assert (body["feesMatch"], body["differing"]) == (not differing, differing)


@pytest.mark.parametrize("at", range(6))
def test_one_micro_unit_anywhere_is_a_difference(
    api: APIClient, node: Node, monkeypatch: Any, at: int
) -> None:
    plain = node.previewed

    def other(call: Any, block: str) -> str:
        words = [plain(call, block)[2:][n * 64 : (n + 1) * 64] for n in range(6)]
        words[at] = f"{int(words[at], 16) + 1:064x}"
        return "0x" + "".join(words)

    monkeypatch.setattr(node, "previewed", other)
    body = api.get(PATH, QUERY).json()
    assert (body["feesMatch"], body["differing"]) == (False, [fee_verification.NAMES[at]])


def test_a_contract_that_says_absurd_amounts_differs_and_is_told_whole(
    api: APIClient, node: Node
) -> None:
    node.said["eth_call"] = "0x" + "f" * 64 * 6
    response = api.get(PATH, QUERY)
    assert response.status_code == 200 and response.json()["feesMatch"] is False
    assert response.json()["preview"]["core"].startswith("1157920892373161954")


OUTAGES = {
    "it hangs up": {"eth_chainId": None},
    "a server error": {"eth_call": (500, {})},
    "no json": {"eth_call": (200, b"<html>")},
    "refused": {"eth_call": (200, {"error": {"code": 3, "message": "execution reverted"}})},
    "no contract there": {"eth_call": "0x"},
    "half an answer": {"eth_call": "0x" + "0" * 64 * 5},
    "too much of one": {"eth_call": "0x" + "0" * 64 * 7},
    "no hex": {"eth_call": "0x" + "z" * 64 * 6},
    "no text": {"eth_call": (200, {"result": None})},
    "no number": {"eth_blockNumber": "latest"},
    "a list": {"eth_chainId": (200, [])},
    "another chain": {"eth_chainId": "0x1"},
}


@pytest.mark.parametrize("outage", OUTAGES)
def test_a_contract_that_could_not_be_asked_is_503_and_no_answer(
    api: APIClient, node: Node, outage: str
) -> None:
    node.said = OUTAGES[outage]
    response = api.get(PATH, QUERY)
    assert (response.status_code, response.json()["code"]) == (503, "fee_contract_unavailable")
    assert "feesMatch" not in response.json() and int(response["Retry-After"]) > 0


def test_a_node_that_fails_again_and_again_is_left_alone(api: APIClient, node: Node) -> None:
    node.said = {"eth_chainId": (500, {})}
    for _ in range(6):
        assert api.get(PATH, QUERY).status_code == 503
    assert UpstreamState.objects.get(pk="fee-contract").open_until is not None
    node.said = {}
    assert api.get(PATH, QUERY).status_code == 503  # the breaker is open: still no yes


@pytest.mark.parametrize("named", [(), ("EVM_RPC_URL",), ("FEE_ROUTER",)])
def test_a_sandbox_without_a_contract_says_that_no_chain_was_asked(
    api: APIClient, settings: Any, named: tuple[str, ...]
) -> None:
    for name in named:
        setattr(settings, name, "http://127.0.0.1:1" if "URL" in name else ROUTER)
    body = api.get(PATH, QUERY).json()
    check_answer("stability", "GET", "/verify-fees", body)
    assert (body["feesMatch"], body["chainAsked"]) == (True, False)
    assert body["checkedAgainst"] == "SECOND_IMPLEMENTATION" and "blockNumber" not in body
    assert "No chain was called" in body["note"]


def test_a_fee_table_that_differs_from_the_second_implementation_is_told(
    api: APIClient, monkeypatch: Any
) -> None:
    monkeypatch.setattr(fee_verification, "FX_BPS", fee_verification.FX_BPS + 1)
    body = api.get(PATH, QUERY).json()
    assert (body["feesMatch"], body["differing"]) == (False, ["fx", "total", "net"])


def test_production_without_a_contract_has_none_to_ask(api: APIClient, settings: Any) -> None:
    settings.PRODUCTION = True
    response = api.get(PATH, QUERY)
    assert (response.status_code, response.json()["code"]) == (503, "fee_contract_unavailable")


def test_what_cannot_be_quoted_cannot_be_verified(api: APIClient, node: Node) -> None:
    for query in ({}, {"amountUsd": "0"}, QUERY | {"esgScore": "101"}):
        assert api.get(PATH, query).status_code == 400


def test_the_manifest_names_the_contract_that_can_be_asked(
    api: APIClient, settings: Any, node: Node
) -> None:
    assert api.get("/stability/manifest").json()["contracts"]["feeRouter"] == ROUTER
    settings.EVM_RPC_URL = ""
    assert "feeRouter" not in api.get("/stability/manifest").json()["contracts"]


def test_the_selector_is_that_of_the_signature() -> None:
    signature = b"previewFees(uint256,bool,uint256,uint256)"
    assert "0x" + keccak(signature)[:4].hex() == fee_contract.PREVIEW_FEES
