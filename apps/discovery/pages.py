"""The addresses of what machines read about a service, and about the whole site.

What is made anew for each reader counts against the free rate of their address.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path

from apps.access.limits import per_address
from apps.core.pages import public_keys
from apps.core.problems import reading_only
from apps.discovery import cards, documents
from apps.discovery.places import place_of
from apps.paywall.discovery import of_service, of_site

TEXT = "text/plain; charset=utf-8"
X402 = (".well-known/x402", ".well-known/x402.json")
# the second is the older address, and the one that the specification names
CARDS = {".well-known/agent-card.json": False, ".well-known/agent.json": True}


@reading_only
@per_address
def index(request: HttpRequest, service: str) -> HttpResponse:
    """Give llms.txt."""
    place = place_of(request)
    text = documents.index(service=service, base=place.base(service), mcp=place.mcp)
    return HttpResponse(text, content_type=TEXT)


@reading_only
@per_address
def full(request: HttpRequest, service: str) -> HttpResponse:
    """Give llms-full.txt."""
    text = documents.full(service=service, base=place_of(request).base(service))
    return HttpResponse(text, content_type=TEXT)


@reading_only
@per_address
def plugin(request: HttpRequest, service: str) -> JsonResponse:
    """Give the manifest of an agent's plugin."""
    place = place_of(request)
    base = place.base(service)
    return JsonResponse(documents.plugin(service=service, base=base, site=place.site))


@reading_only
@per_address
def card(request: HttpRequest, service: str, paying: bool) -> JsonResponse:
    """Give a service's agent card."""
    place = place_of(request)
    return JsonResponse(cards.of_service(service=service, place=place, paying=paying))


@reading_only
@per_address
def site_card(request: HttpRequest, paying: bool) -> JsonResponse:
    """Give the agent card of all services."""
    return JsonResponse(cards.of_site(place=place_of(request), paying=paying))


@reading_only
@per_address
def site_index(request: HttpRequest) -> HttpResponse:
    """Give llms.txt of all services."""
    place = place_of(request)
    text = documents.of_site(site=place.site, mcp=place.mcp)
    return HttpResponse(text, content_type=TEXT)


def discovery_urls(service: str) -> list[URLPattern]:
    """Return the addresses of what machines read about a service.

    The manifest of a plugin is given where it can say how to call (documents.plugin_auth).
    """
    given: dict[str, Any] = {"service": service}
    found = [
        path(documents.INDEX, index, given),
        path(documents.FULL, full, given),
        path(cards.JWKS, public_keys, name="jwks"),
        *(path(address, of_service, given) for address in X402),
        *(path(address, card, given | {"paying": pays}) for address, pays in CARDS.items()),
    ]
    told = documents.plugin_auth(service) is not None
    return [*found, path(documents.PLUGIN, plugin, given)] if told else found


def site_urls() -> list[URLPattern]:
    """Return the addresses of what machines read about all services together."""
    return [
        path(documents.INDEX, site_index),
        path(cards.JWKS, public_keys),
        *(path(address, of_site) for address in X402),
        *(path(address, site_card, {"paying": pays}) for address, pays in CARDS.items()),
    ]
