"""One flow for every call of the API (DESIGN.md section 3).

authenticate → rate → permission → read and validate, or 402 → verify a payment → claim the
Idempotency-Key → gather (reads only, no transaction) → settle → one transaction {conclude:
records, case, bill or receipt, stored answer}. A key is checked before the body is read; a payment
is verified after it, so that a bad request costs nothing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.pagination import BasePagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from apps.platform.api.answers import Answer, Refusal
from apps.platform.api.authentication import Grant
from apps.platform.api.callers import Caller
from apps.platform.api.filters import QueryFilterSet
from apps.platform.api.idempotency import Claim, content_type_of_answer, read_idempotency_key
from apps.platform.api.negotiation import DefaultToJSONNegotiation
from apps.platform.api.operations import Operation, PathParameter
from apps.platform.api.pagination import EncryptedCursorPagination
from apps.platform.api.parsers import StrictJSONParser
from apps.platform.api.representation import render_answer
from apps.platform.api.request_values import read_request_values
from apps.platform.common.clock import now as present
from apps.platform.common.problems import DomainError


class OperationViewSet(GenericViewSet[Any]):
    """Base of all viewsets: each action is an operation, and answers by `run` or `run_list`."""

    # by HTTP method for one address; the router sets it
    operations: ClassVar[Mapping[str, Operation]] = {}
    shared: ClassVar[Mapping[str, Any]] = {}  # fields of Operation that all actions share
    path_parameters: ClassVar[Mapping[str, PathParameter]] = {}
    http_method_names = ["delete", "get", "head", "patch", "post", "put"]
    parser_classes = (StrictJSONParser,)
    content_negotiation_class = DefaultToJSONNegotiation
    pagination_class: type[BasePagination] = EncryptedCursorPagination
    filterset_class: ClassVar[type[QueryFilterSet] | None] = None
    operation: Operation
    now: datetime
    request: Request
    format_kwarg = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.lookup_url_kwarg = next(iter(cls.path_parameters), cls.lookup_url_kwarg)

    # --- hooks of Django REST framework -------------------------------------------------

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        # one moment for the whole call: authentication, rates, records and the bill agree on it
        self.now = present()
        # RFC 9110 section 9.3.2: HEAD is GET without the body
        method = "GET" if request.method == "HEAD" else str(request.method)
        if (declared := self.operations.get(method)) is not None:
            self.operation = self.select_operation(request, declared)
        return super().initialize_request(request, *args, **kwargs)

    def select_operation(self, request: HttpRequest, declared: Operation) -> Operation:
        """Return the operation of a request: another one if the same call has another format."""
        return declared

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # no action for this method; the answer is 405 before anybody is authenticated
        if not hasattr(self, "operation"):
            self.http_method_not_allowed(request)
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(
            request
        )
        self.perform_authentication(request)
        # calls with a key of the wrong kind count too
        self.check_throttles(request)
        self.check_permissions(request)

    @property
    def grant(self) -> Grant | None:
        """The right to this call; None without credentials."""
        grant: Grant | None = self.request.auth  # type: ignore[assignment]
        return grant

    @property
    def owner(self) -> str:
        """Return the owner of what this call reads and makes; empty before authentication."""
        return self.grant.caller.ref if self.grant else ""

    def challenge(self, values: Mapping[str, Any] | None = None) -> DomainError:
        """Return the refusal that tells a caller without credentials what to send.

        It is that of the first authentication class; its headers also name what the other classes
        accept.
        """
        asked = {"operation": self.operation, "request": self.request._request, "values": values}
        ways: Any = self.get_authenticators()
        first, *others = filter(None, (way.challenge(**asked) for way in ways))
        for other in others:
            first.headers = other.headers | first.headers
        return first

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Only declared headers, and the one that says which header chooses between formats."""
        if not hasattr(self, "operation"):
            return {"Allow": ", ".join(self.allowed_methods)}
        return {"Vary": "Accept"} if len(self.renderer_classes) > 1 else {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(response, Response):
            response.render()
        if isinstance(response, HttpResponse) and response.status_code != 304:
            # without a length it would be sent in chunks
            response.headers.setdefault("Content-Length", str(len(response.content)))
        grant: Grant | None = getattr(request, "_auth", None)
        # proxies must not store names and decisions
        headers = (grant.headers if grant else {}) | {"Cache-Control": "no-store"}
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response

    # --- how an action answers ----------------------------------------------------------

    def run(
        self,
        gather: Callable[..., Any] | None,
        conclude: Callable[..., Any] | None = None,
        build: Callable[..., Any] = dict,
    ) -> HttpResponseBase:
        """Answer a call: read, gather, settle, and conclude in one transaction.

        `build` turns the validated values into the `asked` that both functions get.
        `gather(asked=…, now=…)` reads, may wait for upstreams, writes nothing and holds no
        transaction. `conclude(asked=…, gathered=…, caller=…, now=…)` writes and returns the answer
        inside the one transaction of the call; without `conclude` the gathered values are the
        answer. A complete response, such as a file that streams, is neither kept nor billed.
        Neither function knows keys, prices or payments.
        """
        grant, asked, claim, stored = self.read_request(build)
        if stored is not None:
            return self._repeat(stored)
        operation, now = self.operation, self.now
        try:
            if (stored := claim.take()) is not None:  # a repeated answer costs nothing
                grant.release(now=now)
                return self._repeat(stored)
            gathered = gather(asked=asked, now=now) if gather else None
            grant.settle(now=now)
            # a read that is billed writes its bill
            writes = operation.method != "GET" or operation.access.price is not None
            with transaction.atomic() if writes else nullcontext():
                made: Any = gathered
                if conclude:
                    made = conclude(asked=asked, gathered=gathered, caller=grant.caller, now=now)
                # a file that streams cannot be stored for a repeat
                if isinstance(made, HttpResponseBase):
                    return made
                if not isinstance(made, Refusal):
                    answer = (
                        made if isinstance(made, Answer) else Answer(made, operation.statuses[0])
                    )
                    text = answer.xml or self._text(answer.values)
                    claim.complete(text, answer.status)
                    grant.charge(operation=operation, answer=text, status=answer.status, now=now)
                    return self._respond(text, answer.status, answer.headers)
            raise made.problem  # committed together with what the call wrote
        except BaseException:  # a failure frees the key and whatever the grant held
            claim.release()
            grant.release(now=now)
            raise

    def run_list(
        self,
        rows_of: Callable[..., QuerySet[Any]],
        show: Callable[[Sequence[Any]], list[dict[str, Any]]],
    ) -> HttpResponseBase:
        """Answer one page of the caller's rows.

        `rows_of(asked=…, caller=…, now=…)` returns the rows that the caller may see; the viewset's
        FilterSet narrows them by the values of the query, and its pagination cuts the page that
        `show` turns into values. `show` leaves out rows that may not be served; they are counted as
        `withheld`.
        """

        def conclude(
            *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
        ) -> dict[str, Any]:
            rows = rows_of(asked=asked, caller=caller, now=now)
            if self.filterset_class is not None:
                rows = self.filterset_class(asked, rows, request=self.request).qs
            page = self.paginate_queryset(rows) or []
            shown = show(page)
            values: dict[str, Any] = self.get_paginated_response(shown).data
            withheld = len(page) - len(shown)
            return values | ({"withheld": withheld} if withheld else {})

        return self.run(None, conclude)

    def read_request(
        self, build: Callable[..., Any]
    ) -> tuple[Grant, Any, Claim, HttpResponse | None]:
        """Return the grant, the values, the claim to answer the call, and the stored answer if any.

        Raises 400 for an invalid request. Only a valid request has a known price, so 402 comes
        after that. HEAD returns the price and buys nothing.
        """
        operation, grant, now = self.operation, self.grant, self.now
        http_request = self.request._request
        values = read_request_values(operation=operation, request=self.request, path=self.kwargs)
        asked = build(**values)
        # HEAD must not buy anything: its answer has no body to show for the price
        if grant is None or (http_request.method == "HEAD" and operation.access.pays):
            raise self.challenge(values)
        values |= self.identify_headers()
        secret = operation.answers_secret
        key = None
        if operation.takes_idempotency_key:
            key = read_idempotency_key(request=http_request, secret=secret)
        # a digest of the whole request is only worth its time where it is stored
        fingerprint = operation.fingerprint(values) if key else ""
        claim = Claim(key, fingerprint, owner=grant.caller.ref, secret=secret, now=now)
        stored = grant.verify(operation=operation, values=values, claim=claim, now=now)
        return grant, asked, claim, stored

    def identify_headers(self) -> dict[str, str]:
        """Return the identities in the call's own headers, as part of what its key is bound to.

        Raises for an identity that is no longer valid, before a stored answer is repeated.
        """
        return {}

    def _text(self, values: Any) -> str:
        """Return the JSON of an answer, through the operation's serializer."""
        shape = self.operation.response
        body: Any = (
            [render_answer(shape, value) for value in values]
            if self.operation.many
            else render_answer(shape, values)
        )
        return JSONRenderer().render(body).decode()

    def _respond(self, text: str, status: int, headers: Mapping[str, str]) -> HttpResponseBase:
        """Return an answer's text as it is, or in the format that the caller prefers."""
        if status == 200 and not isinstance(self.request.accepted_renderer, JSONRenderer):
            return Response(text, status=status, headers=dict(headers))
        return HttpResponse(
            text, status=status, headers=dict(headers), content_type=content_type_of_answer(text)
        )

    def _repeat(self, stored: HttpResponse) -> HttpResponseBase:
        """Return a stored answer with the headers that are built from its body."""
        text, headers = stored.content.decode(), dict(stored.headers)
        # such headers are made from the body, because only the body is stored
        if self.operation.repeat_headers and stored.status_code < 300:
            headers = dict(self.operation.repeat_headers(json.loads(text))) | headers
        headers.pop("Content-Type", None)
        return self._respond(text, stored.status_code, headers)
