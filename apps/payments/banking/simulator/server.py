"""The simulated bank over HTTP, with its modes of misbehaviour."""

import hmac
import json
import re
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from apps.payments.banking.simulator.bank import RequestRefused, SimulatedBank

BASE = "/api/v1"
# ok; slow: answers after `seconds`; broken: 500 and nothing is done; lost: done, but never
# answered; garbled: done, but the answer is cut off
MISBEHAVIOUR_MODES = ("ok", "slow", "broken", "lost", "garbled")
MAX_BODY_SIZE = 1_000_000
_ACCOUNT = re.compile(r"/account/([0-9a-f-]{36})/transactions")


class BankServer(ThreadingHTTPServer):
    """The bank on a port of this machine; its `mode` may be changed while it runs.

    `changed` is called after every request that may have changed the bank's state.
    """

    daemon_threads = True

    def __init__(self, bank: SimulatedBank, token: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), BankRequestHandler)
        self.bank, self.token = bank, token
        self.changed: Callable[[], None] = lambda: None
        # -1 times: the mode stays until it is set again
        self.mode, self.seconds, self.times = "ok", 2.0, -1

    @property
    def url(self) -> str:
        """Where the API is."""
        return f"http://127.0.0.1:{self.server_address[1]}{BASE}"

    def misbehaves(self) -> str:
        """Return the mode of one call; a mode set for a number of calls then returns to ok."""
        mode = self.mode
        if self.times > 0:
            self.times -= 1
            self.mode = self.mode if self.times else "ok"
        return mode


class BankRequestHandler(BaseHTTPRequestHandler):
    """One request."""

    server: BankServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        try:
            body = json.loads(self.rfile.read(min(size, MAX_BODY_SIZE)) or b"{}")
        except ValueError:
            return self._write(400, {"error": "the body is not JSON"})
        return self._answer(body if isinstance(body, dict) else {})

    def _answer(self, body: dict[str, Any]) -> None:
        sent = self.headers.get("Authorization", "").encode()
        # bytes: a header that is no ASCII would raise
        if not hmac.compare_digest(sent, f"Bearer {self.server.token}".encode()):
            return self._write(401, {"error": "the token is wrong"})
        path = urlsplit(self.path)
        if path.path.startswith("/_"):
            server = self.server
            try:
                if path.path == "/_mode" and body.get("mode") in MISBEHAVIOUR_MODES:
                    server.mode, server.times = body["mode"], int(body.get("times", -1))
                    server.seconds = float(body.get("seconds", server.seconds))
                    return self._write(200, {"mode": server.mode})
                if path.path == "/_deposit":
                    result = server.bank.deposit(body)
                    server.changed()
                    return self._write(200, result)
                if path.path == "/_finish":
                    finished = server.bank.finish(str(body.get("status", "sent")))
                    server.changed()
                    return self._write(200, {"finished": finished})
            except (RequestRefused, ValueError) as error:
                return self._write(400, {"error": str(error)})
            return self._write(404, {"error": "there is nothing here"})
        mode = self.server.misbehaves()
        if mode == "slow":
            time.sleep(self.server.seconds)
        if mode == "broken":
            return self._write(500, {"error": "out of order"})
        status, answer = self._done(path.path.removeprefix(BASE), parse_qs(path.query), body)
        if self.command == "POST":
            self.server.changed()  # before the answer: everything the client is told must be stored
        if mode == "lost":
            return self._hang_up()
        return self._write(status, answer, cut=mode == "garbled")

    def _done(
        self, path: str, query: Mapping[str, list[str]], body: dict[str, Any]
    ) -> tuple[int, Any]:
        bank, account = self.server.bank, _ACCOUNT.fullmatch(path)
        calls: dict[tuple[str, str], Callable[[], Any]] = {
            ("GET", "/accounts"): bank.accounts,
            ("POST", "/recipients"): lambda: bank.save(body),
        }
        if account:
            page = {
                name: int((query.get(name) or [str(default)])[0])
                for name, default in (("limit", 500), ("offset", 0))
            }
            calls[("GET", path)] = lambda: bank.transactions(account[1], **page)
            calls[("POST", path)] = lambda: bank.send(account[1], body)
        call = calls.get((self.command, path))
        if call is None:
            return 404, {"error": "there is nothing here"}
        try:
            return 200, call()
        except RequestRefused as error:
            return error.status, {"error": error.why}

    def _write(self, status: int, answer: Any, *, cut: bool = False) -> None:
        raw = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw[: len(raw) // 2] if cut else raw)
        if cut:
            self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Log nothing: requests contain account numbers."""
