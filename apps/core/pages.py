"""The pages and documents each service has: start page, API document, docs page, health."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.core import health
from apps.core.api import ApiView
from apps.core.clock import now
from apps.core.hosts import service_of_host
from apps.core.openapi import document
from apps.core.problems import reading_only
from apps.core.shapes import Shape, Text, iso
from apps.core.signing import jwks
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


class HealthOut(Shape):
    """`status` is ok, degraded (answers, but something needs a person) or down (503)."""

    status = Text()
    service = Text()
    checked_at = Text()


class HealthView(ApiView):
    """Tell whether the service can do its work, and what stands in its way."""

    service = ""

    @extend_schema(operation_id="health", responses={200: HealthOut, 503: HealthOut})
    def get(self, request: Request) -> Response:
        moment = now()
        checks = health.collect(service=self.service, now=moment)
        down = any(check["status"] == "down" for check in checks.values())
        degraded = any(check["status"] != "ok" for check in checks.values())
        body = {
            "status": "down" if down else "degraded" if degraded else "ok",
            "service": self.service,
            "checkedAt": iso(moment),
            "checks": checks,
        }
        return Response(body, status=503 if down else 200)


def service_urls(service: str) -> list[Any]:
    """Return the addresses that every service has."""
    about = {"service": service, "__doc__": HealthView.__doc__}
    view: type[HealthView] = type("HealthView", (HealthView,), about)
    return [
        path("openapi.json", openapi, {"service": service}, name=f"{service}-openapi"),
        path("docs", docs, {"service": service}, name=f"{service}-docs"),
        path("health", view.as_view(), name=f"{service}-health"),
    ]
