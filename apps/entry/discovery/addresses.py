"""Where a request finds things: the site, each service on it or on a host of its own, the tools."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from apps.platform.common.hosts import service_of_host


@dataclass(frozen=True, slots=True)
class SiteAddresses:
    """Addresses as who asks sees them, none with a slash at its end.

    `alone` is the service that has the host to itself, or empty; `mcp` is empty where no MCP
    server runs.
    """

    site: str
    alone: str
    mcp: str

    def base(self, service: str) -> str:
        """Return the address before a service's paths: on a host of its own it has no prefix."""
        return self.site if self.alone == service else f"{self.site}/{service}"


def get_site_addresses(request: HttpRequest) -> SiteAddresses:
    """Return the addresses for a request."""
    site = request.build_absolute_uri("/").rstrip("/")
    service = service_of_host(request.META.get("HTTP_HOST", ""))
    return SiteAddresses(site, service.name if service else "", _get_mcp_address(request, site))


def _get_mcp_address(request: HttpRequest, site: str) -> str:
    """Return where agents find the MCP server.

    In production a proxy has it below the site (deploy/nginx.conf), or MCP_PUBLIC_URL says where;
    in a sandbox it has a port of its own.
    """
    if settings.MCP_PUBLIC_URL or not settings.MCP_PORT:
        return str(settings.MCP_PUBLIC_URL)
    if settings.PRODUCTION:
        return f"{site}/mcp"
    host = request.get_host()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return f"{request.scheme}://{name}:{settings.MCP_PORT}/mcp"
