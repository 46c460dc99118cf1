"""The MCP server itself: its tools, and how a call of one is answered."""

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
from mcp_types import Tool as McpTool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from apps.access.keys import client_address
from apps.access.paywall.x402.headers import MalformedHeader
from apps.access.paywall.x402.payment_parser import HEADERS as PAYMENT_HEADERS
from apps.entry.discovery.tools import payments, results
from apps.entry.discovery.tools.api_client import ApiClient, CallRefused, build_api_request
from apps.entry.discovery.tools.request_guard import (
    HEALTH,
    PATH,
    ROOM,
    RequestGuard,
    build_transport_security,
)
from apps.entry.discovery.tools.tool_schemas import Tool, index_tools_by_name, load_tools
from apps.platform.common.service_hosts import service_of_host

NAME, TITLE, VERSION = "compliance-oracle", "Compliance Oracle", "1.0.0"
# headers in which the authentication classes look for credentials; a call has each at most once
CREDENTIALS = (
    "Authorization",
    "X-API-Key",
    "X-Agent-Credential",
    "X-Stream-Session",
    *PAYMENT_HEADERS.values(),
)
INSTRUCTIONS = (
    "Each tool is one call of the platform's API, under the same keys, limits, caps and records. "
    "Send a key as a header of this connection: X-API-Key, or Authorization: Bearer for those of "
    "institutions. Pay per call by x402: a call without a payment returns the price; call again "
    "with the payment in `_meta` as `x402/payment`, and find the receipt in `_meta` of the "
    "result. An error has `code` to switch on, `detail` to show, `errors` with the fields to "
    "correct, and `retryAfter` if waiting helps. Send an `idempotencyKey` with calls that create "
    "something: the same call again then takes effect once."
)


class ToolServer:
    """List tools and call them; it keeps no state but the table of tools."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = index_tools_by_name(tools)
        self.listed_tools = [describe_tool(tool) for tool in tools.values()]

    async def listed(
        self,
        context: ServerRequestContext[ApiClient, Request],
        params: PaginatedRequestParams | None,
    ) -> ListToolsResult:
        """Return all tools: the list is the same for everybody."""
        return ListToolsResult(tools=self.listed_tools)

    async def called(
        self, context: ServerRequestContext[ApiClient, Request], params: CallToolRequestParams
    ) -> CallToolResult:
        """Forward a call and return its result; MCPError for an unknown tool."""
        tool, request = self.tools.get(params.name), context.request
        if tool is None or request is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name[:80]!r}.")
        try:
            api_request = build_api_request(tool, params.arguments or {})
            headers = collect_caller_headers(request, dict(context.meta or {}))
            return results.build_call_result(
                await context.lifespan_context.call(api_request, headers), params.name
            )
        except CallRefused as refused:
            return results.build_refusal_result(refused.document)


def describe_tool(tool: Tool) -> McpTool:
    """Return a tool as the protocol describes it."""
    return McpTool(
        name=tool.listed_name,
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


def collect_caller_headers(request: Request, meta: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that identify a call's caller: credentials, payment, address and host.

    CallRefused (400) for a credential that came twice, and for a payment that cannot be read.
    """
    caller_headers = {}
    for name in CREDENTIALS:
        values = request.headers.getlist(name)
        if len(values) > 1:
            raise CallRefused(400, "invalid_request", "The request is not valid",
                          "This header was sent more than once.", name)  # fmt: skip
        if values:
            caller_headers[name] = _check_credential(name, values[0])
    try:
        paid = payments.build_payment_header(meta)
    except MalformedHeader as error:
        detail = f"The payment cannot be read: {error}."
        raise CallRefused(400, "malformed_payment", "The payment cannot be read", detail) from None
    if paid:  # the payment of this call takes precedence over one of the connection
        caller_headers = {
            name: value
            for name, value in caller_headers.items()
            if name not in PAYMENT_HEADERS.values()
        } | paid
    # The web workers see this process as their client. It tells them the caller's address, signed
    # with RELAY_KEY, so that limits by address apply to the caller.
    peer = request.client.host if request.client else ""
    address = client_address.find_client_behind_proxies(
        peer, request.headers.get("X-Forwarded-For", "")
    )
    origin_headers = {
        client_address.HEADER: client_address.sign_relayed_address(address),
        "Host": _choose_host(request),
    }
    if request.headers.get("X-Forwarded-Proto") == "https":
        origin_headers["X-Forwarded-Proto"] = "https"
    return caller_headers | origin_headers


def _check_credential(name: str, value: str) -> str:
    """Return a credential as it came; CallRefused (400) for one that no request can carry on."""
    if not (value.isascii() and value.isprintable()):
        raise CallRefused(400, "invalid_request", "The request is not valid",
                      "This header may contain only printable ASCII characters.", name)  # fmt: skip
    return value


def _choose_host(request: Request) -> str:
    """Return the Host header for the web workers."""
    # never the host of a single service, under which other services' paths do not exist
    host = request.headers.get("Host", "")
    if service_of_host(host) is not None:
        plain = [name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))]
        host = next((name for name in plain if service_of_host(name) is None), host)
    # nor with our own port: addresses in answers are built from it
    own = f":{settings.MCP_PORT}"
    return f"{host.removesuffix(own)}:{settings.PORT}" if host.endswith(own) else host


@asynccontextmanager
async def _open_api_client(server: Server[Any]) -> AsyncIterator[ApiClient]:
    workers = ApiClient(settings.MCP_API_URL)
    try:
        yield workers
    finally:
        await workers.close()


def build_application() -> ASGIApp:
    """Return the whole server as an ASGI application; KeyError for a tool without an endpoint."""
    tools = load_tools()
    served = ToolServer(tools)
    server: Server[Any] = Server(
        NAME,
        version=VERSION,
        title=TITLE,
        instructions=INSTRUCTIONS,
        lifespan=_open_api_client,
        get_tool_input_schema=lambda name: (
            served.tools[name].takes if name in served.tools else None
        ),
        on_list_tools=served.listed,
        on_call_tool=served.called,
    )
    server.middleware.clear()  # tracing, whose data nothing here exports
    most = max(tool.row.body_limit for tool in tools.values()) + ROOM

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "tools": len(tools)})

    app = server.streamable_http_app(
        streamable_http_path=PATH,
        # any process may answer any call, and none is held open for a stream
        json_response=True,
        stateless_http=True,
        max_request_body_size=most,
        transport_security=build_transport_security(settings.ALLOWED_HOSTS, settings.MCP_PORT),
        custom_starlette_routes=[Route(HEALTH, health)],
    )
    # a redirect would go to whatever the Host header says, and take the caller's key along
    app.router.redirect_slashes = False
    return RequestGuard(app, most)
