"""Agent cards (A2A 1.0.1), of a service and of the whole site, signed with the published keys.

A card says what can be called and where. The calls themselves are those of the OpenAPI document or
of the MCP server; A2A messages are not accepted, as the bindings say. Of the two addresses,
`agent-card.json` has only fields of A2A, so that its readers can verify it; the older `agent.json`,
which the specification names (document 2 section 4), also has `paymentRequirements` in each skill.
"""

import inspect
import json
from collections.abc import Iterable
from typing import Any

from django.conf import settings

from apps.access.keys.authentication import list_key_headers
from apps.access.paywall import previews
from apps.access.paywall.discovery import build_listed_terms
from apps.access.paywall.x402.terms import Terms
from apps.entry.discovery.addresses import SiteAddresses
from apps.entry.discovery.callable_operations import get_tool_name, list_skills
from apps.platform.api.operations import Operation
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import sign_detached
from config.agent_tools import TOOLS
from config.services import SERVICES

A2A = "1.0"  # protocolVersion: major and minor version of A2A, without the patch
OPENAPI = "https://spec.openapis.org/oas/v3.0.3"
MCP = "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports"
X402 = "https://github.com/coinbase/x402/blob/main/specs/transports-v2/http.md"
JSON = "application/json"
JWKS = ".well-known/jwks.json"
NAME = "Compliance Oracle platform"
ABOUT = (
    "Whether a payment may be made, what it costs and what must be reported: screens, payee "
    "checks, settlement, banking, stability, ESG, forecasts and reports, each service with its "
    "own card."
)
SCHEMES: dict[str, dict[str, Any]] = {
    header: {"apiKeySecurityScheme": {"location": "header", "name": header, "description": about}}
    for header, about in (
        ("X-API-Key", "A key from the operator."),
        ("X-Internal-Key", "A key from the operator for calls within the platform."),
        ("PAYMENT-SIGNATURE", "A payment by x402, version 2."),
        ("X-PAYMENT", "A payment by x402, version 1."),
        ("X-Stream-Session", "The secret of a stream session, which is paid for once."),
    )
} | {
    "Authorization": {
        "httpAuthSecurityScheme": {
            "scheme": "Bearer",
            "description": "A key from the operator, or an agent's own secret.",
        }
    }
}


def build_service_card(*, service: str, place: SiteAddresses, paying: bool) -> dict[str, Any]:
    """Return a service's signed card; `paying` adds the payment requirements of each skill."""
    service_row = SERVICES[service]
    version = service_row.version
    # 9.0 of the stability service (document 3 section 9) becomes 9.0.0
    padded_version = version if version.count(".") == 2 else f"{version}.0"
    card = _build_card(
        name=service_row.title,
        about=" ".join(inspect.cleandoc(service_row.about).split()),
        version=padded_version,
        base=place.base(service),
        place=place,
    )
    card["skills"] = [_build_skill(row, place, paying) for row in list_skills(service)]
    card["supportedInterfaces"] = [_build_interface(f"{place.base(service)}/openapi.json", OPENAPI)]
    return _sign_card(_complete_card(card, list_skills(service), place), place.base(service))


def build_site_card(*, place: SiteAddresses, paying: bool) -> dict[str, Any]:
    """Return the card of all services together, signed."""
    skills = [row for service in SERVICES for row in list_skills(service)]
    card = _build_card(name=NAME, about=ABOUT, version="1.0.0", base=place.site, place=place)
    card["skills"] = [_build_skill(row, place, paying) for row in skills]
    card["supportedInterfaces"] = [
        _build_interface(f"{place.base(service)}/openapi.json", OPENAPI) for service in SERVICES
    ]
    return _sign_card(_complete_card(card, skills, place), place.site)


def _build_card(
    *, name: str, about: str, version: str, base: str, place: SiteAddresses
) -> dict[str, Any]:
    return {
        "name": name,
        "description": about,
        "version": version,
        "provider": {
            "organization": settings.OPERATOR_NAME or "The operator",
            "url": f"{place.site}/",
        },
        "documentationUrl": f"{base}/llms.txt",
        "iconUrl": f"{place.site}/static/core/icon.svg",
        "capabilities": {"streaming": False, "pushNotifications": False},
        "defaultInputModes": [JSON],
        "defaultOutputModes": [JSON],
    }


def _complete_card(
    card: dict[str, Any], rows: Iterable[Operation], place: SiteAddresses
) -> dict[str, Any]:
    """Add what follows from the operations: credentials, payments, and the MCP server."""
    used = dict.fromkeys(header for row in rows for header in _list_credential_headers(row))
    card["securitySchemes"] = {header: SCHEMES[header] for header in used}
    sold = {
        _build_skill_id(row): {"accepts": [terms.offer_v2()]}
        for row in rows
        if (terms := _build_terms(row, place))
    }
    if sold:
        card["capabilities"]["extensions"] = [
            {
                "uri": X402,
                "description": "Skills that are paid for per call, and the price of each.",
                "params": {"x402Version": 2, "skills": sold},
            }
        ]
    if place.mcp and any(get_tool_name(row) for row in rows):
        card["supportedInterfaces"].append(_build_interface(place.mcp, MCP))
    # nothing empty: readers differ in whether an empty member is part of what is signed
    return {name: value for name, value in card.items() if value}


def _build_interface(url: str, binding: str) -> dict[str, str]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": A2A}


def _build_skill_id(row: Operation) -> str:
    """Return the id of a skill: its name as a tool, or its service and operation."""
    # an operation's own name may be that of another operation's tool: then its method is added
    own = f"{row.service}.{row.operation_id}"
    return get_tool_name(row) or (f"{own}.{row.method.lower()}" if own in TOOLS else own)


def _build_skill(row: Operation, place: SiteAddresses, paying: bool) -> dict[str, Any]:
    access = row.access
    ways = ["free"] if access.open else []
    ways += ["x402"] if access.pays else []
    ways += ["key"] if access.keys or access.beside else []
    tags = [row.service, *ways, *(["mcp"] if get_tool_name(row) else [])]
    skill: dict[str, Any] = {
        "id": _build_skill_id(row),
        "name": row.summary,
        "description": f"{row.description}\n\n{row.method} {place.base(row.service)}{row.address}",
        "tags": tags,
    }
    if row.example:
        skill["examples"] = [json.dumps(dict(row.example), ensure_ascii=False)]
    if row.file_types:
        skill["outputModes"] = [JSON, *row.file_types]
    if headers := _list_credential_headers(row):
        skill["securityRequirements"] = [
            {"schemes": {header: {"list": _list_scopes(row, header)}}} for header in headers
        ]
    if paying and (terms := _build_terms(row, place)):
        # by the names of a 402's body: of version 1, and of version 2
        skill |= {"paymentRequirements": [terms.offer_v1()], "accepts": [terms.offer_v2()]}
        # what a report holds and its fee (document 2 section 2.6)
        report_preview = previews.build_preview_members(row.preview, amount=terms.amount).get(
            "reportPreview", {}
        )
        preview = {
            name: report_preview[name] for name in ("whatYouGet", "fee") if name in report_preview
        }
        skill |= preview
    return skill


def _list_credential_headers(row: Operation) -> list[str]:
    """Return the headers in which a row's credentials travel, each once; none of an open row's."""
    access = row.access
    headers: list[str] = [] if access.open else list(list_key_headers(access.keys))
    headers += list_key_headers(access.beside)
    headers += ["Authorization"] if access.agent else []
    headers += ["PAYMENT-SIGNATURE", "X-PAYMENT"] if access.pays or access.payer else []
    headers += ["X-Stream-Session"] if access.session or access.pays else []
    return list(dict.fromkeys(headers))


def _list_scopes(row: Operation, header: str) -> list[str]:
    """Return what a header accepts, as scopes of its scheme: kinds of keys, or `call`."""
    keys = (*row.access.keys, *row.access.beside)
    kinds = [kind.lower() for kind in keys if list_key_headers((kind,)) == [header]]
    kinds += ["agent"] if row.access.agent and header == "Authorization" else []
    return kinds or ["call"]


def _build_terms(row: Operation, place: SiteAddresses) -> Terms | None:
    return build_listed_terms(row, place.base(row.service) + row.address)


def _sign_card(card: dict[str, Any], base: str) -> dict[str, Any]:
    """Return a card with its signature: JWS over its canonical form (RFC 8785, RFC 7515)."""
    signature = sign_detached(canonical_json(card), typ="JOSE", jku=f"{base}/{JWKS}")
    return card | {"signatures": [signature]}
