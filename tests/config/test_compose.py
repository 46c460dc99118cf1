"""What compose.yaml lets the outside reach, since the limits on sign-in believe the proxy."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from apps.core.server.inbox import MOST_BODY

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def nginx() -> str:
    return (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")


def test_the_proxy_alone_is_published(compose: Any) -> None:
    published = [name for name, service in compose["services"].items() if "ports" in service]
    assert published == ["proxy"]


def test_one_proxy_is_believed_whatever_the_environment_says(compose: Any) -> None:
    assert compose["services"]["web"]["environment"]["TRUSTED_PROXIES"] == 1


def test_the_proxy_says_who_the_client_is_and_hears_nobody_about_it(nginx: str) -> None:
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in nginx
    assert "proxy_add_x_forwarded_for" not in nginx


def test_the_proxy_reads_requests_whole_and_takes_no_more_than_the_worker(nginx: str) -> None:
    assert "proxy_request_buffering on;" in nginx
    assert "client_header_timeout 10s;" in nginx
    assert f"client_max_body_size {MOST_BODY // 1024}k;" in nginx


def test_the_proxy_and_its_ports_belong_together(compose: Any, nginx: str) -> None:
    inside = {pair.rpartition(":")[2] for pair in compose["services"]["proxy"]["ports"]}
    assert all(f"listen {port}" in nginx for port in inside)
    assert "server web:8000;" in nginx


def test_tools_of_agents_have_a_place_behind_the_proxy(compose: Any, nginx: str) -> None:
    mcp, web = compose["services"]["mcp"], compose["services"]["web"]
    assert mcp["command"][-2:] == ["config.supervise", "mcp"] and "ports" not in mcp
    port = mcp["environment"]["MCP_PORT"]
    assert str(port) in mcp["expose"] and f"server mcp:{port};" in nginx
    assert web["environment"]["MCP_URL"] == f"http://mcp:{port}"
    assert mcp["environment"]["MCP_API_URL"] == "http://web:8000"
    assert "location = /mcp {" in nginx and "mcp" in compose["services"]["proxy"]["depends_on"]
