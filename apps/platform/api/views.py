"""The pages and documents each service has: start page, API document, docs page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path

from apps.platform.api.routers import ROUTERS
from apps.platform.api.schema import openapi_json
from apps.platform.common.hosts import service_of_host
from apps.platform.common.problems import read_only_view
from apps.platform.crypto.signatures import build_jwks
from config.services import SERVICES


@read_only_view
def show_start_page(request: HttpRequest) -> HttpResponse:
    """Show which services stand here, with their documents and the admin."""
    return render(
        request,
        "start.html",
        {"services": SERVICES.values(), "sandbox": not settings.PRODUCTION},
    )


def _service_prefix(request: HttpRequest, service: str) -> str:
    return "" if service_of_host(request.META.get("HTTP_HOST", "")) else f"/{service}"


@read_only_view
def serve_openapi(request: HttpRequest, service: str) -> HttpResponse:
    """Give the service's OpenAPI 3.0 document."""
    text = openapi_json(service, _service_prefix(request, service))
    return HttpResponse(text, content_type="application/json")


@read_only_view
def show_docs_page(request: HttpRequest, service: str) -> HttpResponse:
    """Show the service's document as a page; all assets are local."""
    found = SERVICES[service]
    address = f"{_service_prefix(request, service)}/openapi.json"
    return render(request, "docs.html", {"service": found, "address": address})


@read_only_view
def serve_public_keys(request: HttpRequest) -> JsonResponse:
    """Give the public keys by which anyone can check our attestations (RFC 7517)."""
    return JsonResponse(build_jwks())


def service_urls(service: str) -> list[Any]:
    """Return the addresses of a service: its endpoints, and the documents that every one has."""
    return [
        *ROUTERS[service].urls,
        path("openapi.json", serve_openapi, {"service": service}, name=f"{service}-openapi"),
        path("docs", show_docs_page, {"service": service}, name=f"{service}-docs"),
    ]
