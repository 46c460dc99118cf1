"""Gates: how a caller is let in, and how a call is paid for; `config/gates.py` lists them.

A gate looks for its own credentials in a request. The first that finds some answers for the
caller with a `Ticket`, or refuses; when none finds any, the first that can tell what to send
does so: a payment (402) or a key (401).
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, Protocol

from django.http import HttpRequest
from django.utils.module_loading import import_string

from apps.core.callers import Caller
from apps.core.endpoints import Endpoint
from apps.core.problems import DomainError
from config.gates import GATES


class Ticket:
    """The right to one call; a gate that takes payments overrides the steps that it needs.

    The order is verify → (gather) → settle → charge, or release when the call fails. What the
    call writes is written after `settle`: until a payment is settled nothing of it is visible.
    """

    def __init__(self, caller: Caller, headers: Mapping[str, str] | None = None) -> None:
        self.caller = caller
        self.headers = dict(headers or {})

    def verify(self, *, row: Endpoint, asked: Any, now: datetime) -> None:
        """Check a payment, after the request was found valid; raises what refuses it."""

    def settle(self, *, row: Endpoint, now: datetime) -> None:
        """Take a payment, outside any transaction, after gathering succeeded."""

    def charge(self, *, row: Endpoint, now: datetime) -> None:
        """Write bill or receipt, last in the transaction of the call."""

    def release(self, *, row: Endpoint, settled: bool, now: datetime) -> None:
        """Free what was held, because the call failed; `settled` says that money has moved."""


class Gate(Protocol):
    """One way in."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return a ticket; None when the request has no credentials for this gate."""
        ...

    def challenge(self, *, row: Endpoint, request: HttpRequest) -> DomainError | None:
        """Return the refusal that says what to send; None when this gate does not lead there."""
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


def challenge(*, row: Endpoint, request: HttpRequest) -> DomainError:
    """Return what tells a caller without credentials what to send."""
    found = (gate.challenge(row=row, request=request) for gate in gates())
    return next(refusal for refusal in found if refusal is not None)
