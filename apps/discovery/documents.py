"""llms.txt, llms-full.txt and the plugin manifest of a service (document 3 section 4).

Made from the rows of its endpoints and from its OpenAPI document, which is made from the same
rows. Of `base`, the address before the paths of the service, all of them make whole addresses.
"""

import inspect
import json
import shlex
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from apps.access.gates import headers_for
from apps.core.endpoints import Endpoint, rows
from apps.core.openapi import document
from apps.discovery import schemas
from config.services import SERVICES

INDEX, FULL, PLUGIN = "llms.txt", "llms-full.txt", ".well-known/ai-plugin.json"
DOCUMENTS = {
    "openapi.json": "OpenAPI 3.0, with every shape, problem and header",
    "docs": "the same as a page",
    FULL: "every endpoint with parameters, answer and an example that can be run",
}
ERRORS = (
    "Errors are `application/problem+json` (RFC 9457): switch on `code`, show `detail`; a 400 "
    "names the fields in `errors`. 429 and 503 say in `Retry-After` how many seconds to wait."
)
SHORT, LONG = 20, 8000  # what hosts of plugins take of names and descriptions


def plain(row: Endpoint) -> str:
    """Return a row's path with its ids in braces."""
    return "/" + row.path.replace("<str:", "{").replace(">", "}")


def index(*, service: str, base: str) -> str:
    """Return llms.txt: what the service is, and a line for each endpoint and document."""
    found = SERVICES[service]
    lines = [*_head(service, base), "## Endpoints", ""]
    lines += [f"- [{row.method} {plain(row)}]({base}{plain(row)}): {row.summary}"
              for row in rows(service)]  # fmt: skip
    lines += ["", "## Documents", ""]
    lines += [f"- [{found.title}: {name}]({base}/{name}): {about}"
              for name, about in DOCUMENTS.items()]  # fmt: skip
    return "\n".join(lines) + "\n"


def _head(service: str, base: str) -> list[str]:
    found = SERVICES[service]
    told = " ".join(inspect.cleandoc(found.about).split())
    return [
        f"# {found.title}",
        "",
        f"> {told}",
        "",
        f"Version {found.version}. Paths are below {base}. {ERRORS}",
        "",
    ]


def full(*, service: str, base: str) -> str:
    """Return llms-full.txt: each endpoint with parameters, example, answer and problems."""
    described = document(service, "")
    lines = _head(service, base)
    for row in rows(service):
        operation = described["paths"][plain(row)][row.method.lower()]
        lines += _endpoint(row, operation, described["components"], base)
    return "\n".join(lines).rstrip() + "\n"


def _endpoint(
    row: Endpoint, operation: dict[str, Any], components: dict[str, Any], base: str
) -> Iterator[str]:
    yield from (f"## {row.method} {plain(row)}", "", row.about, "", _access(row), "")
    asked = list(schemas.parameters(operation, components))
    yield from (("Parameters:", "", *asked, "") if asked else ())
    yield from ("Example:", "", "```sh", example(row, base), "```", "", "Answer:", "")
    yield from schemas.answer(operation, components)
    yield from ("", "Problems:", "")
    for status, response in sorted(operation["responses"].items()):
        if "application/problem+json" in response["content"]:
            yield f"- {status}: {response['description']}"
    yield ""


def _access(row: Endpoint) -> str:
    access = row.access
    ways = [f"a {'/'.join(access.keys).lower()} key in {_header(row)}"] if access.keys else []
    ways += ["a payment (x402)"] if access.pays else []
    ways += ["a stream session in X-Stream-Session"] if access.session or access.pays else []
    ways += ["the agent's secret in Authorization"] if access.agent else []
    ways += ["a payment to show (x402)"] if access.payer else []
    return f"Asks for {' or '.join(ways)}." if ways else "Asks for no key."


def _header(row: Endpoint) -> str:
    found: list[str] = headers_for(row.access.keys)
    return " or ".join(found)


def example(row: Endpoint, base: str) -> str:
    """Return a call of a row with its example, as a shell runs it.

    `$KEY` stands for the credentials of who calls, `$NAME` for an id that an earlier call made.
    """
    path = plain(row)
    for name, one in row.ids.items():
        path = path.replace(f"{{{name}}}", one.example or f"${name.upper()}")
    query = f"?{urlencode(_texts(row))}" if row.example and not row.has_body else ""
    parts = ["curl -s"]
    parts += [f"-X {row.method}"] if row.method != "GET" else []
    address = base + path + query
    parts += [f'"{address}"' if "$" in path else shlex.quote(address)]
    if row.access.keys:
        header = headers_for(row.access.keys)[0]
        value = "Bearer $KEY" if header == "Authorization" else "$KEY"
        parts += [f'-H "{header}: {value}"']
    if row.has_body:
        sent = shlex.quote(json.dumps(dict(row.example), ensure_ascii=False))
        parts += ["-H 'Content-Type: application/json'", f"-d {sent}"]
    return " ".join(parts)


def _texts(row: Endpoint) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in row.example.items()
    }


def plugin(*, service: str, base: str, site: str) -> dict[str, Any]:
    """Return the manifest of an agent's plugin; `site` is the address of the host."""
    found = SERVICES[service]
    does = " ".join(f"{row.method} {plain(row)}: {row.summary}." for row in rows(service))
    return {
        "schema_version": "v1",
        "name_for_human": found.title[:SHORT],
        "name_for_model": f"{service}_oracle",
        "description_for_human": found.about[:100],
        "description_for_model": f"{found.about} {does}"[:LONG],
        "auth": {"type": "none"},
        "api": {"type": "openapi", "url": f"{base}/openapi.json"},
        "logo_url": f"{site}/static/core/icon.svg",
        "legal_info_url": f"{base}/docs",
    }
