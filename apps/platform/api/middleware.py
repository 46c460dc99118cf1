"""Middleware: hosts of services, and the headers every page carries."""

import logging
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from apps.platform.common.hosts import service_of_host
from apps.platform.common.problems import handler400

logger = logging.getLogger(__name__)
Next = Callable[[HttpRequest], HttpResponse]

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class KnownHosts:
    """Answer 400 for a host that is not served, before anything else asks for it.

    Strangers send such requests all day: one line of the log, and no traceback.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost as error:
            logger.warning("a host that is not served: %.80r", request.META.get("HTTP_HOST", ""))
            return handler400(request, error)
        return self.get_response(request)


class ServiceHosts:
    """Let a service stand at the root of its own host (settings.SERVICE_HOSTS)."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        service = service_of_host(request.get_host())
        if service:
            request.urlconf = service.urlconf  # type: ignore[attr-defined]
        return self.get_response(request)


class ContentSecurity:
    """Put the Content-Security-Policy on every answer, with no exception for any page."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), payment=()"
        return response
