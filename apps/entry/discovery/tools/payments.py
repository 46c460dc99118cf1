"""Payments of tool calls: x402 over MCP (its specification, transports-v2/mcp.md).

A payment arrives as an object in `_meta` and is forwarded as the header of its version; payment
requirements and receipts arrive as headers and are returned as objects. Nothing is verified here:
only the web workers verify and settle payments.
"""

from collections.abc import Mapping
from typing import Any

from apps.access.paywall.x402.headers import LONGEST, MalformedHeader, decode_header, encode_header
from apps.access.paywall.x402.payment_parser import HEADERS, RECEIPTS

PAYMENT, RECEIPT = "x402/payment", "x402/payment-response"
ASKED = "PAYMENT-REQUIRED"


def build_payment_header(meta: Mapping[str, Any]) -> dict[str, str]:
    """Return the header that forwards the payment of a call, {} if it has none.

    Raises MalformedHeader for one that is not an object of a known version, or far too long.
    """
    sent = meta.get(PAYMENT)
    if sent is None:
        return {}
    version = sent.get("x402Version") if isinstance(sent, Mapping) else None
    # `type`, because True equals 1
    if type(version) is not int or version not in HEADERS:
        raise MalformedHeader("it is not an object with `x402Version` 1 or 2")
    try:
        value = encode_header(sent)
    except (TypeError, ValueError):
        raise MalformedHeader("it is not JSON") from None
    if len(value) > LONGEST:
        raise MalformedHeader(f"it is longer than {LONGEST} characters")
    return {HEADERS[version]: value}


def parse_payment_required(headers: Mapping[str, str], tool: str) -> dict[str, Any] | None:
    """Return the payment requirements of a 402 in the form of version 2; None if it has none."""
    document = _decode_document(headers.get(ASKED, ""))
    if document is None:
        return None
    # the agent buys a tool call and does not know the address at the web workers
    resource = document.get("resource") or {}
    return document | {"resource": {**resource, "url": f"mcp://tool/{tool}"}}


def parse_receipt(headers: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the payer's receipt of a settlement; None if nothing was paid."""
    sent = (headers.get(name, "") for name in RECEIPTS.values())
    return next((document for value in sent if (document := _decode_document(value))), None)


def _decode_document(value: str) -> dict[str, Any] | None:
    try:
        return decode_header(value) if value else None
    except MalformedHeader:
        return None
