"""One POST over the network: bounded in time and size, followed nowhere, told without secrets."""

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
import requests

from apps.payments.callbacks.clients import webhook_client
from tests.upstreams.loopback import Loopback, body, silent, status

HEADERS = {"Content-Type": "application/json", "X-SVC-Signature": "ab"}


@pytest.fixture
def hasty(monkeypatch: Any) -> None:
    """Wait less long than in earnest."""
    monkeypatch.setattr(webhook_client, "WHOLE_SECONDS", 0.8)
    monkeypatch.setattr(webhook_client, "BODY_SECONDS", 0.2)


def post(url: str, content: bytes = b"{}") -> webhook_client.AttemptResult:
    return webhook_client.post_callback(url=url, content=content, headers=HEADERS)


@pytest.mark.parametrize("code", [200, 201, 202, 204])
def test_2xx_is_a_delivery(far: Loopback, code: int) -> None:
    far.answers["/in"] = status(code)
    reply = post(f"{far.url}/in")
    assert (reply.error, reply.status) == ("", code)


def test_the_very_bytes_and_headers_arrive(far: Loopback) -> None:
    far.answers["/in"] = status(200)
    content = '{"name":"Zoë","b":"\\u2028"}'.encode()
    post(f"{far.url}/in?token=1", content)
    assert far.bodies == [content] and far.calls == ["/in?token=1"]
    head = {name.lower(): value for name, value in far.headers[0].items()}
    assert head["x-svc-signature"] == "ab" and head["content-type"] == "application/json"
    assert not {"cookie", "authorization", "referer"} & head.keys()


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_failure_and_is_not_followed(far: Loopback, code: int) -> None:
    far.answers["/in"] = body(b"", code, Location=f"{far.url}/elsewhere")
    far.answers["/elsewhere"] = status(200)
    reply = post(f"{far.url}/in")
    assert (reply.error, reply.status, far.calls) == ("redirect", code, ["/in"])


@pytest.mark.parametrize(("code", "word"), [(400, "status"), (410, "gone"), (500, "status")])
def test_other_statuses_are_failures_and_said(far: Loopback, code: int, word: str) -> None:
    far.answers["/in"] = body(b"why \x1b[31m\x00\xe2\x80\xaeno\n\tthere " + b"x" * 9000, code)
    reply = post(f"{far.url}/in")
    assert (reply.error, reply.status) == (word, code)
    assert reply.excerpt.startswith("why [31m no there xxx") and len(reply.excerpt) == 1000


def test_one_that_says_nothing_is_left_in_time(far: Loopback, hasty: None) -> None:
    far.answers["/in"] = silent(5)
    began = time.monotonic()
    reply = post(f"{far.url}/in")
    assert (reply.error, reply.status) == ("timeout", None)
    assert time.monotonic() - began < 2


def test_a_receiver_has_the_whole_time_to_answer(far: Loopback, monkeypatch: Any) -> None:
    given: list[Any] = []
    real = requests.Session.request

    def noted(self: Any, *args: Any, **options: Any) -> Any:
        given.append(options["timeout"])
        return real(self, *args, **options)

    monkeypatch.setattr(requests.Session, "request", noted)
    far.answers["/in"] = status(200)
    assert post(f"{far.url}/in").status == 200
    assert [reading for _, reading in given] == [webhook_client.WHOLE_SECONDS]


def test_headers_that_drip_are_cut_at_the_whole_limit(hasty: None) -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        taken, _ = listening.accept()
        try:
            for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 100:
                taken.sendall(bytes([byte]))
                time.sleep(0.1)
        except OSError:
            pass
        finally:
            taken.close()

    threading.Thread(target=drip, daemon=True).start()
    began = time.monotonic()
    reply = post(f"http://127.0.0.1:{listening.getsockname()[1]}/")
    assert reply.error == "timeout" and time.monotonic() - began < 2
    listening.close()


@pytest.mark.parametrize("code", [200, 500])
def test_a_body_that_drips_holds_nobody_up_and_the_status_stands(
    far: Loopback, hasty: None, code: int
) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(50):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)

    far.answers["/in"] = answer
    began = time.monotonic()
    reply = post(f"{far.url}/in")
    assert (reply.status, reply.error) == (code, "" if code == 200 else "status")
    assert time.monotonic() - began < 0.7 and reply.excerpt.strip("x") == ""


def test_an_endless_body_is_read_no_further_than_it_is_told(far: Loopback) -> None:
    sent = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(2000):
            sent.append(handler.wfile.write(b"y" * 65536))

    far.answers["/in"] = answer
    reply = post(f"{far.url}/in")
    assert reply.error == "" and len(reply.excerpt) == 1000 and sum(sent) < 64 * 2**20


def test_nobody_there_is_said_so() -> None:
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    assert post(f"http://127.0.0.1:{port}/").error == "unreachable"


def test_what_is_no_http_is_said_so() -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        taken, _ = listening.accept()
        taken.recv(65536)
        taken.sendall(b"SSH-2.0-thing\r\n\r\n")
        taken.close()

    threading.Thread(target=answer, daemon=True).start()
    assert post(f"http://127.0.0.1:{listening.getsockname()[1]}/").error == "broken"
    listening.close()


def test_a_certificate_that_nobody_vouches_for_is_said_so(far: Loopback) -> None:
    assert post(far.url.replace("http:", "https:")).error == "tls"


def test_no_proxy_of_the_environment_is_used(far: Loopback, monkeypatch: Any) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    far.answers["/in"] = status(200)
    assert post(f"{far.url}/in").error == ""


def test_no_cookie_is_kept(far: Loopback) -> None:
    far.answers["/in"] = body(b"", 200, Set_Cookie="a=b")
    for _ in range(2):
        post(f"{far.url}/in")
    assert all("cookie" not in {n.lower() for n in head} for head in far.headers)
