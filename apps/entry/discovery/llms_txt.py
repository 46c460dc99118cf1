"""llms.txt and llms-full.txt of a service (document 3 section 4).

They are generated from its operations and its OpenAPI document. `base` is the address before the
paths of the service, `mcp` the address of the MCP server, empty if none runs.
"""

import inspect
import json
import shlex
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from apps.access.keys.authentication import list_key_headers
from apps.entry.discovery import schema_text
from apps.entry.discovery.callable_operations import list_tools
from apps.platform.api.operations import Operation
from apps.platform.api.routers import operations_of_service
from apps.platform.api.schema import openapi_document
from config.prices import MICRO, Bucket, Unit
from config.services import SERVICES

INDEX, FULL, PLUGIN = "llms.txt", "llms-full.txt", ".well-known/ai-plugin.json"
DOCUMENTS = {
    "openapi.json": "OpenAPI 3.0, with every shape, problem and header",
    "docs": "the same as a web page",
    FULL: "every endpoint with parameters, answer and an example that can be run",
    ".well-known/x402": "what can be paid for per call, and its price",
    ".well-known/agent-card.json": "the same calls as skills of an agent (A2A), signed",
    ".well-known/jwks.json": "the keys of that signature",
}
MCP = (
    "An MCP server (streamable HTTP) at {mcp} offers calls as tools, under the same keys, limits "
    "and payments: send a key as a header of the connection, and a payment by x402 in `_meta`, as "
    "`x402/payment`."
)
ERRORS = (
    "Errors are `application/problem+json` (RFC 9457): switch on `code`, show `detail`; a 400 "
    "names the fields in `errors`. 429 and 503 say in `Retry-After` how many seconds to wait."
)


def build_llms_txt(*, service: str, base: str, mcp: str) -> str:
    """Return llms.txt: what the service is, and a line for each endpoint and document."""
    service_row = SERVICES[service]
    lines = [*_build_heading(service, base), "## Endpoints", ""]
    lines += [
        f"- [{row.method} {row.address}]({base}{row.address}): {row.summary}"
        for row in operations_of_service(service)
    ]
    lines += _list_tool_lines(service, mcp)
    lines += ["", "## Documents", ""]
    lines += [f"- [{service_row.title}: {name}]({base}/{name}): {about}"
              for name, about in DOCUMENTS.items()]  # fmt: skip
    return "\n".join(lines) + "\n"


def _list_tool_lines(service: str, mcp: str) -> list[str]:
    named = list_tools(service)
    if not (mcp and named):
        return []
    lines = [f"- `{name}`: {row.summary}" for name, row in named.items()]
    return ["", "## Tools", "", MCP.format(mcp=mcp), "", *lines]


def build_site_llms_txt(*, site: str, mcp: str) -> str:
    """Return llms.txt of the whole site: its services with their documents, and all tools."""
    lines = [
        "# Compliance Oracle",
        "",
        "> Whether a payment may be made, what it costs, and what must be reported.",
        "",
        f"Each service has its own API below {site}. {ERRORS}",
        "",
        "## Services",
        "",
    ]
    for name, service in SERVICES.items():
        text = " ".join(inspect.cleandoc(service.about).split())
        lines.append(f"- [{service.title}]({site}/{name}/{INDEX}): {text}")
    lines += _list_tool_lines("", mcp)
    lines += ["", "## Documents", ""]
    lines += [f"- [All services: {name}]({site}/{name}): {about}"
              for name, about in DOCUMENTS.items() if name.startswith(".")]  # fmt: skip
    return "\n".join(lines) + "\n"


def _build_heading(service: str, base: str) -> list[str]:
    row = SERVICES[service]
    text = " ".join(inspect.cleandoc(row.about).split())
    return [
        f"# {row.title}",
        "",
        f"> {text}",
        "",
        f"Version {row.version}. Paths are below {base}. {ERRORS}",
        "",
    ]


def build_full_llms_txt(*, service: str, base: str) -> str:
    """Return llms-full.txt: each endpoint with parameters, example, answer and problems."""
    described = openapi_document(service, "")
    lines = _build_heading(service, base)
    for row in operations_of_service(service):
        operation = described["paths"][row.address][row.method.lower()]
        lines += _describe_endpoint(row, operation, described["components"], base)
    return "\n".join(lines).rstrip() + "\n"


def _describe_endpoint(
    row: Operation, operation: dict[str, Any], components: dict[str, Any], base: str
) -> Iterator[str]:
    yield from (
        f"## {row.method} {row.address}",
        "",
        row.description,
        "",
        describe_access(row),
        "",
    )
    parameters = list(schema_text.describe_parameters(operation, components))
    yield from (("Parameters:", "", *parameters, "") if parameters else ())
    yield from ("Example:", "", "```sh", build_curl_example(row, base), "```", "", "Answer:", "")
    yield from schema_text.describe_answer(operation, components)
    yield from ("", "Problems:", "")
    for status, response in sorted(operation["responses"].items()):
        if "application/problem+json" in response["content"]:
            yield f"- {status}: {response['description']}"
    yield ""


def describe_access(row: Operation) -> str:
    """Say in a sentence which credentials a call requires."""
    access = row.access
    kinds = "/".join(access.keys).lower()
    article = "an" if kinds[:1] in "aeiou" else "a"
    ways = [f"{article} {kinds} key in {_get_key_header(row)}"] if kinds else []
    ways += [_describe_payment(access.beside)] if access.pays else []
    ways += ["a stream session in X-Stream-Session"] if access.session or access.pays else []
    ways += ["the agent's secret in Authorization"] if access.agent else []
    ways += ["a payment to prove the payer (x402)"] if access.payer else []
    return f"Requires {' or '.join(ways)}." if ways else "Requires no key."


def describe_cost(row: Operation) -> str:
    """Say in a sentence what a call costs, by the prices of config/prices.py."""
    price, parts = row.access.price, []
    if isinstance(price, Bucket):
        parts.append(
            f"{_format_usdc(price.paid)} to {_format_usdc(price.most)} USDC by x402, as requested"
        )
    elif price is not None and price.paid is not None and row.access.pays:
        parts.append(f"{_format_usdc(price.paid)} USDC by x402")
    if isinstance(price, Unit) and price.tiers and row.access.keys:
        first, last = price.tiers[0].price, price.tiers[-1].price
        down = f", down to {last:f} USD with the calls of a month" if last != first else ""
        parts.append(f"{first:f} USD by key{down}")
    return f"A call costs {' or '.join(parts)}." if parts else "A call costs nothing."


def _format_usdc(micro: int) -> str:
    """Return micro-units of USDC as an amount, without zeros at its end."""
    return f"{(Decimal(micro) / MICRO).normalize():f}"


def _describe_payment(beside: tuple[str, ...]) -> str:
    """Say that a call is paid for, and which key may come with the payment."""
    if not beside:
        return "a payment (x402)"
    kinds, headers = "/".join(beside).lower(), " or ".join(list_key_headers(beside))
    return f"a payment (x402), which may come with the {kinds} key in {headers}"


def _get_key_header(row: Operation) -> str:
    key_headers: list[str] = list_key_headers(row.access.keys)
    return " or ".join(key_headers)


def build_curl_example(row: Operation, base: str) -> str:
    """Return the call of a row with its example, as a shell command.

    `$KEY` is a placeholder for the caller's credentials, `$NAME` for an id from an earlier call.
    """
    path = row.address
    for name, path_parameter in row.path_parameters.items():
        path = path.replace(f"{{{name}}}", path_parameter.example or f"${name.upper()}")
    query = f"?{urlencode(_format_query_values(row))}" if row.example and not row.has_body else ""
    parts = ["curl -sS"]
    parts += [f"-X {row.method}"] if row.method != "GET" else []
    address = base + path + query
    # in double quotes the shell fills in the placeholders; in single ones nothing is expanded
    parts += [f'"{address}"' if "$" in path else shlex.quote(address)]
    if row.access.keys:
        header = list_key_headers(row.access.keys)[0]
        value = "Bearer $KEY" if header == "Authorization" else "$KEY"
        parts += [f'-H "{header}: {value}"']
    if row.has_body:
        sent = shlex.quote(json.dumps(dict(row.example), ensure_ascii=False))
        parts += ["-H 'Content-Type: application/json'", f"-d {sent}"]
    return " ".join(parts)


def _format_query_values(row: Operation) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in row.example.items()
    }
