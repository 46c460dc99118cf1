"""The pages and documents each service has: start page, API document, docs page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path

from apps.platform.api.routers import ROUTERS
from apps.platform.api.schema import openapi_json
from apps.platform.common.problems import read_only_view
from apps.platform.crypto.signatures import build_jwks
from config.services import SERVICES


@read_only_view
def show_start_page(request: HttpRequest) -> HttpResponse:
    """Show which services are served here, with their documents and the admin."""
    return render(
        request,
        "start.html",
        {"services": SERVICES.values(), "sandbox": not settings.PRODUCTION},
    )


@read_only_view
def serve_openapi(request: HttpRequest, service: str) -> HttpResponse:
    """Serve the service's OpenAPI 3.0 document."""
    text = openapi_json(service, request.path.removesuffix("/openapi.json"))
    return HttpResponse(text, content_type="application/json")


@read_only_view
def show_docs_page(request: HttpRequest, service: str) -> HttpResponse:
    """Show the service's document as a page; all assets are local."""
    address = f"{request.path.removesuffix('docs')}openapi.json"
    return render(request, "docs.html", {"service": SERVICES[service], "address": address})


@read_only_view
def serve_public_keys(request: HttpRequest) -> JsonResponse:
    """Serve the public keys with which anyone can check our attestations (RFC 7517)."""
    return JsonResponse(build_jwks())


def service_urls(service: str) -> list[Any]:
    """Return the addresses of a service: its endpoints, and the documents of every service."""
    return [
        *ROUTERS[service].urls,
        path("openapi.json", serve_openapi, {"service": service}, name=f"{service}-openapi"),
        path("docs", show_docs_page, {"service": service}, name=f"{service}-docs"),
    ]
