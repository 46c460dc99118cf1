"""The fee contract on a local chain: it previews what we quote, and other rates do not match."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.stability.fees.clients.fee_contract import PREVIEW_FEES, FeeContract
from apps.insight.stability.fees.rules.fees import (
    PricedPayment,
    bps_to_rate,
    compute_fees,
    core_rate_of_tier,
    tier_of_volume,
)
from apps.platform.upstreams.http import UpstreamError
from config.prices import FX_BPS
from tests.paywall.local_chain import Chain, running

FOLDER = Path(__file__).resolve().parents[2] / "apps" / "insight" / "stability" / "chain"
COMPILED = json.loads((FOLDER / "FeeRouter.json").read_text())
RATES = (core_rate_of_tier(tier_of_volume(0)), bps_to_rate(FX_BPS))
USD = 1_000_000
PAYMENTS = [
    PricedPayment(amount, fx, score, volume)
    for amount in (1, 9_999, 10_000, 1_234_567_891_234, 10**15 - 1)
    for fx in (False, True)
    for score in (0, 33_333_333, 100 * USD)
    for volume in (
        0, 10**5 * USD - 1, 10**5 * USD, 10**6 * USD - 1, 10**6 * USD, 10**7 * USD - 1, 10**7 * USD,
    )
]  # fmt: skip


def deployed(chain: Chain, core: int, fx: int) -> str:
    """Deploy the contract with its two rates, and return its address."""
    data = f"{COMPILED['bytecode']}{core:064x}{fx:064x}"
    sender = chain.rpc("eth_accounts")[0]
    sent = chain.rpc("eth_sendTransaction", {"from": sender, "data": data, "gas": hex(10**6)})
    chain.rpc("evm_mine")  # what is sent is mined at some moment after the answer
    receipt = chain.rpc("eth_getTransactionReceipt", sent)
    assert receipt["status"] == "0x1"
    return str(receipt["contractAddress"])


def test_what_is_compiled_is_the_source_beside_it() -> None:
    source = (FOLDER / COMPILED["source"]["file"]).read_bytes()
    assert hashlib.sha256(source).hexdigest() == COMPILED["source"]["sha256"]
    version = COMPILED["compiler"].split()[1].split("+")[0]
    assert f"pragma solidity {version};" in source.decode()
    signature = "previewFees(uint256,bool,uint256,uint256)"
    assert "0x" + COMPILED["methodIdentifiers"][signature] == PREVIEW_FEES
    assert COMPILED["settings"]["optimizer"] == {"enabled": True, "runs": 200}


@pytest.fixture(scope="module")
def chain() -> Iterator[Chain]:
    with running([]) as found:
        yield found


@pytest.mark.processes
@pytest.mark.django_db
def test_the_contract_previews_what_we_quote_and_no_other_rates(
    chain: Chain, settings: Any
) -> None:
    settings.EVM_RPC_URL, settings.FEE_ROUTER = chain.url, deployed(chain, *RATES)
    ours = FeeContract(url=chain.url, address=settings.FEE_ROUTER)
    for payment in PAYMENTS:
        fees, seen = compute_fees(payment), ours.preview(payment=payment, chain_id=8453).preview
        told = (seen.core, seen.fx, seen.esg, seen.license, seen.total, seen.net)
        assert told == (*(one.units for one in fees.listed), fees.total, fees.net), payment
    query = {"amountUsd": "1234567.891234", "hasFx": "true", "esgScore": "61.5"}
    path, api = "/stability/verify-fees", APIClient()
    agreed = api.get(path, query).json()
    assert (agreed["feesMatch"], agreed["chainAsked"]) == (True, True)
    for core, fx, differs in ((RATES[0] + 10**5, RATES[1], "core"), (RATES[0], 0, "fx")):
        settings.FEE_ROUTER = deployed(chain, core, fx)
        fees = api.get(path, query).json()
        assert (fees["feesMatch"], fees["differing"]) == (False, [differs, "total", "net"])


@pytest.mark.processes
@pytest.mark.django_db
def test_the_contract_refuses_what_is_no_payment(chain: Chain) -> None:
    ours = FeeContract(url=chain.url, address=deployed(chain, *RATES))
    for payment in (PricedPayment(0), PricedPayment(1, score=100 * USD + 1)):
        with pytest.raises(UpstreamError, match="eth_call was refused"):
            ours.preview(payment=payment, chain_id=8453)
    with pytest.raises(UpstreamError, match="another chain"):
        ours.preview(payment=PricedPayment(1), chain_id=1)
    nobody = FeeContract(url=chain.url, address="0x" + "fe" * 20)
    with pytest.raises(UpstreamError, match="no fee preview at the contract"):
        nobody.preview(payment=PricedPayment(1), chain_id=8453)
