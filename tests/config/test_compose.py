"""What compose.yaml passes to whom, and lets the outside reach."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from apps.platform.server.request_inbox import MOST_BODY
from config import settings as _read_once  # noqa: F401 - reads every variable there is
from config.env import VARIABLES

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


def test_the_proxy_takes_files_of_payments_as_large_as_the_application(
    compose: Any, nginx: str
) -> None:
    proxy, name = compose["services"]["proxy"], "PAYMENT_FILE_MAX_MIB"
    assert "client_max_body_size ${PAYMENT_FILE_MAX_MIB}m;" in nginx
    assert proxy["environment"][name] == f"${{{name}:-{VARIABLES[name].default}}}"
    kept = proxy["environment"]["NGINX_ENVSUBST_FILTER"].replace("$$", "$")
    ours = set(re.findall(r"\$\{?([a-zA-Z_]+)", nginx)) - {name}
    assert re.search(kept, name) and not any(re.search(kept, our) for our in ours)
    template = "./deploy/nginx.conf:/etc/nginx/templates/nginx.conf.template:ro"
    assert template in proxy["volumes"]
    assert proxy["environment"]["NGINX_ENVSUBST_OUTPUT_DIR"] == "/etc/nginx"


def test_the_proxy_and_its_ports_belong_together(compose: Any, nginx: str) -> None:
    inside = {pair.rpartition(":")[2] for pair in compose["services"]["proxy"]["ports"]}
    assert all(f"listen {port}" in nginx for port in inside)
    assert "set $oracle web:8000;" in nginx


def test_the_proxy_looks_names_up_again(nginx: str) -> None:
    assert re.search(r"^\s*resolver 127\.0\.0\.11 valid=5s", nginx, re.MULTILINE)
    passed = re.findall(r"proxy_pass http://([^;]+);", nginx)
    # a name that stands there, or in an `upstream`, is looked up when nginx starts, and never again
    assert passed and all(one in ("$oracle", "$tools") for one in passed)
    assert "upstream " not in re.sub("#.*", "", nginx)


def test_tools_of_agents_have_a_place_behind_the_proxy(compose: Any, nginx: str) -> None:
    mcp, web = compose["services"]["mcp"], compose["services"]["web"]
    assert mcp["command"][-2:] == ["config.supervise", "mcp"] and "ports" not in mcp
    port = mcp["environment"]["MCP_PORT"]
    assert str(port) in mcp["expose"] and f"set $tools mcp:{port};" in nginx
    assert web["environment"]["MCP_URL"] == f"http://mcp:{port}"
    assert mcp["environment"]["MCP_API_URL"] == "http://web:8000"
    assert "location ~ ^/mcp/?$ {" in nginx and "mcp" in compose["services"]["proxy"]["depends_on"]


OURS = ("migrate", "web", "jobs")
NEEDED = "?set it in .env}"
# beside these every setting is one that an operator may give in .env
PUT_TOGETHER = {
    "DJANGO_ENV", "HOST", "PORT", "VAR_DIR", "CLOCK_AHEAD", "DATABASE_URL", "DATABASE_PASSWORD",
    "REDIS_URL", "TRUSTED_PROXIES", "MCP_ALONE", "MCP_PORT", "MCP_URL", "MCP_API_URL",
}  # fmt: skip
SECRET = re.compile("KEY|SECRET|TOKEN|PASSWORD|DATABASE|REDIS|MAIL_SERVER|RPC")


def test_no_setting_is_given_twice() -> None:
    """Compose refuses a file in which a key comes twice; the loader of this test takes the last."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    ours = text.partition("environment: &environment\n")[2].partition("  depends_on:")[0]
    names = re.findall(r"^    (\w+):", ours, re.MULTILINE)
    assert sorted(names) == sorted(set(names)) and set(names) == set(VARIABLES)


@pytest.mark.parametrize("service", OURS)
def test_every_setting_reaches_the_containers(compose: Any, service: str) -> None:
    environment = compose["services"][service]["environment"]
    assert set(environment) == set(VARIABLES)
    faults = {
        name: value
        for name, value in environment.items()
        if name not in PUT_TOGETHER and value not in (f"${{{name}:-}}", f"${{{name}:{NEEDED}")
    }
    assert faults == {}


def test_the_mcp_server_has_one_secret_and_no_database(compose: Any) -> None:
    environment = compose["services"]["mcp"]["environment"]
    assert set(environment) <= set(VARIABLES)
    assert {name for name in environment if SECRET.search(name)} == {"RELAY_KEY"}
    assert environment["MCP_ALONE"] == "yes" and "volumes" not in compose["services"]["mcp"]
    web = compose["services"]["web"]["environment"]
    assert web["MCP_ALONE"] == "no" and web["RELAY_KEY"] == environment["RELAY_KEY"]


def started(compose: Any, service: str, *command: str, **more: str) -> Any:
    """Run a command with the environment of a container, where what is needed is given."""
    environment = compose["services"][service]["environment"]
    text = {
        name: re.sub(r"\$\{(\w+):\?.*\}|\$\{\w+:-\}", r"\1", str(one))
        for name, one in environment.items()
    }
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=kept | text | more, capture_output=True, text=True
    )


def test_the_mcp_server_starts_with_what_it_is_given(compose: Any, tmp_path: Path) -> None:
    code = "import django; django.setup(); from apps.entry.discovery.tools import server; "
    code += "server.build_application(); from django.db import connection; print(connection.vendor)"
    more = {"DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": str(tmp_path)}
    key = {"RELAY_KEY": secrets.token_hex(32)}
    found = started(compose, "mcp", "-c", code, **more, **key)
    assert (found.returncode, found.stdout.strip()) == (0, "unknown"), found.stderr
    short = started(compose, "mcp", "-c", "import config.settings", **more, RELAY_KEY="short")
    assert short.returncode != 0 and "RELAY_KEY is too short" in short.stderr
    other = started(compose, "mcp", "-m", "config.supervise", "web", **more, **key)
    assert other.returncode == 2 and "only the MCP server can run" in other.stderr


def test_the_database_is_owned_by_a_role_that_is_no_superuser(compose: Any) -> None:
    postgres = compose["services"]["postgres"]
    environment = compose["services"]["web"]["environment"]
    assert environment["DATABASE_URL"] == "postgres://oracle@postgres/oracle"
    assert postgres["environment"]["POSTGRES_USER"] != "oracle"
    assert postgres["environment"]["ORACLE_PASSWORD"] == environment["DATABASE_PASSWORD"]
    assert any("deploy/postgres.sh" in volume for volume in postgres["volumes"])
    script = (ROOT / "deploy" / "postgres.sh").read_text(encoding="utf-8")
    assert "NOSUPERUSER" in script and "CREATE DATABASE oracle OWNER oracle" in script
