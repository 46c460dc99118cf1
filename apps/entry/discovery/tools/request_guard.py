"""Guard the protocol: decide which requests are read at all.

Bodies are bounded, must arrive in time, and are JSON as the API accepts it: duplicate keys or
unlimited nesting are refused before anything else parses them. Only POST is answered: there are no
sessions, so no stream of one can be opened and held.
"""

from collections.abc import Iterable

import anyio
from django.conf import settings
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from apps.platform.common.strict_json import MalformedJson, parse_json

PATH, HEALTH = "/mcp", "/mcp/health"
SECONDS = 15.0  # for a whole body
PARSE_ERROR = -32700  # JSON-RPC 2.0 section 5.1
ROOM = 64 * 1024  # bytes of the JSON-RPC envelope around the arguments of a call


def build_transport_security(hosts: Iterable[str], port: int) -> TransportSecuritySettings:
    """Return which hosts and origins are answered, by the names in ALLOWED_HOSTS."""
    # DNS rebinding: a page of another site could point its own name at this server and call it from
    # the visitor's browser. Names with a wildcard cannot be compared exactly and are left out; `*`
    # ends the check, as it does for the web workers.
    names = [name for name in hosts if not name.startswith((".", "*"))]
    if "*" in hosts:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    schemes = ("https",) if settings.PRODUCTION else ("http", "https")
    return TransportSecuritySettings(
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{form}"
            for scheme in schemes
            for name in names
            for form in (name, f"{name}:*")
        ],
    )


class RequestGuard:
    """Read a request completely, check its form, and pass it to the protocol."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app, self.most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; lifespan messages and other paths are passed on."""
        if scope["type"] != "http" or scope["path"].removesuffix("/") != PATH:
            await self.app(scope, receive, send)
            return
        # some hosts of agents add a slash to the address
        scope = {**scope, "path": PATH, "raw_path": PATH.encode()}
        if scope["method"] != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        # of two headers, only one would be checked
        names = [name for name, _ in scope["headers"]]
        if any(names.count(name) > 1 for name in (b"host", b"origin")):
            await _build_refusal(400, "Host or Origin was sent more than once.")(
                scope, receive, send
            )
            return
        try:
            with anyio.fail_after(SECONDS):
                body = await self._body(receive)
        except TimeoutError:
            await _build_refusal(408, "The body did not arrive in time.")(scope, receive, send)
            return
        refusal = _find_body_refusal(body)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self.app(scope, _replay_body(body or b"", receive), send)

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the body, None for one that is too large; a client that hangs up ends it."""
        content = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(content)
            content += message.get("body", b"")
            if len(content) > self.most:
                return None
            if not message.get("more_body", False):
                return bytes(content)


def _find_body_refusal(body: bytes | None) -> Response | None:
    if body is None:
        return _build_refusal(413, "The body is too large.")
    try:
        message = parse_json(body)
    except MalformedJson as error:
        return _build_refusal(400, error.detail)
    if isinstance(message, list):
        return _build_refusal(400, "Send one message at a time: batches are not supported.")
    return None


def _build_refusal(status: int, detail: str) -> Response:
    error = {"code": PARSE_ERROR, "message": detail}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, status_code=status)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives the body again, and then whatever else comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed
