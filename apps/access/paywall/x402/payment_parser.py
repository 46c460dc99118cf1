"""Parse payments of either version once, strictly, into one form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.access.paywall.x402.headers import MalformedHeader, decode_header
from apps.access.paywall.x402.terms import Terms

HEADERS = {2: "PAYMENT-SIGNATURE", 1: "X-PAYMENT"}  # looked for in this order
RECEIPTS = {2: "PAYMENT-RESPONSE", 1: "X-PAYMENT-RESPONSE"}
ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
NONCE = re.compile(r"0x[0-9a-fA-F]{64}")
# bytes: 65 of a plain key, up to thousands of a contract wallet (ERC-6492)
SIGNATURE = re.compile(r"0x(?:[0-9a-fA-F]{2}){1,6000}")
# 78 digits hold 2^256; a leading zero or sign has no place in the protocol
WHOLE = re.compile(r"0|[1-9][0-9]{0,77}")
LARGEST = 2**256 - 1


@dataclass(frozen=True, slots=True)
class Payment:
    """One signed authorization (EIP-3009) and the offer that it accepts.

    `payer`, `payee` and `nonce` are in lower case; `offer` is the offer as the payer repeats it,
    with the amount under `amount`, None where version 1 does not say.
    """

    version: int
    scheme: str
    network: str
    payer: str
    payee: str
    value: int
    valid_after: int
    valid_before: int
    nonce: str
    offer: Mapping[str, Any] | None
    payload: Mapping[str, Any] = field(repr=False)

    @property
    def signature(self) -> str:
        """The signature as it was sent; never to be logged."""
        return str(self.payload["signature"])

    def document(self, terms: Terms) -> dict[str, Any]:
        """Return the payment in the format of version 2, for a facilitator."""
        # version 2 for payers of version 1, too: the signed message is the same, and only version 2
        # reports the hash of a transaction that was sent but is not mined yet
        return {"x402Version": 2, "accepted": terms.offer_v2(), "payload": dict(self.payload)}


def read_sent_payment(headers: Mapping[str, str]) -> Payment | None:
    """Return the payment of a request, None without one; raises MalformedHeader."""
    for version, name in HEADERS.items():
        if value := headers.get(name):
            return parse_payment(decode_header(value), version)
    return None


def parse_payment(document: Mapping[str, Any], version: int) -> Payment:
    """Return the payment of a parsed header of that version, or raise MalformedHeader."""
    if document.get("x402Version") != version:
        raise MalformedHeader(f"x402Version is not {version}")
    offer = document.get("accepted") if version == 2 else None
    if version == 2 and not isinstance(offer, dict):
        raise MalformedHeader("`accepted` is not an object")
    payload = document.get("payload")
    if not isinstance(payload, dict):
        raise MalformedHeader("`payload` is not an object")
    authorization = payload.get("authorization")
    if not isinstance(authorization, dict):
        raise MalformedHeader("`payload.authorization` is not an object")
    _require_text(payload, "signature", SIGNATURE)
    named: Mapping[str, Any] = offer if offer is not None else document
    return Payment(
        version=version,
        scheme=str(named.get("scheme", ""))[:40],
        network=str(named.get("network", ""))[:40],
        payer=_require_text(authorization, "from", ADDRESS).lower(),
        payee=_require_text(authorization, "to", ADDRESS).lower(),
        value=_require_whole_number(authorization, "value"),
        valid_after=_require_whole_number(authorization, "validAfter"),
        valid_before=_require_whole_number(authorization, "validBefore"),
        nonce=_require_text(authorization, "nonce", NONCE).lower(),
        offer=offer,
        # only what was checked goes on to a facilitator
        payload={"signature": payload["signature"], "authorization": dict(authorization)},
    )


def _require_text(fields: Mapping[str, Any], name: str, pattern: re.Pattern[str]) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise MalformedHeader(f"`{name}` has an invalid form")
    return value


def _require_whole_number(fields: Mapping[str, Any], name: str) -> int:
    number = int(_require_text(fields, name, WHOLE))
    if number > LARGEST:
        raise MalformedHeader(f"`{name}` has an invalid form")
    return number
