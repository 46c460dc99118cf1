"""No endpoint of any service is missing from what machines read, and nothing else stands there.

The walk begins at the table of services and at the modules of viewsets: a new app is seen by it
without a line here.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from apps.entry.discovery import callable_operations
from apps.entry.discovery.llms_txt import describe_cost
from apps.entry.discovery.tools.tool_schemas import index_tools_by_name, load_tools
from apps.platform.api.operations import Access, Operation, operation
from apps.platform.api.pagination import PageQuery
from apps.platform.api.routers import ROUTERS, ServiceRouter, operations_of_service
from apps.platform.api.shapes import Shape
from apps.platform.api.viewsets import OperationViewSet
from config.agent_tools import MOVES_MONEY, NAMES, TOOLS
from config.prices import MICRO, Bucket
from config.services import SERVICES

ROWS = [row for service in SERVICES for row in operations_of_service(service)]
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
    return [skill["description"].rpartition("\n")[2] for skill in document(path)["skills"]]


def line(row: Operation) -> str:
    return f"{row.method} http://testserver/{row.service}{row.address}"


def test_every_viewset_is_registered_and_every_action_declared() -> None:
    apps = Path(settings.BASE_DIR) / "apps"
    for path in apps.rglob("api/viewsets.py"):
        module = ".".join(("apps", *path.relative_to(apps).with_suffix("").parts))
        import_module(module)
    served = {
        getattr(pattern.callback.cls, action)
        for router in ROUTERS.values()
        for pattern in router.urls
        for action in pattern.callback.actions.values()
    }
    declared = {
        handler
        for viewset in every_subclass(OperationViewSet)
        if viewset.__module__.startswith("apps.")
        for handler in vars(viewset).values()
        if hasattr(handler, "declared")
    }
    assert served == declared


def every_subclass(of: type[Any]) -> Iterator[type[Any]]:
    for subclass in of.__subclasses__():
        yield subclass
        yield from every_subclass(subclass)


def test_an_action_that_declares_no_operation_is_not_served() -> None:
    class Silent(OperationViewSet):
        def list(self, request: Any) -> Any:
            raise AssertionError

    router = ServiceRouter("compliance")
    router.register("silent", Silent)
    with pytest.raises(ImproperlyConfigured, match="declares no operation"):
        router.urls  # noqa: B018


def test_two_operations_of_one_name_are_not_served() -> None:
    class Twice(OperationViewSet):
        @operation("health", spec="none", access=Access(open=True), response=Shape)
        def list(self, request: Any) -> Any:
            """Answer."""

    router = ServiceRouter("compliance")
    router.register("one", Twice)
    router.register("two", Twice)
    with pytest.raises(ImproperlyConfigured, match="health"):
        router.operations  # noqa: B018


@each_service
def test_each_list_takes_the_parameters_that_its_filters_read(service: str) -> None:
    """A parameter that no filter reads would be taken and choose nothing."""
    wrong = []
    for pattern in ROUTERS[service].urls:
        for row in pattern.callback.initkwargs["operations"].values():
            if row.request is None or not issubclass(row.request, PageQuery):
                continue
            fields = row.request().fields.items()
            queried = {field.source or name for name, field in fields} - {"cursor", "limit"}
            if queried != set(getattr(pattern.callback.cls.filterset_class, "base_filters", ())):
                wrong.append(row.name)
    assert not wrong


def test_an_id_that_nothing_describes_is_refused() -> None:
    class Unread(OperationViewSet):
        @operation("unread", spec="none", access=Access(open=True), response=Shape)
        def retrieve(self, request: Any, pk: str) -> Any:
            """Answer."""

    router = ServiceRouter("compliance")
    router.register("unread", Unread)
    with pytest.raises(KeyError, match="pk"):
        router.urls  # noqa: B018


def test_a_declaration_that_would_be_passed_over_is_refused() -> None:
    class Misspelt(OperationViewSet):
        @operation("one", spec="none", access=Access(open=True), response=Shape, post="one")
        def list(self, request: Any) -> Any:
            """Answer."""

    router = ServiceRouter("compliance")
    router.register("misspelt", Misspelt)
    with pytest.raises(TypeError, match="post"):
        router.urls  # noqa: B018


def test_every_row_is_of_a_service() -> None:
    assert {row.service for row in ROWS} == set(SERVICES)


@each_row
def test_a_row_is_in_every_document_of_its_service(row: Operation) -> None:
    base = f"/{row.service}"
    assert row.method.lower() in document(f"{base}/openapi.json")["paths"][row.address]
    assert f"- [{row.method} {row.address}](" in text(f"{base}/llms.txt")
    assert f"\n## {row.method} {row.address}\n" in text(f"{base}/llms-full.txt")
    sold = document(f"{base}/.well-known/x402")["endpoints"]
    assert (f"{row.method} {row.address}" in sold) is row.access.pays
    named = [line(row) in skills(f"{base}/{path}") for path in CARDS]
    assert named == [(row.service, row.name) not in PROVED] * 2


@each_row
def test_a_row_is_in_every_document_of_the_site(row: Operation) -> None:
    sold = document("/.well-known/x402")["endpoints"]
    assert (f"{row.method} /{row.service}{row.address}" in sold) is row.access.pays
    named = [line(row) in skills(f"/{path}") for path in CARDS]
    assert named == [(row.service, row.name) not in PROVED] * 2


def test_nothing_else_stands_in_a_card_and_nothing_twice() -> None:
    for path in CARDS:
        assert sorted(skills(f"/{path}")) == sorted(
            line(row) for row in ROWS if (row.service, row.name) not in PROVED
        )
        ids = [skill["id"] for skill in document(f"/{path}")["skills"]]
        assert len(set(ids)) == len(ids)


@pytest.mark.django_db
@pytest.mark.parametrize("service", ["integration", "settlement"])
def test_a_manifest_of_tools_has_every_call_of_its_service(service: str) -> None:
    tools = Client().get(f"/{service}/manifest").json()["tools"]
    rows = [row for row in operations_of_service(service) if (service, row.name) not in PROVED]
    assert [(tool["method"], tool["path"]) for tool in tools] == [
        (r.method, r.address) for r in rows
    ]
    assert [tool["name"] for tool in tools] == [
        NAMES.get((service, row.name), row.operation_id) for row in rows
    ]


@each_service
def test_the_index_of_the_site_leads_to_every_service(service: str) -> None:
    assert f"](http://testserver/{service}/llms.txt)" in text("/llms.txt")


def test_every_tool_of_the_table_has_its_endpoint() -> None:
    tools = callable_operations.list_tools()
    assert list(tools) == list(TOOLS)
    assert {(row.service, row.name) for row in tools.values()} == set(TOOLS.values())
    assert all(not row.access.signature and not row.many for row in tools.values())
    assert set(TOOLS) >= MOVES_MONEY


def test_a_tool_without_its_endpoint_is_never_passed_over(monkeypatch: Any) -> None:
    for place in (("settlement", "no-such-row"), ("no-such-service", "health")):
        monkeypatch.setattr(callable_operations, "TOOLS", {"a.tool": place})
        with pytest.raises(KeyError):
            callable_operations.list_tools()


def test_the_tools_that_the_specification_names_are_in_the_table() -> None:
    named = {"bank.accounts", "bank.transactions", "bank.send", "bank.ach_authorize"}
    named |= {f"commodity.{one}" for one in
              ("heat_check", "forecast", "portfolio", "scenario", "tcfd")}  # fmt: skip
    named |= {f"report.{one}" for one in ("climate", "macro", "esg", "compliance", "treasury")}
    assert set(TOOLS) >= named | {"compliance.screen", "vop.verify", "stability.quote"}


def test_every_listed_name_is_one_that_all_hosts_take() -> None:
    tools = load_tools()
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", tool.listed_name) for tool in tools.values())
    assert set(index_tools_by_name(tools)) == set(TOOLS) | {n.replace(".", "_") for n in TOOLS}
    twice = dict.fromkeys(("bank.send", "bank_send"), tools["bank.send"])
    with pytest.raises(ValueError, match="dots and underscores"):
        index_tools_by_name(twice)


def test_every_tool_says_what_a_call_costs() -> None:
    found = {
        name: tool.about.rpartition(" A call costs ")[2] for name, tool in load_tools().items()
    }
    assert found["compliance.screen"] == (
        "0.01 USDC by x402 or 0.01 USD by key, down to 0.005 USD with the calls of a month."
    )
    assert found["vop.verify"] == "0.075 USDC by x402."
    assert found["settlement.flow_check"] == "nothing."
    for name, row in callable_operations.list_tools().items():
        pays = row.access.pays or (row.access.keys and getattr(row.access.price, "tiers", ()))
        assert (found[name] == "nothing.") is not bool(pays), name
    stream = next(
        row for row in operations_of_service("compliance") if isinstance(row.access.price, Bucket)
    )
    least, most = (
        Decimal(micro) / MICRO for micro in (stream.access.price.paid, stream.access.price.most)
    )
    match = re.fullmatch(
        "A call costs (.+) to (.+) USDC by x402, as requested.", describe_cost(stream)
    )
    assert match and [Decimal(group) for group in match.groups()] == [least, most]


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
