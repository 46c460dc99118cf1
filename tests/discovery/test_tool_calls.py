"""What a call of a tool is sent on as: its path, query, body and headers, and what is not sent."""

import base64
import json
from typing import Any

import pytest
from starlette.requests import Request

from apps.access.keys import client_address
from apps.entry.discovery.tools import api_client, payments, server
from apps.entry.discovery.tools.tool_schemas import KEY, Tool, build_tool, inline_schema, load_tools
from apps.platform.api.routers import operations_of_service

PAID = {"x402Version": 2, "accepted": {}, "payload": {}}


def tool(service: str, name: str) -> Tool:
    return build_tool(
        "a.tool", next(row for row in operations_of_service(service) if row.name == name)
    )


def request(*headers: tuple[str, str], peer: str = "127.0.0.1") -> Request:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    return Request({"type": "http", "headers": raw, "client": (peer, 1)})


def test_arguments_cannot_reach_another_address() -> None:
    stored = tool("settlement", "bank-payment")
    number = "0b6f2f0a-4a3e-4f4b-9d5e-2f7c1a9b8e10"
    good = api_client.build_api_request(stored, {"payment_id": number})
    assert good.path == f"/settlement/bank/send/{number}"
    for hostile in ("../accounts", "a/b", "", ".", "..", "a?b=1", "a#b", "%2e%2e", "a\n", 7, None):
        with pytest.raises(api_client.CallRefused) as refused:
            api_client.build_api_request(stored, {"payment_id": hostile})
        assert refused.value.document["errors"][0]["field"] == "payment_id"


def test_arguments_of_a_get_are_its_query_and_of_a_post_its_body() -> None:
    flow = api_client.build_api_request(
        tool("settlement", "flow-check"), {"amount": 1e-7, "from": "USD & co", "x": True, "n": None}
    )
    assert flow.path == "/settlement/flow-check?amount=1e-07&from=USD+%26+co&x=true"
    assert (flow.method, flow.content) == ("GET", None)
    screen = api_client.build_api_request(
        tool("compliance", "screen"), {"name": "Müller", "amount": 12.10, KEY: "k-1"}
    )
    assert json.loads(screen.content or b"") == {"name": "Müller", "amount": 12.10}
    assert screen.headers["Idempotency-Key"] == "k-1" and "?" not in screen.path


@pytest.mark.parametrize(("letters", "sent"), [(7900, True), (200_000, False)])
def test_a_query_is_as_long_as_web_workers_read(letters: int, sent: bool) -> None:
    flow, given = tool("settlement", "flow-check"), {"recipientAddress": "x" * letters}
    if sent:
        assert api_client.build_api_request(flow, given).path.endswith("xxx")
        return
    with pytest.raises(api_client.CallRefused) as refused:
        api_client.build_api_request(flow, given)
    assert refused.value.document["status"] == 400


def test_a_credential_that_no_request_carries_is_refused_by_its_name() -> None:
    raw = [(b"x-api-key", b"svc_sub_a\xff")]
    asked = Request({"type": "http", "headers": raw, "client": ("127.0.0.1", 1)})
    with pytest.raises(api_client.CallRefused) as refused:
        server.collect_caller_headers(asked, {})
    assert refused.value.document["errors"][0]["field"] == "X-API-Key"


@pytest.mark.parametrize("value", [{"a": 1}, ["a"]])
def test_what_no_query_carries_is_refused_by_its_field(value: Any) -> None:
    with pytest.raises(api_client.CallRefused) as refused:
        api_client.build_api_request(tool("settlement", "flow-check"), {"amount": value})
    assert refused.value.document["errors"][0]["field"] == "amount"


@pytest.mark.parametrize("key", ["", "x" * 256, "ü", "a\r\nX-API-Key: b", 7, ["a"], {}])
def test_a_key_of_a_repeat_is_printable_and_short(key: Any) -> None:
    with pytest.raises(api_client.CallRefused) as refused:
        api_client.build_api_request(tool("compliance", "screen"), {"name": "A", KEY: key})
    assert refused.value.document["errors"][0]["field"] == KEY


def test_where_the_body_has_the_key_itself_it_stays_there() -> None:
    send = tool("settlement", "bank-send")
    api_request = api_client.build_api_request(send, {"amount": 1, KEY: "k-1"})
    assert not send.keyed and "Idempotency-Key" not in api_request.headers
    assert json.loads(api_request.content or b"")[KEY] == "k-1"


def test_numbers_that_json_has_not_are_not_sent() -> None:
    for number in (float("nan"), float("inf")):
        with pytest.raises(api_client.CallRefused):
            api_client.build_api_request(tool("compliance", "screen"), {"amount": number})


def test_credentials_go_on_as_they_came_and_nothing_else_does() -> None:
    caller_headers = server.collect_caller_headers(
        request(
            ("Authorization", "Bearer a"),
            ("X-API-Key", "b"),
            ("X-Agent-Credential", "c"),
            ("Cookie", "sessionid=d"),
            ("X-Internal-Key", "e"),
            ("X-Forwarded-For", "203.0.113.9"),
            (client_address.HEADER, "203.0.113.9;1"),
            ("Idempotency-Key", "f"),
            ("Host", "o.example"),
        ),
        {},
    )
    assert caller_headers == {
        "Authorization": "Bearer a",
        "X-API-Key": "b",
        "X-Agent-Credential": "c",
        "Host": "o.example",
        client_address.HEADER: client_address.sign_relayed_address("127.0.0.1"),
    }


def test_a_caller_behind_the_proxy_is_told_as_the_proxy_tells_them(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    caller_headers = server.collect_caller_headers(
        request(("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-Proto", "https")), {}
    )
    assert (
        client_address.verify_relayed_address(caller_headers[client_address.HEADER])
        == "203.0.113.9"
    )
    assert caller_headers["X-Forwarded-Proto"] == "https"


def test_a_credential_that_comes_twice_is_refused() -> None:
    with pytest.raises(api_client.CallRefused) as refused:
        server.collect_caller_headers(request(("X-API-Key", "a"), ("X-API-Key", "b")), {})
    assert refused.value.document["errors"][0]["field"] == "X-API-Key"


def test_the_payment_of_a_call_stands_before_one_of_the_connection() -> None:
    connection = request(("X-PAYMENT", "old"), ("X-API-Key", "a"))
    caller_headers = server.collect_caller_headers(connection, {payments.PAYMENT: PAID})
    assert json.loads(base64.b64decode(caller_headers["PAYMENT-SIGNATURE"])) == PAID
    assert "X-PAYMENT" not in caller_headers and caller_headers["X-API-Key"] == "a"
    assert server.collect_caller_headers(connection, {})["X-PAYMENT"] == "old"


def test_the_host_is_one_by_which_all_services_are_known(settings: Any) -> None:
    settings.MCP_PORT, settings.PORT = 8001, 8000
    settings.SERVICE_HOSTS = {"esg": "esg.example"}
    settings.ALLOWED_HOSTS = [".wild.example", "o.example", "esg.example"]
    hosts = ("o.example", "esg.example", "127.0.0.1:8001", "o.example:443")
    found = [server.collect_caller_headers(request(("Host", host)), {})["Host"] for host in hosts]
    assert found == ["o.example", "o.example", "127.0.0.1:8000", "o.example:443"]


def test_schemas_have_nothing_to_look_up_and_are_json_schema() -> None:
    import jsonschema

    for one in load_tools().values():
        for schema in (one.takes, one.gives):
            jsonschema.Draft202012Validator.check_schema(schema)
            text = json.dumps(schema)
            assert "$ref" not in text and '"nullable"' not in text
        ids = {name: held.example for name, held in one.row.path_parameters.items()}
        jsonschema.validate(ids | dict(one.row.example), one.takes)


def test_a_schema_of_openapi_becomes_one_of_json_schema() -> None:
    parts = {"schemas": {"Part": {"type": "object", "properties": {"n": {"type": "integer"}}}}}
    asked = {
        "type": "object",
        "properties": {
            "part": {"allOf": [{"$ref": "#/components/schemas/Part"}], "nullable": True},
            "many": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}},
            "more": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
            "any": {"nullable": True},
        },
    }
    properties = inline_schema(asked, parts)["properties"]
    assert properties["part"]["type"] == ["object", "null"]
    assert properties["many"]["items"]["properties"] == {"n": {"type": "integer"}}
    assert properties["more"] == {"type": "number", "exclusiveMinimum": 0}
    assert properties["any"] == {}


def test_a_shape_that_holds_itself_is_no_tool() -> None:
    parts = {"schemas": {"Knot": {"type": "array", "items": {"$ref": "#/components/schemas/Knot"}}}}
    with pytest.raises(ValueError, match="holds itself"):
        inline_schema({"$ref": "#/components/schemas/Knot"}, parts)
