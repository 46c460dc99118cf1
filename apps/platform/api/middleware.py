"""Middleware: hosts of services, and the headers of every page."""

import logging

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from apps.platform.common.problems import handler400
from apps.platform.common.service_hosts import service_of_host

logger = logging.getLogger(__name__)

CONTENT_SECURITY_POLICY = (
    # nothing inline and nothing from elsewhere: text
    # of a client that slips into a page runs no script
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class ServiceHostMiddleware(MiddlewareMixin):
    """Serve a service at the root of its own host (settings.SERVICE_HOSTS).

    A host that is not served is answered 400 before any other code reads it. Strangers send such
    requests all day, so each is one line of the log without a traceback.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        try:
            service = service_of_host(request.get_host())
        except DisallowedHost as error:
            logger.warning("a host that is not served: %.80r", request.META.get("HTTP_HOST", ""))
            return handler400(request, error)
        if service:
            # Django resolves this request's address by it
            request.urlconf = service.urlconf  # type: ignore[attr-defined]
        return None


class ContentSecurityMiddleware(MiddlewareMixin):
    """Put the Content-Security-Policy on every answer; no page is exempt."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), payment=()"
        return response
