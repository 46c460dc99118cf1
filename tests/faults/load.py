"""Clients who post under Idempotency-Keys, note each answer, and repeat what had none.

A screen is one call; an instruction is taken (202) and then settled, called back and recorded under
the travel rule by the workers. What a client is told beside an answer must be a problem with
Retry-After, or the connection breaks: `unfit` lists what was neither.
"""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.payees.registration.conftest import wallet

SCREEN, INITIATE = "/compliance/compliance/screen", "/integration/payments/initiate"
NAMES = ("Blue Heron Stationery Ltd", "Lazarus Group", "Maple Garden Tools GmbH")
EVERY = 5  # each fifth call is an instruction
PATIENCE = 30.0  # seconds that a client waits for an answer
LAST = 120.0  # seconds for what had no answer yet, after the fault: a dead caller's claim lasts 60
CLEAR = (429, 503)  # and 409 while the first call under a key still runs


@dataclass
class Load:
    """What clients asked and were told: `answers` by number, `tries` in order."""

    ports: list[int]
    keys: dict[str, str]
    receiver: str
    pause: float = 0.1
    answers: dict[int, dict[str, Any]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    unfit: list[str] = field(default_factory=list)
    differing: list[int] = field(default_factory=list)
    asked: int = 0
    slowest: float = 0.0

    def __post_init__(self) -> None:
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._open: list[int] = []
        self._threads: list[threading.Thread] = []

    def start(self, clients: int = 4) -> "Load":
        """Let clients begin."""
        self._threads = [threading.Thread(target=self._client, daemon=True) for _ in range(clients)]
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> None:
        """Begin nothing more; what is under way ends."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE * 2)

    def until_answered(self, more: int, seconds: float = 60.0) -> None:
        """Go on until so many further calls were answered."""
        goal, ends = len(self.answers) + more, time.monotonic() + seconds
        while len(self.answers) < goal:
            assert time.monotonic() < ends, f"no {more} answers within {seconds} s: {self.seen}"
            time.sleep(0.1)

    def finish(self) -> None:
        """Have each call that was begun answered, under its key."""
        self.stop()
        ends = time.monotonic() + LAST
        while self._open and time.monotonic() < ends:
            for number in list(self._open):
                if self._ask(number):
                    self._open.remove(number)
            time.sleep(0.5)
        assert not self._open, f"never answered: {self._open}; seen {dict(self.seen)}"

    def screens(self) -> dict[str, dict[str, Any]]:
        """Return the answers to screens by their reference."""
        return {f"S-{n}": said for n, said in self.answers.items() if n % EVERY}

    def payments(self) -> dict[str, dict[str, Any]]:
        """Return the answers to instructions by their reference."""
        return {f"P-{n}": said for n, said in self.answers.items() if not n % EVERY}

    def _client(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                number = self._open.pop(0) if len(self._open) > 20 else self.asked
                self.asked += number == self.asked
            if not self._ask(number):
                with self._lock:
                    self._open.append(number)
            time.sleep(self.pause)

    def _ask(self, number: int) -> bool:
        """Ask once; return whether it was answered."""
        begun = time.monotonic()
        try:
            status, headers, text = self._post(number)
        except (OSError, http.client.HTTPException) as error:
            with self._lock:
                self.seen[type(error).__name__] += 1
            return False
        with self._lock:
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.seen[str(status)] += 1
            return self._note(number, status, headers, text)

    def _note(self, number: int, status: int, headers: Any, text: bytes) -> bool:
        if status in (200, 202):
            document = json.loads(text)
            if number in self.answers and _name(self.answers[number]) != _name(document):
                self.differing.append(number)
            self.answers[number] = document
            return True
        problem = "json" in (headers["Content-Type"] or "") and json.loads(text)
        code = problem["code"] if problem else ""
        fit = status in CLEAR or (status, code) == (409, "idempotency_in_progress")
        if not (fit and problem and headers["Retry-After"]):
            self.unfit.append(f"{status} {text[:300]!r}")
        return False

    def _post(self, number: int) -> tuple[int, Any, bytes]:
        payment = not number % EVERY
        path, body = (INITIATE, self._instruction(number)) if payment else (SCREEN, screen(number))
        who = {"Authorization": f"Bearer {self.keys['institution']}"} if payment else {}
        head = who or {"X-API-Key": self.keys["subscription"]}
        head |= {"Content-Type": "application/json", "Idempotency-Key": f"faults-key-{number}"}
        port = self.ports[number % len(self.ports)]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("POST", path, json.dumps(body), head)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def _instruction(self, number: int) -> dict[str, Any]:
        creditor = {"name": f"Blue Heron {number} Limited", "walletAddress": wallet(5000 + number)}
        lei, payer = "INR2EJN1ERAN0W5ZP974", wallet(900_000 + number)
        debtor = {"name": "Microsoft Corporation", "lei": lei, "walletAddress": payer}
        return {
            "tmsReference": f"P-{number}",
            "amount": "250.00",
            "currency": "USD",
            "settlementAsset": "USDC",
            "creditor": creditor,
            "debtor": debtor,
            "callbackUrl": self.receiver,
        }


def screen(number: int) -> dict[str, Any]:
    """Return what is screened under a number: some are approved, some flagged, some blocked."""
    large = 150_000 if number % 7 == 0 else 100
    name = NAMES[number % len(NAMES)]
    return {"name": name, "country": "DE", "reference": f"S-{number}", "amount": large}


def _name(said: dict[str, Any]) -> Any:
    """Return what an answer is about: a payment moves on between two answers, a screen does not."""
    return said.get("svcPaymentId") or said


class Receiver:
    """Takes callbacks and notes them: event id and body, as often as they come."""

    def __init__(self) -> None:
        self.came: list[tuple[str, dict[str, Any]]] = []
        self.status: Callable[[], int] = lambda: 200
        noting = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                noting.came.append((self.headers["X-SVC-EventId"], json.loads(body)))
                self.send_response(noting.status())
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *said: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/callback"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def events(self) -> dict[str, set[str]]:
        """Return the ids of the events that came, by the reference of their payment."""
        found: dict[str, set[str]] = {}
        for event, body in list(self.came):
            found.setdefault(str(body["tmsReference"]), set()).add(event)
        return found

    def close(self) -> None:
        """End it."""
        self.server.shutdown()
        self.server.server_close()
