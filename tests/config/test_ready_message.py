"""`./run` says that the platform is ready once it answers, and not before."""

import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from config import supervise
from config.supervise import Supervisor, WelcomeMessage

TEXT = [sys.executable, "-c", "import sys; print('who may sign in', file=sys.stderr)"]


class Refusing(BaseHTTPRequestHandler):
    """A web worker that knows no host of this name: it answers all the same."""

    def do_HEAD(self) -> None:
        self.send_response(400)
        self.end_headers()

    def log_message(self, *given: Any) -> None: ...


@pytest.fixture
def web() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_nothing_is_said_before_web_workers_answer(web: HTTPServer, capfd: Any) -> None:
    port = web.server_address[1]
    welcome = WelcomeMessage(port=port, text=TEXT)
    web.shutdown()
    web.server_close()
    assert not welcome.said()
    assert capfd.readouterr() == ("", "")


def test_the_text_comes_once_they_answer_and_ends_with_the_address(
    web: HTTPServer, capfd: Any
) -> None:
    port = web.server_address[1]
    assert WelcomeMessage(port=port, text=TEXT).said()
    err = capfd.readouterr().err
    assert err.startswith("who may sign in\n")
    assert err.endswith(f"Ready: http://127.0.0.1:{port}/ answers. Stop with Ctrl-C.\n")


def test_it_is_said_once_and_parts_are_looked_after_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    class Slow(WelcomeMessage):
        def said(self) -> bool:
            asked.append(1)
            return len(asked) == 3

    supervisor = Supervisor([], welcome=Slow(port=1))
    turns = iter(range(6))

    def sleep(_: float) -> None:
        supervisor.stopping = next(turns) == 5

    monkeypatch.setattr(supervise.time, "sleep", sleep)
    monkeypatch.setattr(supervise.signal, "signal", lambda *given: None)
    assert supervisor.run() == 0
    assert len(asked) == 3 and supervisor.welcome is None


@pytest.mark.parametrize(
    ("host", "shown"), [("", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]")]
)
def test_the_address_is_one_that_can_be_opened(
    monkeypatch: pytest.MonkeyPatch, capfd: Any, host: str, shown: str
) -> None:
    monkeypatch.setenv("HOST", host)
    welcome = WelcomeMessage(port=8000)
    monkeypatch.setattr(welcome, "_answers", lambda: True)
    assert welcome.said()
    assert f"Ready: http://{shown}:8000/ answers" in capfd.readouterr().err
