"""Authenticate callers: the base of all authentication classes, and the grant that they give.

REST_FRAMEWORK names the classes in the order in which they look for their own credentials. The
first class that finds some either lets the caller in with a `Grant` or refuses. When none finds
any, the first class that can say what to send does so: a payment (402) or a key (401).
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.platform.api.callers import Caller
from apps.platform.api.idempotency import Claim
from apps.platform.api.operations import Access, Operation
from apps.platform.common.problems import DomainError


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How many calls a minute may be counted under `bucket`."""

    bucket: str
    limit: int


class Grant:
    """The right to one call, `request.auth`; a class that takes payments overrides what it needs.

    The order is verify → (gather) → settle → charge, or release when the call fails. The call
    writes after `settle`, so nothing of it is visible until a payment is settled. `headers` are
    sent whether the call succeeds or fails; a step may add to them.
    """

    def __init__(self, caller: Caller, rate: RateLimit | None = None) -> None:
        self.caller = caller
        self.rate = rate
        self.headers: dict[str, str] = {}

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], claim: Claim, now: datetime
    ) -> HttpResponse | None:
        """Check a payment after the request was found valid; raises the refusal.

        `values` are those of the request, defaults included. Returns the stored answer when the
        same payment comes again with the same request, or when an authenticated caller repeats a
        call that would now be refused (`claim.stored`). When it raises, nothing stays held.
        """
        return None

    def settle(self, *, now: datetime) -> None:
        """Take a payment, outside any transaction, after gathering succeeded."""

    def charge(self, *, operation: Operation, answer: str, status: int, now: datetime) -> None:
        """Write the bill, or the answer that a payment bought, as the last step of the transaction.

        That transaction also has the records of the call.
        """

    def release(self, *, now: datetime) -> None:
        """Release what was held, because the call failed."""


class GrantAuthentication(BaseAuthentication):
    """One method of authentication: its credentials, and what to send when they are missing."""

    def authenticate(self, request: Request) -> tuple[Caller, Grant] | None:
        """Return the caller and its grant; None without credentials of this kind."""
        view = request.parser_context["view"]
        if not hasattr(view, "operation"):  # a plain view that is not one of our viewsets
            return None
        grant = self.admit(operation=view.operation, request=request._request, now=view.now)
        return (grant.caller, grant) if grant else None

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant that a request's credentials give; None when the request has none."""
        raise NotImplementedError

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Return the refusal that says what to send; None if this method grants no access here.

        `values` are those of the request; None before it was read.
        """
        return None

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        """Return the headers, single or combined, that this method accepts; OpenAPI names them."""
        return ()

    def response_headers(
        self, access: Access, good: Set[int]
    ) -> Iterable[tuple[Set[int], Mapping[str, str]]]:
        """Return the headers that this method puts on answers, with descriptions, by status.

        `good` are the statuses of answers that are not refusals.
        """
        return ()

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        """Return the refusals of this method beyond those that keys and signatures share."""
        return ()
