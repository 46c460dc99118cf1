"""The addresses of what machines read about a service."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path

from apps.core.endpoints import rows
from apps.core.hosts import service_of_host
from apps.core.problems import reading_only
from apps.discovery import documents

TEXT = "text/plain; charset=utf-8"


def _site(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def _base(request: HttpRequest, service: str) -> str:
    """Return the address before the service's paths: on a host of its own it has no prefix."""
    alone = service_of_host(request.META.get("HTTP_HOST", "")) is not None
    return _site(request) + ("" if alone else f"/{service}")


@reading_only
def index(request: HttpRequest, service: str) -> HttpResponse:
    """Give llms.txt."""
    text = documents.index(service=service, base=_base(request, service))
    return HttpResponse(text, content_type=TEXT)


@reading_only
def full(request: HttpRequest, service: str) -> HttpResponse:
    """Give llms-full.txt."""
    text = documents.full(service=service, base=_base(request, service))
    return HttpResponse(text, content_type=TEXT)


@reading_only
def plugin(request: HttpRequest, service: str) -> JsonResponse:
    """Give the manifest of an agent's plugin."""
    site = _site(request)
    return JsonResponse(documents.plugin(service=service, base=_base(request, service), site=site))


def discovery_urls(service: str) -> list[URLPattern]:
    """Return the addresses of a service's texts; of its plugin where it asks for no key at all.

    The manifest of a plugin knows no key in a header of its own, and no payment.
    """
    given: dict[str, Any] = {"service": service}
    found = [path(documents.INDEX, index, given), path(documents.FULL, full, given)]
    free = all(row.access.open for row in rows(service))
    return [*found, path(documents.PLUGIN, plugin, given)] if free else found
