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
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.pagination import BasePagination
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.viewsets import GenericViewSet

from apps.platform.api.answers import Answer, Refusal
from apps.platform.api.authentication import Grant, GrantAuthentication
from apps.platform.api.callers import Caller
from apps.platform.api.filters import QueryFilterSet
from apps.platform.api.idempotency import Claim, content_type_of_answer, read_idempotency_key
from apps.platform.api.negotiation import DefaultToJSONNegotiation
from apps.platform.api.operations import Operation, PathParameter
from apps.platform.api.pagination import EncryptedCursorPagination
from apps.platform.api.renderers import StoredJSONRenderer
from apps.platform.api.representation import render_answer
from apps.platform.api.request_values import read_header_values, read_request_values
from apps.platform.common.clock import now as present
from apps.platform.common.problems import DomainError, problem_of_status

Build = Callable[..., Any]


class OperationViewSet(GenericViewSet[Any]):
    """Base of all viewsets: each action is an operation, and answers by `run` or `stream`."""

    # by HTTP method, of one address: the router sets them
    operations: ClassVar[Mapping[str, Operation]] = {}
    shared: ClassVar[Mapping[str, Any]] = {}  # fields of Operation that all actions have alike
    path_parameters: ClassVar[Mapping[str, PathParameter]] = {}
    lookup_value_converter = "str"
    http_method_names = ["delete", "get", "head", "patch", "post", "put"]
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

    # --- what Django REST framework asks of a view --------------------------------------

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        self.now = present()
        method = "GET" if request.method == "HEAD" else str(request.method)
        if (declared := self.operations.get(method)) is not None:
            self.operation = self.select_operation(request, declared)
        return super().initialize_request(request, *args, **kwargs)

    def select_operation(self, request: HttpRequest, declared: Operation) -> Operation:
        """Return the operation of a request; another where the same call has another format."""
        return declared

    def get_parsers(self) -> list[BaseParser]:
        return [parser() for parser in self.operation.parsers] if hasattr(self, "operation") else []

    def get_renderers(self) -> list[BaseRenderer]:
        documents = self.operation.documents if hasattr(self, "operation") else ()
        return [StoredJSONRenderer(), *(document() for document in documents)]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not hasattr(self, "operation"):
            raise problem_of_status(
                405,
                f'Method "{str(request.method)[:20]}" not allowed.',
                headers={"Allow": ", ".join(self.allowed_methods)},
            )
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(
            request
        )
        self.perform_authentication(request)
        # a key of the wrong kind is counted too
        self.check_throttles(request)
        self.check_permissions(request)
        if self.grant is not None:
            self.grant.admitted(now=self.now)

    @property
    def grant(self) -> Grant | None:
        """The right to this call; None without credentials."""
        grant: Grant | None = self.request.auth  # type: ignore[assignment]
        return grant

    @property
    def owner(self) -> str:
        """Return who owns what this call reads and makes; empty before the caller is let in."""
        return self.grant.caller.ref if self.grant else ""

    def challenge(self, values: Mapping[str, Any] | None = None) -> DomainError:
        """Return what tells a caller without credentials what to send.

        That of the first way in; what the others want stands in its headers too.
        """
        refusals = [
            way.challenge(operation=self.operation, request=self.request._request, values=values)
            for way in self.get_authenticators()
            if isinstance(way, GrantAuthentication)
        ]
        first, *others = [refusal for refusal in refusals if refusal is not None]
        for other in others:
            first.headers = other.headers | first.headers
        return first

    @property
    def default_response_headers(self) -> dict[str, str]:
        """No headers but those that are declared."""
        return {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(response, Response):
            response.render()
        if hasattr(self, "operation") and self.operation.documents:
            patch_vary_headers(response, ["Accept"])
        response = self._not_modified(response)
        if isinstance(response, HttpResponse) and response.status_code != 304:
            # without a length it would go out in chunks
            response.headers.setdefault("Content-Length", str(len(response.content)))
        grant: Grant | None = getattr(request, "_auth", None)
        # names and decisions are nobody's to keep on the way
        headers = (grant.headers if grant else {}) | {"Cache-Control": "no-store"}
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        return response

    def _not_modified(self, response: HttpResponseBase) -> HttpResponseBase:
        """Return 304 without a body where the caller has what the answer's ETag stands for."""
        request = self.request._request
        readable = request.method in ("GET", "HEAD") and response.status_code == 200
        if not readable or not isinstance(response, HttpResponse) or "ETag" not in response:
            return response
        conditional_response = get_conditional_response(
            request, etag=response["ETag"], response=response
        )
        if conditional_response is not None and conditional_response.status_code == 412:
            return problem_of_status(412, "The answer does not match If-Match.").respond()
        return conditional_response or response

    # --- how an action answers ----------------------------------------------------------

    def run(
        self,
        gather: Callable[..., Any] | None,
        conclude: Callable[..., Any] | None = None,
        build: Build = dict,
    ) -> HttpResponseBase:
        """Answer a call: read, gather, settle, and conclude in one transaction.

        `build` turns the validated values into what both functions are given as `asked`.
        `gather(asked=…, now=…)` reads, may wait for upstreams, writes nothing and holds no
        transaction. `conclude(asked=…, gathered=…, caller=…, now=…)` writes and returns the answer,
        inside the one transaction of the call; without it what was gathered is the answer. Neither
        knows of keys, prices or payments.
        """
        grant, asked, claim, stored = self.read_request(build)
        if stored is not None:
            return self._repeat(stored)
        operation, now, settled = self.operation, self.now, False
        try:
            if (stored := claim.take()) is not None:  # what was answered before costs nothing
                grant.release(operation=operation, settled=False, now=now)
                return self._repeat(stored)
            gathered = gather(asked=asked, now=now) if gather else None
            grant.settle(operation=operation, now=now)
            settled = True
            writes = operation.method != "GET" or operation.access.price is not None
            with transaction.atomic() if writes else nullcontext():
                made: Any = gathered
                if conclude:
                    made = conclude(asked=asked, gathered=gathered, caller=grant.caller, now=now)
                if not isinstance(made, Refusal):
                    answer = (
                        made if isinstance(made, Answer) else Answer(made, operation.statuses[0])
                    )
                    text = answer.xml or self._text(answer.values)
                    claim.complete(text, answer.status)
                    grant.charge(operation=operation, answer=text, status=answer.status, now=now)
                    return self._respond(text, answer.status, answer.headers)
            raise made.problem  # what was written with it is committed
        except BaseException:  # what fails frees the key, and what the grant held
            claim.release()
            grant.release(operation=operation, settled=settled, now=now)
            raise

    def run_list(
        self,
        rows_of: Callable[..., QuerySet[Any]],
        show: Callable[[Sequence[Any]], list[dict[str, Any]]],
    ) -> HttpResponseBase:
        """Answer one page of the caller's rows.

        `rows_of(asked=…, caller=…, now=…)` returns the rows that the caller may see; the viewset's
        FilterSet narrows them by the values of the query, and its pagination cuts the page that
        `show` turns into values. `show` leaves out what may not be served; that is counted as
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

    def stream(
        self, view: Callable[..., HttpResponseBase], build: Build = dict
    ) -> HttpResponseBase:
        """Answer a call by `view(request, asked=…, caller=…, now=…)`, whose answer is not kept."""
        grant, asked, _, stored = self.read_request(build)
        if stored is not None:
            return self._repeat(stored)
        return view(self.request._request, asked=asked, caller=grant.caller, now=self.now)

    def read_request(self, build: Build) -> tuple[Grant, Any, Claim, HttpResponse | None]:
        """Return the grant, what is asked, the claim to answer it, and what it was answered before.

        Raises 400 for what is not valid; only then is it known what is to be paid for, and 402
        says so. HEAD tells the price, and buys nothing.
        """
        operation, grant, now = self.operation, self.grant, self.now
        http_request = self.request._request
        values = read_request_values(operation=operation, request=self.request, path=self.kwargs)
        headers = read_header_values(operation=operation, request=http_request)
        payer: dict[str, str] = {}
        if operation.access.beside:  # whose figures may be reported, and who pays
            caller = grant.caller if grant else Caller("", "")
            payer = {"account": caller.account, "payer": caller.wallet}
        asked = build(**values, **headers, **payer)
        if grant is None or (http_request.method == "HEAD" and operation.access.pays):
            raise self.challenge(values)
        values |= {  # whom the headers stand for; all hold now
            name: header.identity(headers[name], now)
            for name, header in operation.header_parameters.items()
            if header.identity is not None and headers[name]
        }
        secret = operation.answers_secret
        key = None
        if operation.takes_idempotency_key:
            key = read_idempotency_key(request=http_request, secret=secret)
        fingerprint = operation.fingerprint(values) if key else ""
        claim = Claim(key, fingerprint, owner=grant.caller.ref, secret=secret, now=now)
        stored = claim.stored() if grant.repeats_first else None
        stored = stored or grant.verify(operation=operation, values=values, now=now)
        return grant, asked, claim, stored

    def _text(self, values: Any) -> str:
        """Return the JSON of an answer, through the operation's serializer."""
        shape = self.operation.response
        body: Any = (
            [render_answer(shape, value) for value in values]
            if self.operation.many
            else render_answer(shape, values)
        )
        return json.dumps(
            body, cls=JSONEncoder, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )

    def _respond(self, text: str, status: int, headers: Mapping[str, str]) -> HttpResponseBase:
        """Return an answer's text: as it is, or in the form that the caller prefers."""
        if status == 200 and not isinstance(self.request.accepted_renderer, StoredJSONRenderer):
            return Response(text, status=status, headers=dict(headers))
        return HttpResponse(
            text, status=status, headers=dict(headers), content_type=content_type_of_answer(text)
        )

    def _repeat(self, stored: HttpResponse) -> HttpResponseBase:
        """Return a stored answer with the headers that are made from its body."""
        text, headers = stored.content.decode(), dict(stored.headers)
        if self.operation.repeat_headers and stored.status_code < 300:
            headers = dict(self.operation.repeat_headers(json.loads(text))) | headers
        headers.pop("Content-Type", None)
        return self._respond(text, stored.status_code, headers)
