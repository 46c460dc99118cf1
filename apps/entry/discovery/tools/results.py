"""What an agent is told of a call: the answer, what is to be paid, or the problem to mend."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

from apps.entry.discovery.tools import payments
from apps.entry.discovery.tools.api_client import ApiResponse
from apps.platform.common.problems import PAYMENT_REQUIRED
from apps.platform.common.problems import problem_document as problem

# what a 402 tells beside what x402 has a place for
PROBLEM_FIELDS = ("code", "detail", "reportPreview")


def build_call_result(answered: ApiResponse, tool: str) -> CallToolResult:
    """Return the result of a call as the web workers answered it."""
    told: dict[str, Any] = {}
    if receipt := payments.parse_receipt(answered.headers):
        told[payments.RECEIPT] = receipt
    if answered.headers.get("Idempotent-Replayed"):
        told["idempotentReplayed"] = True
    if answered.document is not None and 200 <= answered.status < 300:
        return _build_result(answered.document, meta=told)
    if answered.status == PAYMENT_REQUIRED:
        payment_required = payments.parse_payment_required(answered.headers, tool)
        if payment_required is not None:
            return _build_payment_result(payment_required, answered, told)
    return _build_result(_get_problem(answered), meta=told, failed=True)


def build_refusal_result(document: Mapping[str, Any]) -> CallToolResult:
    """Return the result of a call that was not sent on."""
    return _build_result(dict(document), failed=True)


def _build_payment_result(
    asked: dict[str, Any], answered: ApiResponse, told: dict[str, Any]
) -> CallToolResult:
    """Return what x402 says of a call that is to be paid for; a second text has the problem."""
    if payments.RECEIPT in told:
        asked = asked | {payments.RECEIPT: told[payments.RECEIPT]}
    document = answered.document or {}
    beside: dict[str, Any] = {name: document[name] for name in PROBLEM_FIELDS if name in document}
    return _build_result(asked, meta=told, failed=True, beside=beside)


def _get_problem(answered: ApiResponse) -> dict[str, Any]:
    """Return the problem document, with the seconds to wait; of what is none, one of ours."""
    found = answered.document
    if found is None or "code" not in found:
        detail = "The platform returned no usable answer."
        found = problem(status=503, code="unavailable", title="Not available now", detail=detail)
    waits = answered.headers.get("Retry-After", "")
    return found | ({"retryAfter": int(waits)} if waits.isdigit() else {})


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
