"""Health of the MCP server: whether it answers the web workers."""

import http.client
import json
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from apps.platform.desk.health import CheckWording

PATH = "/mcp/health"
SECONDS = 1.0  # a health check must not wait for a server that hangs


def check_mcp_server(now: datetime) -> dict[str, Any]:
    """Call the server of MCP_URL; degraded if it does not answer, ok if none is configured."""
    if not settings.MCP_URL:
        return {"status": "ok", "tools": None}
    try:
        return {"status": "ok", "tools": _fetch_tool_count(settings.MCP_URL)}
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        return {"status": "degraded", "tools": 0}


def _fetch_tool_count(url: str) -> int:
    """Return how many tools it offers."""
    there = urlsplit(url)
    connection = http.client.HTTPConnection(there.netloc, timeout=SECONDS)
    try:
        connection.request("GET", PATH)
        return int(json.loads(connection.getresponse().read(1000))["tools"])
    finally:
        connection.close()


def _describe_health(health: dict[str, Any]) -> list[str]:
    if health.get("status") != "ok":
        return ["The MCP server does not answer: agents have no tools now."]
    if health.get("tools") is None:
        return ["No MCP server is set up to run here."]
    return [f"It answers, and offers {health['tools']} tools."]


WORDS = CheckWording("Tools for agents", _describe_health)
