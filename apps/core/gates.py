"""Gates: how a caller is let in, and how a call is paid for; `config/gates.py` lists them.

A gate looks for its own credentials in a request. The first that finds some answers for the
caller with a `Ticket`, or refuses; when none finds any, the first that can tell what to send
does so: a payment (402) or a key (401).
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Protocol

from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.core.problems import DomainError
from config.gates import GATES


class Ticket:
    """The right to one call; a gate that takes payments overrides the steps that it needs.

    The order is verify → (gather) → settle → charge, or release when the call fails. What the
    call writes is written after `settle`: until a payment is settled nothing of it is visible.
    `headers` are told whatever becomes of the call; a step may add to them. With `retold` the
    caller is proved when it is let in, and may by now be refused what it was answered before: a
    stored answer comes before `verify`.
    """

    retold: ClassVar[bool] = False

    def __init__(self, caller: Caller, headers: Mapping[str, str] | None = None) -> None:
        self.caller = caller
        self.headers = dict(headers or {})

    def verify(
        self, *, row: Endpoint, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Check a payment, after the request was found valid; raises what refuses it.

        `values` are what was asked, defaults included. Returns what the same payment was answered
        before, where it comes again with the same request. What it raises leaves nothing held.
        """
        return None

    def settle(self, *, row: Endpoint, now: datetime) -> None:
        """Take a payment, outside any transaction, after gathering succeeded."""

    def charge(self, *, row: Endpoint, answer: str, status: int, now: datetime) -> None:
        """Write the bill, or what was answered to a payment, last in the call's transaction."""

    def release(self, *, row: Endpoint, settled: bool, now: datetime) -> None:
        """Free what was held, because the call failed; `settled` says that money has moved."""


class Gate(Protocol):
    """One way in."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return a ticket; None when the request has no credentials for this gate."""
        ...

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Return the refusal that says what to send; None when this gate does not lead there.

        `values` are what was asked; None before the request was read.
        """
        ...


@cache
def gates() -> tuple[Gate, ...]:
    """Return the gates of config/gates.py, in order."""
    return tuple(import_string(path)() for path in GATES)


def admit(*, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
    """Return the ticket of the first gate that finds credentials; None when none does."""
    for gate in gates():
        ticket = gate.admit(row=row, request=request, now=now)
        if ticket is not None:
            return ticket
    return None


def challenge(
    *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None = None
) -> DomainError:
    """Return what tells a caller without credentials what to send.

    That of the first gate; what the others ask for stands in its headers too.
    """
    asked = (gate.challenge(row=row, request=request, values=values) for gate in gates())
    first, *others = [refusal for refusal in asked if refusal is not None]
    for other in others:
        first.headers = other.headers | first.headers
    return first
