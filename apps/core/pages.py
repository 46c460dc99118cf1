"""The pages and documents each service has: start page, API document, docs page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path

from apps.core.hosts import service_of_host
from apps.core.openapi import document
from apps.core.problems import reading_only
from apps.core.signing import jwks
from apps.core.views import urls
from config.services import SERVICES


@reading_only
def start(request: HttpRequest) -> HttpResponse:
    """Show which services stand here, with their documents and the admin."""
    return render(
        request,
        "start.html",
        {"services": SERVICES.values(), "sandbox": not settings.PRODUCTION},
    )


def _prefix(request: HttpRequest, service: str) -> str:
    return "" if service_of_host(request.META.get("HTTP_HOST", "")) else f"/{service}"


@reading_only
def openapi(request: HttpRequest, service: str) -> JsonResponse:
    """Give the service's OpenAPI 3.0 document."""
    return JsonResponse(document(service, _prefix(request, service)))


@reading_only
def docs(request: HttpRequest, service: str) -> HttpResponse:
    """Show the service's document as a page; all assets are local."""
    found = SERVICES[service]
    address = f"{_prefix(request, service)}/openapi.json"
    return render(request, "docs.html", {"service": found, "address": address})


@reading_only
def public_keys(request: HttpRequest) -> JsonResponse:
    """Give the public keys by which anyone can check our attestations (RFC 7517)."""
    return JsonResponse(jwks())


def service_urls(service: str) -> list[Any]:
    """Return the addresses of a service: its endpoints, and the documents that every one has."""
    return [
        *urls(service),
        path("openapi.json", openapi, {"service": service}, name=f"{service}-openapi"),
        path("docs", docs, {"service": service}, name=f"{service}-docs"),
    ]
