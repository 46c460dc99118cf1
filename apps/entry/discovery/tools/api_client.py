"""One call of a tool becomes one call of its row at the web workers."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

from apps.entry.discovery.tools.tool_schemas import KEY, Tool
from apps.platform.common.problems import DomainError

# an id in a path: without slashes, dots at its beginning or percent signs, it cannot lead to
# another address
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~:-]{0,199}")
MOST_ASKED = 8000  # characters of a query: web workers read no longer line
MOST_ANSWERED = 8 * 1024 * 1024  # bytes
# seconds to connect, between two parts of an answer, and for a free connection
CONNECTS, ANSWERS, WAITS = 3.0, 55.0, 10.0
CONNECTIONS = 64  # at the same time
AGAIN = 5  # seconds after which an agent may call again


class CallRefused(Exception):
    """A call that is not forwarded; `document` is the problem returned to the caller."""

    def __init__(self, status: int, code: str, title: str, detail: str, name: str = "") -> None:
        super().__init__(detail)
        errors = [{"field": name, "message": detail}] if name else []
        refusal = DomainError(detail, status=status, code=code, title=title, errors=errors)
        self.document = refusal.document


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request to the web workers: `headers` without those of the caller, `content` as JSON."""

    method: str
    path: str
    content: bytes | None
    headers: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """What the web workers answered; `document` is None for what is no JSON object."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    document: dict[str, Any] | None = field(repr=False)


def build_api_request(tool: Tool, arguments: Mapping[str, Any]) -> ApiRequest:
    """Return the request of a call; CallRefused for arguments that no request can carry."""
    row, left = tool.row, dict(arguments)
    headers = {"Accept": "application/json"}
    if tool.keyed and (key := left.pop(KEY, None)) is not None:
        if not (isinstance(key, str) and re.fullmatch(r"[ -~]{1,255}", key)):
            raise _build_invalid_error(KEY, "This must be 1 to 255 printable ASCII characters.")
        headers["Idempotency-Key"] = key
    path = f"/{row.service}{row.address}"
    for name in row.path_parameters:
        path = path.replace(f"{{{name}}}", _format_path_id(name, left.pop(name, None)))
    if row.has_body:
        headers["Content-Type"] = "application/json"
        return ApiRequest(row.method, path, _encode_body(left), headers)
    query = urlencode(
        {
            name: _format_query_value(name, value)
            for name, value in left.items()
            if value is not None
        }
    )
    if len(query) > MOST_ASKED:
        raise _build_invalid_error("arguments", f"Longer than {MOST_ASKED} characters.")
    return ApiRequest(row.method, f"{path}?{query}" if query else path, None, headers)


def _encode_body(values: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(values, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, UnicodeEncodeError):
        raise _build_invalid_error("arguments", "This is not JSON.") from None


def _build_invalid_error(name: str, detail: str) -> CallRefused:
    return CallRefused(400, "invalid_request", "The request is not valid", detail, name)


def _format_path_id(name: str, value: Any) -> str:
    if value is None:
        raise _build_invalid_error(name, "This field is required.")
    if not (isinstance(value, str) and ID.fullmatch(value)):
        raise _build_invalid_error(name, "This has the wrong format.")
    return quote(value, safe="")


def _format_query_value(name: str, value: Any) -> str:
    """Return a value as a query carries it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    raise _build_invalid_error(name, "This must be a string, a number or true or false.")


class ApiClient:
    """Calls of the web workers over persistent connections; one client for the whole process."""

    def __init__(self, base: str) -> None:
        # Web workers close idle connections after 2 s (config/gunicorn.py). Ours end before that,
        # so that no call is sent into one that is being closed. `trust_env`: neither proxies nor
        # credentials of the environment apply.
        self._client = httpx2.AsyncClient(
            base_url=base,
            timeout=httpx2.Timeout(ANSWERS, connect=CONNECTS, pool=WAITS),
            limits=httpx2.Limits(max_connections=CONNECTIONS, keepalive_expiry=1.5),
            follow_redirects=False,
            trust_env=False,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def call(self, sent: ApiRequest, headers: Mapping[str, str]) -> ApiResponse:
        """Send a request with the caller's headers; CallRefused without a complete answer."""
        all_headers = {**sent.headers, **headers}
        try:
            async with self._client.stream(
                sent.method, sent.path, content=sent.content, headers=all_headers
            ) as response:
                return ApiResponse(
                    response.status_code, response.headers, await _read_document(response)
                )
        # only these are certain to have sent nothing: a call that moves money must not be said to
        # have failed when its outcome is not known
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            raise _build_unavailable_error("Nothing was sent. Call again later.") from None
        except httpx2.HTTPError:
            detail = "No complete answer arrived, so the outcome of the call is not known. "
            detail += "Call again with the same arguments, payment and idempotencyKey."
            raise _build_unavailable_error(detail) from None


def _build_unavailable_error(detail: str) -> CallRefused:
    refused = CallRefused(503, "unavailable", "Not available now", detail)
    refused.document["retryAfter"] = AGAIN
    return refused


async def _read_document(response: httpx2.Response) -> dict[str, Any] | None:
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > MOST_ANSWERED:
            raise _build_unavailable_error("The answer is too large for a tool.")
    try:
        document = json.loads(content)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None
