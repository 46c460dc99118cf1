"""How callers are let in: the base of all authentication classes, and the grant that they give.

REST_FRAMEWORK names the classes in the order in which they look for their own credentials. The
first that finds some lets the caller in with a `Grant`, or refuses. When none finds any, the
first that can say what to send does so: a payment (402) or a key (401).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, Operation
from apps.platform.common.problems import DomainError


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How many calls a minute may be made by whoever `bucket` names."""

    bucket: str
    limit: int


class Grant:
    """The right to one call, `request.auth`; one that takes payments overrides what it needs.

    The order is admitted → verify → (gather) → settle → charge, or release when the call fails.
    What the call writes is written after `settle`: until a payment is settled nothing of it is
    visible. `headers` are sent whatever becomes of the call; a step may add to them. With
    `repeats_first` the caller is proved when it is let in, and may by now be refused what it was
    answered before: a stored answer comes before `verify`.
    """

    repeats_first: ClassVar[bool] = False
    key_kind: str = ""

    def __init__(self, caller: Caller, rate: RateLimit | None = None) -> None:
        self.caller = caller
        self.rate = rate
        self.headers: dict[str, str] = {}

    def admitted(self, *, now: datetime) -> None:
        """Note that the caller was let in: neither over its rate nor of the wrong kind."""

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Check a payment, after the request was found valid; raises what refuses it.

        `values` are those of the request, defaults included. Returns what the same payment was
        answered before, where it comes again with the same request. What it raises leaves nothing
        held.
        """
        return None

    def settle(self, *, operation: Operation, now: datetime) -> None:
        """Take a payment, outside any transaction, after gathering succeeded."""

    def charge(self, *, operation: Operation, answer: str, status: int, now: datetime) -> None:
        """Write the bill, or what was answered to a payment, last in the call's transaction."""

    def release(self, *, operation: Operation, settled: bool, now: datetime) -> None:
        """Free what was held, because the call failed; `settled` says that money has moved."""


class GrantAuthentication(BaseAuthentication):
    """One way in: its credentials, and what to send where they are missing."""

    def authenticate(self, request: Request) -> tuple[Caller, Grant] | None:
        """Return the caller and its grant; None without credentials of this kind."""
        view = request.parser_context["view"]
        if not hasattr(view, "operation"):  # a plain view of somebody's
            return None
        grant = self.admit(operation=view.operation, request=request._request, now=view.now)
        return (grant.caller, grant) if grant else None

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant that a request's credentials give; None where it has none."""
        raise NotImplementedError

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Return the refusal that says what to send; None where this way does not lead in.

        `values` are those of the request; None before it was read.
        """
        return None

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        """Return the headers, alone or together, by which it lets in; OpenAPI names them."""
        return ()

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        """Return what this way in may refuse with, beside what keys and signatures have."""
        return ()
