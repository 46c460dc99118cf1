"""Discovery of paid calls, built from the declared operations, so that it matches the terms.

Document 1 section 2.11 is the map by `METHOD path`; beside it is the envelope in which facilitators
list resources (`x402Version`, `items`, `pagination`).
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, JsonResponse

from apps.access.paywall import configured_facilitator
from apps.access.paywall.x402.terms import SCHEME, Terms
from apps.platform.api.operations import Operation
from apps.platform.api.routers import operations_of_service
from apps.platform.common.problems import read_only_view
from apps.platform.common.service_hosts import service_of_host
from config.prices import MICRO, STREAM_UNITS, Bucket
from config.services import SERVICES

VERSION = 1
# the path of this installation's own facilitator, below a service and the site
FACILITATOR = ".well-known/x402/facilitator"


def list_paid_operations(service: str) -> list[Operation]:
    """Return the operations of a service that take payments."""
    return [row for row in operations_of_service(service) if row.access.pays]


def build_discovery_document(
    *, services: Iterable[str], base: str, prefixed: bool
) -> dict[str, Any]:
    """Return the paid calls of some services; `base` is the address before their paths.

    With `prefixed`, paths begin with their service's name, as they do on a shared host.
    """
    taken = configured_facilitator.get_facilitator() is not None
    operations = [
        (f"/{service}" * prefixed + row.address, row)
        for service in services
        for row in (list_paid_operations(service) if taken else ())
    ]
    items = [_build_item(base + path, row) for path, row in operations]
    return {
        "version": VERSION,
        "endpoints": {f"{row.method} {path}": _build_entry(row, base) for path, row in operations},
        "x402Version": 2,
        "items": items,
        "pagination": {"limit": len(items), "offset": 0, "total": len(items)},
    }


def build_listed_terms(row: Operation, resource: str) -> Terms | None:
    """Return the payment terms of an operation; None if it cannot be paid for.

    For a bucket they are those of the smallest purchase.
    """
    price = row.access.price
    if not row.access.pays or configured_facilitator.get_facilitator() is None:
        return None
    assert price is not None and price.paid is not None  # checked by Access
    return configured_facilitator.build_terms(
        amount=price.paid, resource=resource, about=row.summary
    )


def _build_entry(row: Operation, base: str) -> dict[str, Any]:
    price = row.access.price
    assert price is not None  # checked by Access
    where = {
        "network": settings.X402_V1_NAME,
        "facilitator": settings.FACILITATOR_URL or f"{base}/{FACILITATOR}",
    }
    if isinstance(price, Bucket):
        return {
            "variableAmount": True,
            # the specification has JSON numbers here (document 1 section 2.11); nothing is computed
            # from them
            "minUsdc": price.paid / MICRO,
            "maxUsdc": price.most // MICRO,
            "unitTypes": list(STREAM_UNITS),
            **where,
            "description": row.summary,
        }
    amount = {"amount": str(price.paid), "currency": "USDC", "decimals": 6}
    return {"price": amount, **where, "description": row.summary}


def _build_item(resource: str, row: Operation) -> dict[str, Any]:
    terms = build_listed_terms(row, resource)
    return {
        "resource": resource,
        "type": "http",
        "x402Version": 2,
        "accepts": [terms.offer_v2()] if terms else [],
        "metadata": {"method": row.method, "description": row.summary},
    }


@read_only_view
def show_service_resources(request: HttpRequest, service: str) -> JsonResponse:
    """Serve a service's paid calls, with paths below its own address."""
    # on a host of its own a service has no prefix
    alone = service_of_host(request.META.get("HTTP_HOST", "")) is not None
    base = request.build_absolute_uri("/").rstrip("/") + ("" if alone else f"/{service}")
    return JsonResponse(build_discovery_document(services=[service], base=base, prefixed=False))


@read_only_view
def show_site_resources(request: HttpRequest) -> JsonResponse:
    """Serve the paid calls of all services."""
    base = request.build_absolute_uri("/").rstrip("/")
    return JsonResponse(build_discovery_document(services=SERVICES, base=base, prefixed=True))


@read_only_view
def show_facilitator(request: HttpRequest, **given: str) -> JsonResponse:
    """Serve the description of the own facilitator, in the format of facilitators.

    404 where payments are not taken, or FACILITATOR_URL names another.
    """
    facilitator = configured_facilitator.get_facilitator()
    if facilitator is None or settings.FACILITATOR_URL:
        raise Http404("This installation is not a facilitator.")
    network = configured_facilitator.get_network()
    names = {1: settings.X402_V1_NAME, 2: network.caip2}
    return JsonResponse(
        {
            "name": facilitator.name,
            "description": "Part of this installation: a payment is verified and settled with the "
            "call that it is sent with. There is no /verify or /settle to call.",
            "kinds": [
                {"x402Version": version, "scheme": SCHEME, "network": name}
                for version, name in names.items()
            ],
            "extensions": [],
            "signers": {},
        }
    )
