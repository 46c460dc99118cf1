"""No endpoint of any service is missing from what machines read, and nothing else stands there.

The walk begins at the table of services and at the modules that declare rows: a new app is seen
by it without a line here.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apps.core.endpoints import Endpoint, rows
from apps.discovery import registry
from config.endpoints import MODULES
from config.services import SERVICES
from config.tools import MOVES_MONEY, NAMES, TOOLS

ROWS = [row for service in SERVICES for row in rows(service)]
# what nobody but a counterparty calls, who proves a body by a secret of theirs and ours
PROVED = {("settlement", "bank-webhook"), ("integration", "travel-rule-receive")}
CARDS = (".well-known/agent-card.json", ".well-known/agent.json")
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.service} {row.name}")
each_service = pytest.mark.parametrize("service", SERVICES)


@cache
def text(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


@cache
def document(path: str) -> Any:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return answer.json()


def skills(path: str) -> list[str]:
    """Return the method and address that end each skill's description."""
    return [one["description"].rpartition("\n")[2] for one in document(path)["skills"]]


def line(row: Endpoint) -> str:
    return f"{row.method} http://testserver/{row.service}{row.address}"


def test_every_module_that_declares_rows_is_in_the_table() -> None:
    apps = Path(settings.BASE_DIR) / "apps"
    declaring = {
        ".".join(("apps", *path.relative_to(apps).with_suffix("").parts))
        for path in apps.rglob("*.py")
        if re.search(r"^ENDPOINTS\b", path.read_text(encoding="utf-8"), re.M)
    }
    assert declaring == set(MODULES)


def test_every_row_is_of_a_service() -> None:
    from importlib import import_module

    declared = [row for module in MODULES for row in import_module(module).ENDPOINTS]
    assert {row.service for row in declared} == set(SERVICES)


@each_row
def test_a_row_is_in_every_document_of_its_service(row: Endpoint) -> None:
    base = f"/{row.service}"
    assert row.method.lower() in document(f"{base}/openapi.json")["paths"][row.address]
    assert f"- [{row.method} {row.address}](" in text(f"{base}/llms.txt")
    assert f"\n## {row.method} {row.address}\n" in text(f"{base}/llms-full.txt")
    sold = document(f"{base}/.well-known/x402")["endpoints"]
    assert (f"{row.method} {row.address}" in sold) is row.access.pays
    named = [line(row) in skills(f"{base}/{path}") for path in CARDS]
    assert named == [(row.service, row.name) not in PROVED] * 2


@each_row
def test_a_row_is_in_every_document_of_the_site(row: Endpoint) -> None:
    sold = document("/.well-known/x402")["endpoints"]
    assert (f"{row.method} /{row.service}{row.address}" in sold) is row.access.pays
    named = [line(row) in skills(f"/{path}") for path in CARDS]
    assert named == [(row.service, row.name) not in PROVED] * 2


def test_nothing_else_stands_in_a_card_and_nothing_twice() -> None:
    for path in CARDS:
        assert sorted(skills(f"/{path}")) == sorted(
            line(row) for row in ROWS if (row.service, row.name) not in PROVED
        )
        ids = [one["id"] for one in document(f"/{path}")["skills"]]
        assert len(set(ids)) == len(ids)


@pytest.mark.django_db
@pytest.mark.parametrize("service", ["integration", "settlement"])
def test_a_manifest_of_tools_has_every_call_of_its_service(service: str) -> None:
    tools = Client().get(f"/{service}/manifest").json()["tools"]
    wanted = [row for row in rows(service) if (service, row.name) not in PROVED]
    assert [(one["method"], one["path"]) for one in tools] == [
        (r.method, r.address) for r in wanted
    ]
    assert [one["name"] for one in tools] == [
        NAMES.get((service, row.name), row.operation) for row in wanted
    ]


@each_service
def test_the_index_of_the_site_leads_to_every_service(service: str) -> None:
    assert f"](http://testserver/{service}/llms.txt)" in text("/llms.txt")


def test_every_tool_of_the_table_has_its_endpoint() -> None:
    found = registry.tools()
    assert list(found) == list(TOOLS)
    assert {(row.service, row.name) for row in found.values()} == set(TOOLS.values())
    assert all(not row.access.proved and not row.many for row in found.values())
    assert set(TOOLS) >= MOVES_MONEY


def test_a_tool_without_its_endpoint_is_never_passed_over(monkeypatch: Any) -> None:
    for place in (("settlement", "no-such-row"), ("no-such-service", "health")):
        monkeypatch.setattr(registry, "TOOLS", {"a.tool": place})
        with pytest.raises(KeyError):
            registry.tools()


def test_the_tools_that_the_specification_names_are_in_the_table() -> None:
    named = {"bank.accounts", "bank.transactions", "bank.send", "bank.ach_authorize"}
    named |= {f"commodity.{one}" for one in
              ("heat_check", "forecast", "portfolio", "scenario", "tcfd")}  # fmt: skip
    named |= {f"report.{one}" for one in ("climate", "macro", "esg", "compliance", "treasury")}
    assert set(TOOLS) >= named | {"compliance.screen", "vop.verify", "stability.quote"}


def test_the_index_names_the_tools_and_where_they_are(settings: Any) -> None:
    settings.MCP_PORT = 8001
    told = Client().get("/settlement/llms.txt").content.decode()
    assert "http://testserver:8001/mcp" in told and "- `bank.send`: " in told
    assert "- `compliance.screen`: " not in told
    whole = Client().get("/llms.txt").content.decode()
    assert all(f"- `{name}`: " in whole for name in TOOLS)
    settings.MCP_PORT = 0
    assert "bank.send" not in Client().get("/settlement/llms.txt").content.decode()
    settings.MCP_PUBLIC_URL = "https://tools.example/mcp"
    assert "https://tools.example/mcp" in Client().get("/llms.txt").content.decode()


def test_in_production_the_tools_are_below_the_site(settings: Any) -> None:
    settings.MCP_PORT, settings.PRODUCTION, settings.ALLOWED_HOSTS = 8001, True, ["o.example"]
    told = Client().get("/llms.txt", headers={"host": "o.example"}).content.decode()
    assert "http://o.example/mcp offers" in told
