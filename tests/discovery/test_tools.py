"""Tools as agents call them: the SDK's own client, the real process, the running web server."""

from typing import Any

import pytest
import requests

from apps.access.keys.models import Account, KeyKind, issue_api_key
from apps.compliance.screening.models import Screen
from apps.entry.discovery import callable_operations
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.banking.models import Send
from apps.payments.banking.simulator.bank import ACCOUNT, SAVINGS
from apps.payments.banking.simulator.server import BankServer
from apps.platform.api.schema import openapi_document
from apps.platform.common.clock import now
from config.agent_tools import MOVES_MONEY, TOOLS
from tests.api.oracles import run_oracles
from tests.banking.banks import ach_recipient, work
from tests.discovery.mcp_agent import Agent, Running

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
SCREEN = {"name": "Blue Heron Stationery Limited", "country": "DE"}
ERAS = ["auto", "legacy"]


@pytest.fixture
def stocked(sample: None) -> None:
    """The sample, and a run of each oracle."""
    latest_run.forget_latest_run()
    run_oracles()


def key(name: str, kind: str, **options: Any) -> str:
    account, _ = Account.objects.get_or_create(name=name, defaults={"created_at": now()})
    return issue_api_key(account=account, kind=KeyKind(kind), now=now(), **options).secret


def bearer(name: str) -> str:
    return f"Bearer {key(name, 'INSTITUTION')}"


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_is_told_with_what_it_takes_and_gives(tools: Running, era: str) -> None:
    told = Agent(tools.url, era).tools()
    assert list(told) == [name.replace(".", "_") for name in TOOLS]
    for name, row in callable_operations.list_tools().items():
        one = told[name.replace(".", "_")]
        assert one.title == row.summary and row.description in one.description
        assert one.input_schema["type"] == one.output_schema["type"] == "object"
        fields = set(row.request().fields) if row.request else set()
        assert set(one.input_schema["properties"]) - {"idempotencyKey"} == (
            fields | set(row.path_parameters)
        ) - {"idempotencyKey"}
        assert set(one.output_schema["properties"]) == set(row.response().fields)
        assert "$ref" not in one.model_dump_json()
        hints = one.annotations
        assert hints.read_only_hint is not row.takes_idempotency_key
        assert hints.idempotent_hint is (not row.takes_idempotency_key and not row.access.pays)
        assert hints.destructive_hint is (name in MOVES_MONEY)
        assert ("idempotencyKey" in one.input_schema["properties"]) >= row.takes_idempotency_key


@pytest.mark.parametrize("era", ERAS)
def test_a_free_tool_answers_what_its_endpoint_answers(
    tools: Running, live_server: Any, stocked: None, era: str
) -> None:
    asked = {"amountUsd": 1000, "fromCurrency": "USD", "toCurrency": "USD"}
    row = callable_operations.list_tools()["stability.quote"]
    asked = dict(row.example) or asked
    found = Agent(tools.url, era).good("stability.quote", asked)
    plain = requests.post(f"{live_server.url}/stability/quote", json=asked, timeout=30).json()
    assert set(found) == set(plain) and found["fees"] == plain["fees"]
    assert found["quoteId"] != plain["quoteId"]


def test_a_tool_answers_to_the_name_that_is_listed_and_to_that_of_the_specification(
    tools: Running, sample: None
) -> None:
    agent = Agent(tools.url, X_API_Key=key("Alice Ltd", "SUBSCRIPTION"))
    asked = SCREEN | {"idempotencyKey": "one-screen"}
    found = agent.good("compliance_screen", asked)
    assert agent.good("compliance.screen", asked) == found
    assert Screen.objects.count() == 1


def test_a_keyed_tool_is_the_same_call_by_whichever_door(
    tools: Running, live_server: Any, sample: None
) -> None:
    secret = key("Alice Ltd", "SUBSCRIPTION")
    agent = Agent(tools.url, X_API_Key=secret)
    found = agent.good("compliance.screen", SCREEN | {"idempotencyKey": "one-screen"})
    again = agent.call("compliance.screen", SCREEN | {"idempotencyKey": "one-screen"})
    assert again.structured_content == found and again.meta["idempotentReplayed"] is True  # type: ignore[index]
    plain = requests.post(
        f"{live_server.url}/compliance/compliance/screen", json=SCREEN, timeout=30,
        headers={"X-API-Key": secret, "Idempotency-Key": "one-screen"},
    )  # fmt: skip
    assert plain.json() == found and plain.headers["Idempotent-Replayed"] == "true"
    assert Screen.objects.get().owner == Account.objects.get().ref


def test_who_calls_without_a_key_or_with_a_wrong_one_is_told_what_to_send(
    tools: Running, sample: None
) -> None:
    refused = Agent(tools.url).bad("bank.accounts")
    assert refused["code"] == "missing_key" and "Authorization: Bearer" in refused["detail"]
    for forged in ("Bearer svc_inst_" + "a" * 43, "Bearer x", "Basic eDp5"):
        wrong = Agent(tools.url, Authorization=forged).bad("bank.accounts")
        assert wrong["code"] in ("unknown_key", "missing_key")
    other = Agent(tools.url, Authorization=f"Bearer {key('Alice Ltd', 'MASTER')}")
    assert other.bad("bank.accounts")["code"] == "wrong_key_kind"


def test_a_problem_names_the_fields_to_mend(tools: Running, sample: None) -> None:
    agent = Agent(tools.url, X_API_Key=key("Alice Ltd", "SUBSCRIPTION"))
    refused = agent.bad("compliance.screen", {"country": "XX", "surprise": 1})
    assert refused["code"] == "invalid_request" and refused["status"] == 400
    assert {error["field"] for error in refused["errors"]} >= {"surprise"}
    assert Screen.objects.count() == 0


def test_the_rate_of_a_key_holds_for_its_tools(tools: Running, sample: None) -> None:
    agent = Agent(tools.url, X_API_Key=key("Alice Ltd", "SUBSCRIPTION", rate_per_minute=2))
    found = [agent.call("compliance.screen", SCREEN) for _ in range(4)]
    late = [one.structured_content for one in found if one.is_error]
    assert late and all(one["code"] == "rate_limited" for one in late)
    assert 0 < late[0]["retryAfter"] <= 60


def test_an_institution_sees_its_own_accounts_and_sends_once(
    tools: Running, bank: BankServer, stocked: None, settings: Any, live_server: Any
) -> None:
    alice, bob = bearer("Alice Bank"), bearer("Bob Bank")
    refs = {account.name: account.ref for account in Account.objects.all()}
    settings.BANK_ACCOUNTS = {ACCOUNT: refs["Alice Bank"], SAVINGS: refs["Bob Bank"]}
    ours, theirs = Agent(tools.url, Authorization=alice), Agent(tools.url, Authorization=bob)
    assert [account["accountId"] for account in ours.good("bank.accounts")["accounts"]] == [ACCOUNT]
    assert [account["accountId"] for account in theirs.good("bank.accounts")["accounts"]] == [
        SAVINGS
    ]
    saved = requests.post(
        f"{live_server.url}/settlement/bank/recipients", json=ach_recipient(),
        headers={"Authorization": alice}, timeout=30,
    ).json()  # fmt: skip
    asked = {
        "accountId": ACCOUNT,
        "recipientId": saved["recipientId"],
        "amount": 12.5,
        "paymentMethod": "ach",
        "idempotencyKey": "k-1",
        "svcRoute": True,
    }
    sent = ours.good("bank.send", asked)
    assert sent["status"] == "PENDING"
    work()
    again = ours.good("bank.send", asked)
    assert (again["id"], again["status"]) == (sent["id"], "SENT")
    assert Send.objects.count() == 1
    assert ours.bad("bank.send", asked | {"amount": 13})["code"] == "idempotency_key_reused"
    assert theirs.bad("bank.send", asked | {"accountId": SAVINGS})["code"] == "not_found"
    assert ours.bad("bank.send", asked | {"amount": 0.001})["code"] == "invalid_request"
    assert theirs.bad("bank.transactions", {"accountId": ACCOUNT})["status"] in (403, 404, 422)
    listed = ours.good("bank.transactions", {"limit": 20})["items"]
    assert [one["amount"] for one in listed][:1] == [-12.5]


def test_an_ach_payment_is_judged_as_by_its_endpoint(
    tools: Running, bank: BankServer, stocked: None, live_server: Any
) -> None:
    alice = bearer("Alice Bank")
    agent = Agent(tools.url, Authorization=alice)
    saved = requests.post(
        f"{live_server.url}/settlement/bank/recipients", json=ach_recipient(),
        headers={"Authorization": alice}, timeout=30,
    ).json()  # fmt: skip
    row = callable_operations.list_tools()["bank.ach_authorize"]
    asked = dict(row.example) | {"recipientId": saved["recipientId"], "idempotencyKey": "a-1"}
    first = agent.good("bank.ach_authorize", asked)
    again = agent.good("bank.ach_authorize", asked)
    assert first == again and first["decision"] in ("APPROVED", "FLAGGED")
    assert Send.objects.count() == 1
    blocked = agent.bad("bank.ach_authorize", asked | {"accountName": "Lazarus Group",
                                                       "idempotencyKey": "a-2"})  # fmt: skip
    assert (blocked["status"], blocked["decision"]) == (403, "BLOCKED")


def test_the_mandate_of_an_agent_holds_for_a_settlement_by_a_tool(
    tools: Running, stocked: None
) -> None:
    row = callable_operations.list_tools()["settlement.settle"]
    agent = Agent(tools.url, X_Agent_Credential="not-one")
    refused = agent.bad("settlement.settle", row.example)
    assert refused["status"] in (400, 401, 403)
    assert Agent(tools.url).good("settlement.settle", row.example)["status"]


def test_what_is_told_is_described_by_the_document_of_its_service(tools: Running) -> None:
    told = Agent(tools.url).tools()
    for name, row in callable_operations.list_tools().items():
        operation = openapi_document(row.service, "")["paths"][row.address][row.method.lower()]
        named = (
            {
                parameter["name"]
                for parameter in operation["parameters"]
                if parameter["in"] != "header"
            }
            if ("parameters" in operation)
            else set()
        )
        assert named <= set(told[name.replace(".", "_")].input_schema["properties"])


def test_forecasts_by_tools_are_those_of_their_endpoints(
    tools: Running, live_server: Any, stocked: None
) -> None:
    base, agent = f"{live_server.url}/forecast/forecast", Agent(tools.url)
    heat = requests.get(f"{base}/heat-check", timeout=60).json()
    assert agent.good("commodity.heat_check")["commodities"] == heat["commodities"]
    wheat = requests.get(f"{base}/commodity/WHEAT", timeout=60).json()
    assert agent.good("commodity.forecast", {"symbol": "WHEAT"}) == wheat
    assert agent.bad("commodity.forecast", {"symbol": "XYZ"})["status"] == 404
    assert agent.bad("commodity.forecast", {"symbol": "../calendar"})["status"] == 400
    for name, path in (("portfolio", "portfolio"), ("scenario", "scenario"),
                       ("tcfd", "tcfd-report")):  # fmt: skip
        example = dict(callable_operations.list_tools()[f"commodity.{name}"].example)
        plain = requests.post(f"{base}/{path}", json=example, timeout=60).json()
        found = agent.good(f"commodity.{name}", example)
        assert set(found) == set(plain)
    large = {"positions": [{"symbol": "WHEAT", "notionalUsd": 1}] * 5_000}
    plain = requests.post(f"{base}/portfolio", json=large, timeout=60)
    found = agent.call("commodity.portfolio", large)
    assert found.is_error is not plain.ok
