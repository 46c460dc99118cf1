"""The addresses of machine-readable documents about a service, and about the whole site.

Documents that are generated for each reader count against the free rate of their address.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path

from apps.access.keys.rate_limits import limit_per_address
from apps.access.paywall.discovery import (
    FACILITATOR,
    show_facilitator,
    show_service_resources,
    show_site_resources,
)
from apps.entry.discovery import cards, llms_txt, plugin_manifest
from apps.entry.discovery.addresses import get_site_addresses
from apps.platform.api.views import serve_public_keys
from apps.platform.common.problems import read_only_view

TEXT = "text/plain; charset=utf-8"
X402 = (".well-known/x402", ".well-known/x402.json")
SUPPORTED = (FACILITATOR, f"{FACILITATOR}/supported")
# address -> whether skills have payment requirements. The second is the older address, which the
# specification names (document 2 section 4).
CARDS = {".well-known/agent-card.json": False, ".well-known/agent.json": True}


@read_only_view
@limit_per_address
def show_llms_txt(request: HttpRequest, service: str) -> HttpResponse:
    """Give llms.txt."""
    place = get_site_addresses(request)
    text = llms_txt.build_llms_txt(service=service, base=place.base(service), mcp=place.mcp)
    return HttpResponse(text, content_type=TEXT)


@read_only_view
@limit_per_address
def show_full_llms_txt(request: HttpRequest, service: str) -> HttpResponse:
    """Give llms-full.txt."""
    text = llms_txt.build_full_llms_txt(
        service=service, base=get_site_addresses(request).base(service)
    )
    return HttpResponse(text, content_type=TEXT)


@read_only_view
@limit_per_address
def show_plugin_manifest(request: HttpRequest, service: str) -> JsonResponse:
    """Give the manifest of an agent's plugin."""
    place = get_site_addresses(request)
    base = place.base(service)
    return JsonResponse(
        plugin_manifest.build_plugin_manifest(service=service, base=base, site=place.site)
    )


@read_only_view
@limit_per_address
def show_service_card(request: HttpRequest, service: str, paying: bool) -> JsonResponse:
    """Give a service's agent card."""
    place = get_site_addresses(request)
    return JsonResponse(cards.build_service_card(service=service, place=place, paying=paying))


@read_only_view
@limit_per_address
def show_site_card(request: HttpRequest, paying: bool) -> JsonResponse:
    """Give the agent card of all services."""
    return JsonResponse(cards.build_site_card(place=get_site_addresses(request), paying=paying))


@read_only_view
@limit_per_address
def show_site_llms_txt(request: HttpRequest) -> HttpResponse:
    """Give llms.txt of all services."""
    place = get_site_addresses(request)
    text = llms_txt.build_site_llms_txt(site=place.site, mcp=place.mcp)
    return HttpResponse(text, content_type=TEXT)


def discovery_urls(service: str) -> list[URLPattern]:
    """Return the URL patterns of the machine-readable documents of a service."""
    initial: dict[str, Any] = {"service": service}
    url_patterns = [
        path(llms_txt.INDEX, show_llms_txt, initial),
        path(llms_txt.FULL, show_full_llms_txt, initial),
        path(cards.JWKS, serve_public_keys, name="jwks"),
        *(path(address, show_service_resources, initial) for address in X402),
        *(path(address, show_facilitator, initial) for address in SUPPORTED),
        *(
            path(address, show_service_card, initial | {"paying": pays})
            for address, pays in CARDS.items()
        ),
    ]
    # a manifest that cannot say how callers authenticate would only mislead
    has_auth = plugin_manifest.get_plugin_auth(service) is not None
    return (
        [*url_patterns, path(llms_txt.PLUGIN, show_plugin_manifest, initial)]
        if has_auth
        else url_patterns
    )


def site_urls() -> list[URLPattern]:
    """Return the URL patterns of the machine-readable documents of all services together."""
    return [
        path(llms_txt.INDEX, show_site_llms_txt),
        path(cards.JWKS, serve_public_keys),
        *(path(address, show_site_resources) for address in X402),
        *(path(address, show_facilitator) for address in SUPPORTED),
        *(path(address, show_site_card, {"paying": pays}) for address, pays in CARDS.items()),
    ]
