"""The payer's side, written from the protocol alone: signs what a 402 asks, in either version."""

import base64
import json
import secrets
import time
from typing import Any

from eth_account import Account
from rest_framework.test import APIClient

TYPES = {
    "TransferWithAuthorization": [
        {"name": "from", "type": "address"},
        {"name": "to", "type": "address"},
        {"name": "value", "type": "uint256"},
        {"name": "validAfter", "type": "uint256"},
        {"name": "validBefore", "type": "uint256"},
        {"name": "nonce", "type": "bytes32"},
    ]
}
CHAINS = {"base": 8453, "base-mainnet": 8453, "base-sepolia": 84532, "ethereum": 1}
ALICE = Account.from_key("0x" + "11" * 32)
BOB = Account.from_key("0x" + "22" * 32)


def packed(document: Any) -> str:
    """Return a header's value."""
    return base64.b64encode(json.dumps(document).encode()).decode()


def unpacked(header: str) -> Any:
    """Return what a header says."""
    return json.loads(base64.b64decode(header, validate=True))


def signed(offer: dict[str, Any], payer: Any = ALICE, **changes: Any) -> dict[str, Any]:
    """Return the payload that an offer of version 1 asks for, with `changes` before signing."""
    now = int(time.time())
    said: dict[str, Any] = {
        "from": payer.address,
        "to": offer["payTo"],
        "value": int(offer["maxAmountRequired"]),
        "validAfter": now - 600,
        "validBefore": now + offer["maxTimeoutSeconds"],
        "nonce": secrets.token_bytes(32),
    } | changes
    chain = offer["network"]
    domain = {
        "name": offer["extra"]["name"],
        "version": offer["extra"]["version"],
        "chainId": CHAINS.get(chain) or int(chain.partition(":")[2]),
        "verifyingContract": offer["asset"],
    }
    signature = Account.sign_typed_data(payer.key, domain, TYPES, said).signature
    plain = {n: "0x" + v.hex() if isinstance(v, bytes) else str(v) for n, v in said.items()}
    return {"signature": "0x" + bytes(signature).hex(), "authorization": plain}


def v1(offer: dict[str, Any], payer: Any = ALICE, **changes: Any) -> dict[str, str]:
    """Return the header by which a client of version 1 pays."""
    document = {
        "x402Version": 1,
        "scheme": offer["scheme"],
        "network": offer["network"],
        "payload": signed(offer, payer, **changes),
    }
    return {"X-PAYMENT": packed(document)}


def v2(challenge: dict[str, Any], payer: Any = ALICE, **changes: Any) -> dict[str, str]:
    """Return the header by which a client of version 2 pays."""
    offer = challenge["accepts"][0]
    payload = signed(offer | {"maxAmountRequired": offer["amount"]}, payer, **changes)
    document = {
        "x402Version": 2,
        "resource": challenge["resource"],
        "accepted": offer,
        "payload": payload,
    }
    return {"PAYMENT-SIGNATURE": packed(document)}


class PayingClient(APIClient):
    """Pays each 402 that it meets, and calls again."""

    def __init__(self, payer: Any = ALICE, **defaults: Any) -> None:
        super().__init__(raise_request_exception=False, **defaults)
        self.payer = payer

    def generic(self, method: str, path: str, *given: Any, **more: Any) -> Any:
        """Call, and where a payment is asked for call again with one."""
        answer = super().generic(method, path, *given, **more)
        if answer.status_code != 402 or method == "HEAD" or "accepts" not in answer.json():
            return answer
        paid = v1(answer.json()["accepts"][0], self.payer)
        headers = {**(more.pop("headers", None) or {}), **paid}
        return super().generic(method, path, *given, headers=headers, **more)
