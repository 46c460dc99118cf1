"""The plugin manifest of a service (`ai-plugin.json`)."""

from typing import Any

from apps.access.keys.authentication import list_key_headers
from apps.platform.api.routers import operations_of_service
from config.services import SERVICES

SHORT, LONG = 20, 8000  # characters that hosts of plugins accept in names and descriptions


def get_plugin_auth(service: str) -> dict[str, str] | None:
    """Return how a plugin authenticates at a service; None if its manifest cannot express that."""
    # the format knows only no authentication or a bearer token: no other header, and no payment
    accesses = [row.access for row in operations_of_service(service) if not row.access.signature]
    if all(access.open for access in accesses):
        return {"type": "none"}
    if all(
        access.open or list_key_headers(access.keys) == ["Authorization"] for access in accesses
    ):
        return {"type": "user_http", "authorization_type": "bearer"}
    return None


def build_plugin_manifest(*, service: str, base: str, site: str) -> dict[str, Any]:
    """Return the manifest of an agent's plugin; `site` is the address of the host."""
    service_row = SERVICES[service]
    does = " ".join(
        f"{row.method} {row.address}: {row.summary}." for row in operations_of_service(service)
    )
    return {
        "schema_version": "v1",
        "name_for_human": service_row.title[:SHORT],
        "name_for_model": f"{service}_oracle",
        "description_for_human": service_row.about[:100],
        "description_for_model": f"{service_row.about} {does}"[:LONG],
        "auth": get_plugin_auth(service),
        "api": {"type": "openapi", "url": f"{base}/openapi.json"},
        "logo_url": f"{site}/static/core/icon.svg",
        "legal_info_url": f"{base}/docs",
    }
