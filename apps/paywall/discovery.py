"""What can be paid for, made from the rows: it cannot say anything else than what is asked.

Document 1 section 2.11 is the map by `METHOD path`; beside it stands the envelope in which
facilitators list resources (`x402Version`, `items`, `pagination`).
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse

from apps.core.endpoints import Endpoint, rows
from apps.core.hosts import service_of_host
from apps.core.problems import reading_only
from apps.paywall import facilitators
from apps.paywall.x402.facilitators import SANDBOX
from apps.paywall.x402.terms import Terms
from config.prices import MICRO, STREAM_UNITS, Bucket
from config.services import SERVICES

VERSION = 1


def paid_rows(service: str) -> list[Endpoint]:
    """Return the rows of a service that take payments."""
    return [row for row in rows(service) if row.access.pays]


def document(*, services: Iterable[str], base: str, prefixed: bool) -> dict[str, Any]:
    """Return what can be paid for at some services; `base` is the address before their paths.

    With `prefixed`, paths begin with their service's name, as they do on a host for all.
    """
    taken = facilitators.facilitator() is not None
    found = [
        (f"/{service}" * prefixed + row.address, row)
        for service in services
        for row in (paid_rows(service) if taken else ())
    ]
    items = [_item(base + path, row) for path, row in found]
    return {
        "version": VERSION,
        "endpoints": {f"{row.method} {path}": _entry(row) for path, row in found},
        "x402Version": 2,
        "items": items,
        "pagination": {"limit": len(items), "offset": 0, "total": len(items)},
    }


def terms_of(row: Endpoint, resource: str) -> Terms | None:
    """Return what a call of a row costs who pays for it; None where nobody can pay.

    Of a bucket it is the least that may be bought.
    """
    price = row.access.price
    if not row.access.pays or facilitators.facilitator() is None:
        return None
    assert price is not None and price.paid is not None  # the row's Access has looked
    return facilitators.terms(amount=price.paid, resource=resource, about=row.summary)


def _entry(row: Endpoint) -> dict[str, Any]:
    price = row.access.price
    assert price is not None  # the row's Access has looked
    where = {
        "network": settings.X402_V1_NAME,
        "facilitator": settings.FACILITATOR_URL or f"urn:svc:facilitator:{_facilitator()}",
    }
    if isinstance(price, Bucket):
        return {
            "variableAmount": True,
            "minUsdc": price.paid / MICRO,
            "maxUsdc": price.most // MICRO,
            "unitTypes": list(STREAM_UNITS),
            **where,
            "description": row.summary,
        }
    amount = {"amount": str(price.paid), "currency": "USDC", "decimals": 6}
    return {"price": amount, **where, "description": row.summary}


def _facilitator() -> str:
    found = facilitators.facilitator()
    return found.name if found else SANDBOX


def _item(resource: str, row: Endpoint) -> dict[str, Any]:
    terms = terms_of(row, resource)
    return {
        "resource": resource,
        "type": "http",
        "x402Version": 2,
        "accepts": [terms.offer_v2()] if terms else [],
        "metadata": {"method": row.method, "description": row.summary},
    }


@reading_only
def of_service(request: HttpRequest, service: str) -> JsonResponse:
    """Give what a service takes payments for, with paths below its own address."""
    alone = service_of_host(request.META.get("HTTP_HOST", "")) is not None
    base = request.build_absolute_uri("/").rstrip("/") + ("" if alone else f"/{service}")
    return JsonResponse(document(services=[service], base=base, prefixed=False))


@reading_only
def of_site(request: HttpRequest) -> JsonResponse:
    """Give what all services take payments for."""
    base = request.build_absolute_uri("/").rstrip("/")
    return JsonResponse(document(services=SERVICES, base=base, prefixed=True))
