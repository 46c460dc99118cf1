"""Whether the MCP server answers is part of health, and said in words."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from apps.entry.discovery.tools import health
from apps.platform.common.clock import now
from config import supervise


def served(body: bytes) -> HTTPServer:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body if self.path == health.PATH else b"nothing")

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Answering)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


@pytest.mark.parametrize(
    ("body", "status", "tools"),
    [
        (b'{"status": "ok", "tools": 7}', "ok", 7),
        (b"<html>", "degraded", 0),
        (b"{}", "degraded", 0),
        (b"[1]", "degraded", 0),
    ],
)
def test_a_server_is_well_that_says_what_it_offers(
    settings: Any, body: bytes, status: str, tools: int
) -> None:
    server = served(body)
    settings.MCP_URL = f"http://127.0.0.1:{server.server_port}"
    mcp_server = health.check_mcp_server(now())
    server.shutdown()
    server.server_close()
    assert mcp_server == {"status": status, "tools": tools}


def test_one_that_does_not_answer_needs_somebody_and_none_is_no_fault(settings: Any) -> None:
    settings.MCP_URL = "http://127.0.0.1:1"
    gone = health.check_mcp_server(now())
    assert gone["status"] == "degraded"
    assert "does not answer" in health.WORDS.speak(gone)[0]
    settings.MCP_URL = ""
    none = health.check_mcp_server(now())
    assert none["status"] == "ok" and "No MCP server" in health.WORDS.speak(none)[0]
    assert "offers 7 tools" in health.WORDS.speak({"status": "ok", "tools": 7})[0]


def test_the_server_is_a_part_of_the_platform_unless_its_port_is_0(monkeypatch: Any) -> None:
    monkeypatch.setenv("MCP_PORT", "8001")
    [part] = supervise.build_parts("python", ["mcp"])
    assert list(part.command) == ["python", "-m", "apps.entry.discovery.tools"]
    assert "mcp" in [server_part.name for server_part in supervise.build_parts("python")]
    monkeypatch.setenv("MCP_PORT", "0")
    assert "mcp" not in [server_part.name for server_part in supervise.build_parts("python")]
