"""Middleware: hosts of services, and the headers every page carries."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from apps.core.hosts import service_of_host

Next = Callable[[HttpRequest], HttpResponse]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class ServiceHosts:
    """Let a service stand at the root of its own host (settings.SERVICE_HOSTS)."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        service = service_of_host(request.get_host())  # a host that is not allowed ends here
        if service:
            request.urlconf = service.urlconf  # type: ignore[attr-defined]
        return self.get_response(request)


class ContentSecurity:
    """Put the Content-Security-Policy on every answer, with no exception for any page."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Content-Security-Policy"] = POLICY
        response["Permissions-Policy"] = "camera=(), microphone=(), geolocation=(), payment=()"
        return response
