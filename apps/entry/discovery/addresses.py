"""Addresses of the site, its services and the MCP server, as seen by a request."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from apps.platform.common.service_hosts import service_of_host


@dataclass(frozen=True, slots=True)
class SiteAddresses:
    """Addresses without a slash at their end.

    `alone` is the service that has the host to itself, or empty; `mcp` is empty if no MCP server
    runs.
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
    # In production a proxy has it below the site (deploy/nginx.conf), or MCP_PUBLIC_URL says where;
    # in a sandbox it has a port of its own.
    if settings.MCP_PUBLIC_URL or not settings.MCP_PORT:
        mcp_address = str(settings.MCP_PUBLIC_URL)
    elif settings.PRODUCTION:
        mcp_address = f"{site}/mcp"
    else:
        host = request.get_host()
        # without the port; an IPv6 address is in brackets and contains colons
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        mcp_address = f"{request.scheme}://{name}:{settings.MCP_PORT}/mcp"
    return SiteAddresses(site, service.name if service else "", mcp_address)
