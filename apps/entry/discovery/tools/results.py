"""Results for agents: the answer, the payment required, or the problem to fix."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

from apps.entry.discovery.tools import payments
from apps.entry.discovery.tools.api_client import ApiResponse
from apps.platform.common.problems import PAYMENT_REQUIRED, Unavailable

# members of a 402 for which x402 has no place
PROBLEM_FIELDS = ("code", "detail", "reportPreview")


def build_call_result(answered: ApiResponse, tool: str) -> CallToolResult:
    """Return the result of a call as the web workers answered it."""
    meta: dict[str, Any] = {}
    if receipt := payments.parse_receipt(answered.headers):
        meta[payments.RECEIPT] = receipt
    if answered.headers.get("Idempotent-Replayed"):
        meta["idempotentReplayed"] = True
    if answered.document is not None and 200 <= answered.status < 300:
        return _build_result(answered.document, meta=meta)
    if answered.status == PAYMENT_REQUIRED:
        payment_required = payments.parse_payment_required(answered.headers, tool)
        if payment_required is not None:
            return _build_payment_result(payment_required, answered, meta)
    # a proxy's page, or a redirect: agents get a problem that they can act on
    document = answered.document
    if document is None or "code" not in document:
        document = Unavailable("The platform returned no usable answer.").document
    waits = answered.headers.get("Retry-After", "")
    problem = document | ({"retryAfter": int(waits)} if waits.isdigit() else {})
    return _build_result(problem, meta=meta, failed=True)


def build_refusal_result(document: Mapping[str, Any]) -> CallToolResult:
    """Return the result of a call that was not sent on."""
    return _build_result(dict(document), failed=True)


def _build_payment_result(
    asked: dict[str, Any], answered: ApiResponse, meta: dict[str, Any]
) -> CallToolResult:
    """Return the x402 terms of a call that must be paid for; a second text has the problem."""
    # a payment that failed has a receipt as well, with the reason
    if payments.RECEIPT in meta:
        asked = asked | {payments.RECEIPT: meta[payments.RECEIPT]}
    document = answered.document or {}
    beside: dict[str, Any] = {name: document[name] for name in PROBLEM_FIELDS if name in document}
    return _build_result(asked, meta=meta, failed=True, beside=beside)


def _build_result(
    document: dict[str, Any],
    *,
    meta: dict[str, Any] | None = None,
    failed: bool = False,
    beside: dict[str, Any] | None = None,
) -> CallToolResult:
    texts = [document, *([beside] if beside else [])]
    content: list[Any] = [
        TextContent(type="text", text=json.dumps(text, ensure_ascii=False)) for text in texts
    ]
    return CallToolResult(
        content=content, structured_content=document, is_error=failed, _meta=meta or None
    )
