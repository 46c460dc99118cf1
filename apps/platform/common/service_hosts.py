"""Find the service that a request is for, by path prefix or by a host of its own."""

from django.conf import settings
from django.http import HttpRequest

from config.services import SERVICES, Service


def service_of_host(host: str) -> Service | None:
    """Return the service that has this host (port ignored) to itself, if any."""
    # an IPv6 address in brackets has colons and, when it ends in one, no port
    name = host.rsplit(":", 1)[0].lower() if not host.endswith("]") else host.lower()
    for service, configured in settings.SERVICE_HOSTS.items():
        if configured.lower() == name:
            return SERVICES.get(service)
    return None


def is_api_request(request: HttpRequest) -> bool:
    """Tell whether a path belongs to a service, so that errors are JSON, not pages."""
    # the raw header: get_host() raises for a host that is not served, and this runs within errors
    if service_of_host(request.META.get("HTTP_HOST", "")):
        return True
    first = request.path_info.strip("/").split("/", 1)[0]
    return first in SERVICES or first in (".well-known", "llms.txt")
