"""What an agent is told of a call: the answer, what is to be paid, or the problem to mend."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent

from apps.core.problems import PAYMENT_REQUIRED
from apps.core.problems import body as problem
from apps.discovery.tools import paying
from apps.discovery.tools.calling import Answered

# what a 402 tells beside what x402 has a place for
BESIDE = ("code", "detail", "reportPreview")


def result_of(answered: Answered, tool: str) -> CallToolResult:
    """Return the result of a call as the web workers answered it."""
    told = _told(answered)
    if answered.document is not None and 200 <= answered.status < 300:
        return _result(answered.document, meta=told)
    if answered.status == PAYMENT_REQUIRED:
        asked = paying.asked(answered.headers, tool)
        if asked is not None:
            return _asking(asked, answered, told)
    return _result(_problem(answered), meta=told, failed=True)


def refusal(document: Mapping[str, Any]) -> CallToolResult:
    """Return the result of a call that was not sent on."""
    return _result(dict(document), failed=True)


def _told(answered: Answered) -> dict[str, Any]:
    """Return what stands beside an answer: the receipt, and whether it was told before."""
    found: dict[str, Any] = {}
    if receipt := paying.receipt(answered.headers):
        found[paying.RECEIPT] = receipt
    if answered.headers.get("Idempotent-Replayed"):
        found["idempotentReplayed"] = True
    return found


def _asking(asked: dict[str, Any], answered: Answered, told: dict[str, Any]) -> CallToolResult:
    """Return what x402 says of a call that is to be paid for; a second text has the problem."""
    if paying.RECEIPT in told:
        asked = asked | {paying.RECEIPT: told[paying.RECEIPT]}
    known = answered.document or {}
    beside: dict[str, Any] = {name: known[name] for name in BESIDE if name in known}
    return _result(asked, meta=told, failed=True, beside=beside)


def _problem(answered: Answered) -> dict[str, Any]:
    """Return the problem document, with the seconds to wait; of what is none, one of ours."""
    found = answered.document
    if found is None or "code" not in found:
        detail = "The platform gave no answer that can be told."
        found = problem(status=503, code="unavailable", title="Not available now", detail=detail)
    waits = answered.headers.get("Retry-After", "")
    return found | ({"retryAfter": int(waits)} if waits.isdigit() else {})


def _result(
    document: dict[str, Any],
    *,
    meta: dict[str, Any] | None = None,
    failed: bool = False,
    beside: dict[str, Any] | None = None,
) -> CallToolResult:
    texts = [document, *([beside] if beside else [])]
    content: list[Any] = [
        TextContent(type="text", text=json.dumps(one, ensure_ascii=False)) for one in texts
    ]
    return CallToolResult(
        content=content, structured_content=document, is_error=failed, _meta=meta or None
    )
