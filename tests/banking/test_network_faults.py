"""What the network does between us and the bank: each payment leaves once all the same."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest

from apps.payments.banking.models import Send
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.upstreams.models import UpstreamState
from tests.banking.banks import Payer, work
from tests.banking.test_sends import paid

pytestmark = pytest.mark.django_db


class Proxy:
    """Passes connections on to a server, and spoils the first that come after `fault` is set."""

    def __init__(self, url: str) -> None:
        self.target = urlsplit(url)
        self.fault, self.times = "", 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}{self.target.path}"

    def spoil(self, fault: str, times: int = 1) -> None:
        self.fault, self.times = fault, times

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _taken(self) -> str:
        if not self.times:
            return ""
        self.times -= 1
        return self.fault

    def _pass(self, client: socket.socket) -> None:
        fault = self._taken()
        with client, suppress(OSError):
            asked = _request(client)
            if fault == "reset before":
                return _reset(client)
            answer = self._ask(asked)
            if fault == "duplicate":
                answer = self._ask(asked)
            if fault == "reset after":
                return _reset(client)
            if fault == "half-close":
                client.shutdown(socket.SHUT_WR)
                return None
            if fault == "truncate":
                answer = answer[: len(answer) - 5]
            client.sendall(answer)
        return None

    def _ask(self, asked: bytes) -> bytes:
        place = (self.target.hostname, self.target.port)
        with socket.create_connection(place) as bank:  # type: ignore[arg-type]
            bank.sendall(asked.replace(b"Connection: keep-alive", b"Connection: close"))
            return _response(bank)


def _reset(client: socket.socket) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def _request(client: socket.socket) -> bytes:
    return _message(client)


def _response(bank: socket.socket) -> bytes:
    return _message(bank)


def _message(end: socket.socket) -> bytes:
    """Read a head and as much of a body as it promises."""
    held = b""
    while b"\r\n\r\n" not in held and (piece := end.recv(65536)):
        held += piece
    head, _, body = held.partition(b"\r\n\r\n")
    size = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            size = int(line.partition(b":")[2])
    while len(body) < size and (piece := end.recv(65536)):
        body += piece
    return head + b"\r\n\r\n" + body


@contextmanager
def between(server: BankServer, settings: Any) -> Iterator[Proxy]:
    proxy = Proxy(server.url)
    settings.BANK_API_URL = proxy.url
    try:
        yield proxy
    finally:
        proxy.listener.close()


@pytest.mark.parametrize(
    "fault", ["reset before", "reset after", "half-close", "truncate", "duplicate"]
)
def test_whatever_becomes_of_a_connection_a_payment_leaves_once(
    alice: Payer, bank: BankServer, settings: Any, fault: str
) -> None:
    with between(bank, settings) as proxy:
        recipient = alice.save()["recipientId"]
        work()
        alice.send(recipient, idempotencyKey="k")
        proxy.spoil(fault)
        work()
        UpstreamState.objects.all().delete()
        for minutes in (1, 5, 20):
            work(now() + timedelta(minutes=minutes))
    assert Send.objects.get().state == "SENT" and len(paid(bank)) == 1


def test_a_bank_that_is_slow_is_asked_again_and_pays_once(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    recipient = alice.save()["recipientId"]
    work()
    alice.send(recipient)
    monkeypatch.setattr("apps.payments.banking.clients.bank_api.BankApi.patience", 0.3)
    bank.mode, bank.times, bank.seconds = "slow", 1, 1.0
    work()
    assert Send.objects.get().state == "TAKEN"
    monkeypatch.undo()
    work(now() + timedelta(minutes=1))
    assert Send.objects.get().state == "SENT" and len(paid(bank)) == 1


def test_while_the_bank_is_down_payments_wait_and_none_is_lost(
    alice: Payer, bank: BankServer
) -> None:
    recipient = alice.save()["recipientId"]
    work()
    for _ in range(3):
        alice.send(recipient)
    bank.mode = "broken"
    for minutes in (0, 1, 5, 20):
        work(now() + timedelta(minutes=minutes))
    assert not paid(bank) and set(Send.objects.values_list("state", flat=True)) == {"TAKEN"}
    bank.mode = "ok"
    UpstreamState.objects.all().delete()
    work(now() + timedelta(hours=2))
    assert len(paid(bank)) == 3
