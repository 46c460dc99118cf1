"""The MCP server before strangers: forged headers, huge and hostile bodies, bursts, kill -9."""

import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from apps.access.keys import client_address
from apps.access.keys.models import Account, KeyKind, issue_api_key
from apps.platform.common.clock import now
from tests.discovery.mcp_agent import Agent, Running, free_port, running

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
HEADS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
FREE = "settlement.flow_check"
FLOW = {
    "amount": 100, "from": "USD", "to": "USD",
    "recipientAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
}  # fmt: skip


def rpc(tool: str = FREE, arguments: Any = None) -> dict[str, Any]:
    params = {"name": tool, "arguments": FLOW if arguments is None else arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def post(tools: Running, body: Any, **headers: str) -> requests.Response:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return requests.post(tools.url, data=raw, headers=HEADS | named, timeout=60)


def told(answer: requests.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def test_a_site_that_points_its_name_here_and_a_page_of_another_are_refused(
    tools: Running,
) -> None:
    assert post(tools, rpc(), Host="evil.example").status_code == 421
    assert post(tools, rpc(), Host="127.0.0.1.evil.example:80").status_code == 421
    assert post(tools, rpc(), Origin="https://evil.example").status_code == 403
    assert post(tools, rpc(), Origin="null").status_code == 403


def test_an_origin_that_comes_twice_is_refused_whichever_comes_first(tools: Running) -> None:
    raw = json.dumps(rpc()).encode()
    site = tools.url.removeprefix("http://").partition("/")[0]
    for origins in ((f"http://{site}", "https://evil.example"), ("https://evil.example",) * 2):
        with socket.create_connection(
            (site.partition(":")[0], int(site.partition(":")[2]))
        ) as connection:
            told = "".join(f"Origin: {origin}\r\n" for origin in origins)
            kinds = "".join(f"{name}: {value}\r\n" for name, value in HEADS.items())
            head = f"POST /mcp HTTP/1.1\r\nHost: {site}\r\n{told}{kinds}"
            connection.sendall(f"{head}Content-Length: {len(raw)}\r\n\r\n".encode() + raw)
            assert connection.recv(4096).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
def test_a_slash_behind_the_address_changes_nothing_and_nobody_is_sent_elsewhere(
    tools: Running, host: str
) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    heads = HEADS | {"Host": f"{host}:{tools.port}", "X-Forwarded-Proto": "https"}
    found = {
        path: requests.post(
            f"http://127.0.0.1:{tools.port}{path}", json=asked, headers=heads, timeout=30,
            allow_redirects=False,
        )
        for path in ("/mcp", "/mcp/", "/mcp//", "/mcp/health/", "/other/")
    }  # fmt: skip
    assert not [path for path, one in found.items() if one.is_redirect or "Location" in one.headers]
    assert found["/mcp/"].status_code == found["/mcp"].status_code
    assert found["/mcp/"].content == found["/mcp"].content
    assert (found["/mcp"].status_code == 200) is (host == "127.0.0.1")
    assert {found[path].status_code for path in ("/mcp//", "/other/")} == {404}


def test_a_batch_is_refused_in_words(tools: Running) -> None:
    answer = post(tools, [rpc(), rpc()])
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("Send one message at a time")


def test_nothing_but_a_post_of_json_is_read(tools: Running) -> None:
    for method in ("GET", "DELETE", "PUT", "HEAD", "OPTIONS"):
        answer = requests.request(method, tools.url, headers=HEADS, timeout=10)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert post(tools, rpc(), Content_Type="text/plain").status_code in (400, 415)
    assert requests.get(f"{tools.url}/../admin/", timeout=10).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b'{"a": ' * 40 + b"1" + b"}" * 40, 400),
        (b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list"}', 400),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '
         b'{"name": "settlement.flow_check", "arguments": {"amount": NaN}}}', 400),
        (b'{"x": "' + b"y" * (1 << 21) + b'"}', 413),
        (b'{"x": ' + b"9" * 50_000 + b"}", 400),
        (b'"\\ud800"', 400),
    ],
)  # fmt: skip
def test_what_is_hostile_is_refused_before_anything_reads_it(
    tools: Running, body: bytes, status: int
) -> None:
    answer = post(tools, body)
    assert answer.status_code == status and len(answer.content) < 500
    if body:
        assert answer.json()["error"]["code"] == -32700
    assert tools.answers()


def test_a_tool_that_there_is_not_is_an_error_of_the_protocol(tools: Running) -> None:
    unknown = ("nothing", "compliance.register", "compliance_register", "../admin", "x" * 500)
    for name in (*unknown, "bank.ach.authorize", "bank-send", "BANK_SEND"):
        answer = post(tools, rpc(name)).json()
        assert answer["error"]["code"] == -32602 and len(answer["error"]["message"]) < 150


def test_a_credential_that_comes_twice_is_refused(tools: Running, sample: None) -> None:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", tools.port, timeout=30)
    connection.putrequest("POST", "/mcp")
    body = json.dumps(rpc("bank.accounts", {})).encode()
    for name, value in [*HEADS.items(), ("Content-Length", str(len(body))),
                        ("Authorization", "Bearer a"), ("Authorization", "Bearer b")]:  # fmt: skip
        connection.putheader(name, value)
    connection.endheaders(body)
    result = json.loads(connection.getresponse().read())["result"]
    connection.close()
    assert (
        result["isError"] and result["structuredContent"]["errors"][0]["field"] == "Authorization"
    )


def test_who_calls_is_counted_by_their_own_address_and_nobody_can_claim_another(
    tools: Running, live_server: Any, sample: None, settings: Any
) -> None:
    settings.FREE_RATE_PER_MINUTE = 3
    url = f"{live_server.url}/settlement/flow-check"
    for forged in ("203.0.113.9;" + "0" * 64, "203.0.113.9", ";", "x;y"):
        requests.get(url, params=FLOW, headers={client_address.HEADER: forged}, timeout=30)
    spent = requests.get(
        url, params=FLOW, headers={client_address.HEADER: "203.0.113.9"}, timeout=30
    )
    assert spent.status_code == 429  # all were counted by the address that they came from
    proved = requests.get(
        url,
        params=FLOW,
        headers={client_address.HEADER: client_address.sign_relayed_address("203.0.113.9")},
        timeout=30,
    )
    assert proved.status_code == 200
    # it is ours that counts
    assert told(post(tools, rpc(), X_Relayed_For="203.0.113.7"))["isError"]
    assert told(post(tools, rpc(), X_Forwarded_For="203.0.113.7"))["isError"]


def test_another_connection_has_nothing_of_a_session(tools: Running, sample: None) -> None:
    account = Account.objects.create(name="Alice Bank", created_at=now())
    secret = issue_api_key(account=account, kind=KeyKind.INSTITUTION, now=now()).secret
    assert Agent(tools.url, "legacy", Authorization=f"Bearer {secret}").call("bank.accounts")
    opened = post(tools, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"}}},
        Authorization=f"Bearer {secret}")  # fmt: skip
    assert opened.status_code == 200 and "Mcp-Session-Id" not in opened.headers
    stolen = told(post(tools, rpc("bank.accounts", {}), Mcp_Session_Id="anything"))
    assert stolen["structuredContent"]["code"] == "missing_key"


def test_nothing_secret_stands_in_the_log(tools: Running, sample: None) -> None:
    marks = [f"svc_inst_{n}{'m' * 40}" for n in range(3)]
    Agent(tools.url, Authorization=f"Bearer {marks[0]}").call("bank.accounts")
    Agent(tools.url, X_API_Key=marks[1], PAYMENT_SIGNATURE=marks[2]).call(
        "compliance.screen", {"name": "Somebody Nobody Should Read Of"}
    )
    post(tools, rpc("bank.accounts", {"note": "Somebody Nobody Should Read Of"}))
    assert not any(mark in tools.log for mark in [*marks, "Somebody Nobody"])


def test_a_burst_is_answered_or_told_to_come_again(tools: Running, sample: None) -> None:
    def one(_: int) -> int:
        return post(tools, rpc()).status_code

    with ThreadPoolExecutor(48) as pool:
        found = list(pool.map(one, range(192)))
    assert set(found) <= {200, 503} and found.count(200) > 150
    assert tools.answers()


def test_workers_that_are_gone_are_a_problem_and_not_a_crash(tmp_path: Path) -> None:
    with running(tmp_path, f"http://127.0.0.1:{free_port()}") as found:
        refused = Agent(found.url).bad(FREE, FLOW)
        assert (refused["code"], refused["retryAfter"]) == ("unavailable", 5)
        assert Agent(found.url).tools()
        pid = found.process.pid
        os.kill(pid, signal.SIGKILL)
        found.process.wait(10)
        found.start()
        assert found.process.pid != pid and Agent(found.url).tools()
        assert found.stop() in (0, -signal.SIGTERM)


def test_an_answer_that_does_not_come_says_that_its_outcome_is_open(tmp_path: Path) -> None:
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Silent(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.close_connection = True  # hangs up, having taken the call

        def log_message(self, *_: Any) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Silent)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        with running(tmp_path, f"http://127.0.0.1:{server.server_port}") as found:
            refused = Agent(found.url).bad(FREE, FLOW)
            assert refused["code"] == "unavailable" and "not known" in refused["detail"]
    finally:
        server.shutdown()
        server.server_close()


def test_a_held_port_is_waited_for(tmp_path: Path) -> None:
    import socket

    with running(tmp_path, "http://127.0.0.1:1") as found:
        found.stop()
        with socket.socket() as holder:
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind(("127.0.0.1", found.port))
            holder.listen()
            starting = threading.Thread(target=found.start)
            starting.start()
            deadline = time.monotonic() + 60
            while "is in use: waiting for it" not in found.log and time.monotonic() < deadline:
                time.sleep(0.2)
            assert "is in use: waiting for it" in found.log
        starting.join(60)
        assert found.answers()
