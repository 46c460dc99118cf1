"""The MCP server itself: which tools there are, and what a call of one comes to."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from django.conf import settings
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp_types import Tool as Told
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from apps.access import limits, relaying
from apps.core.hosts import service_of_host
from apps.discovery.tools import answering, paying
from apps.discovery.tools.calling import Refused, Workers, request_of
from apps.discovery.tools.guarding import HEALTH, PATH, ROOM, Guard, security
from apps.discovery.tools.shapes import Tool, all_tools
from apps.paywall.x402.payment import HEADERS as PAID
from apps.paywall.x402.wire import Malformed

NAME, TITLE, VERSION = "compliance-oracle", "Compliance Oracle", "1.0.0"
# who calls, as the gates of the rows look for it; a call has each once
CREDENTIALS = (
    "Authorization",
    "X-API-Key",
    "X-Agent-Credential",
    "X-Stream-Session",
    *PAID.values(),
)
INSTRUCTIONS = (
    "Each tool is one call of the platform's API, under the same keys, limits, caps and records. "
    "Send a key as a header of this connection: X-API-Key, or Authorization: Bearer for those of "
    "institutions. Pay per call by x402: a call without a payment says what it asks; call again "
    "with the payment in `_meta` as `x402/payment`, and find the receipt in `_meta` of the result. "
    "An error has `code` to switch on, `detail` to show, `errors` with the fields to mend, and "
    "`retryAfter` where waiting helps. Give calls that make something an `idempotencyKey`: the "
    "same call again then happens once."
)


class Tools:
    """Lists tools and calls them; all that it keeps is the table of tools."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self.told = [told(tool) for tool in tools.values()]

    async def listed(
        self, context: ServerRequestContext[Workers, Request], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """Return all tools: the list is the same for everybody."""
        return ListToolsResult(tools=self.told)

    async def called(
        self, context: ServerRequestContext[Workers, Request], params: CallToolRequestParams
    ) -> CallToolResult:
        """Send a call on, and return what came of it; MCPError for a tool that there is not."""
        tool, request = self.tools.get(params.name), context.request
        if tool is None or request is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:80]!r}.")
        try:
            sent = request_of(tool, params.arguments or {})
            headers = headers_of(request, dict(context.meta or {}))
            return answering.result_of(
                await context.lifespan_context.call(sent, headers), tool.name
            )
        except Refused as refused:
            return answering.refusal(refused.document)


def told(tool: Tool) -> Told:
    """Return a tool as the protocol tells it."""
    return Told(
        name=tool.name,
        title=tool.row.summary,
        description=tool.about,
        input_schema=tool.takes,
        output_schema=tool.gives,
        annotations=ToolAnnotations(
            read_only_hint=tool.reads,
            idempotent_hint=tool.repeats,
            destructive_hint=tool.pays_out,
        ),
    )


def headers_of(request: Request, meta: Mapping[str, Any]) -> dict[str, str]:
    """Return what a call carries of its caller: credentials, payment, address and host.

    Refused (400) for a credential that came twice: which of them was meant?
    """
    found = {}
    for name in CREDENTIALS:
        values = request.headers.getlist(name)
        if len(values) > 1:
            raise Refused(400, "invalid_request", "The request is not valid",
                          "This header came more than once.", name)  # fmt: skip
        if values:
            found[name] = _plain(name, values[0])
    try:
        paid = paying.header_of(meta)
    except Malformed as error:
        detail = f"The payment cannot be read: {error}."
        raise Refused(400, "malformed_payment", "The payment cannot be read", detail) from None
    if paid:  # the payment of this call stands before one of the connection
        found = {name: one for name, one in found.items() if name not in PAID.values()} | paid
    return found | _from(request)


def _plain(name: str, value: str) -> str:
    """Return a credential as it came; Refused (400) for one that no request can carry on."""
    if not (value.isascii() and value.isprintable()):
        raise Refused(400, "invalid_request", "The request is not valid",
                      "This header holds other characters than printable ASCII.", name)  # fmt: skip
    return value


def _from(request: Request) -> dict[str, str]:
    """Return for whom the call is made, and by which name the site is known to them."""
    peer = request.client.host if request.client else ""
    address = limits.behind_proxies(peer, request.headers.get("X-Forwarded-For", ""))
    found = {relaying.HEADER: relaying.told(address), "Host": _host(request)}
    if request.headers.get("X-Forwarded-Proto") == "https":
        found["X-Forwarded-Proto"] = "https"
    return found


def _host(request: Request) -> str:
    """Return the host for the web workers: never that of a service alone, or our own port."""
    host = request.headers.get("Host", "")
    if service_of_host(host) is not None:
        plain = [name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))]
        host = next((name for name in plain if service_of_host(name) is None), host)
    own = f":{settings.MCP_PORT}"
    return f"{host.removesuffix(own)}:{settings.PORT}" if host.endswith(own) else host


@asynccontextmanager
async def _calling(server: Server[Any]) -> AsyncIterator[Workers]:
    workers = Workers(settings.MCP_API_URL)
    try:
        yield workers
    finally:
        await workers.close()


def application() -> ASGIApp:
    """Return the whole server as an ASGI application; KeyError for a tool without an endpoint."""
    tools = all_tools()
    served = Tools(tools)
    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=INSTRUCTIONS,
        lifespan=_calling,
        get_tool_input_schema=lambda name: tools[name].takes if name in tools else None,
        on_list_tools=served.listed,
        on_call_tool=served.called,
    )
    server.middleware.clear()  # of tracing, which nothing here exports
    most = max(tool.row.max_body or settings.API_MAX_BODY for tool in tools.values()) + ROOM

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "tools": len(tools)})

    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=most,
        transport_security=security(settings.ALLOWED_HOSTS, settings.MCP_PORT),
        custom_starlette_routes=[Route(HEALTH, health)],
    )
    return Guard(app, most)
