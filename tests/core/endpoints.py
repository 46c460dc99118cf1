"""Endpoints of the tests' own: each can be told how to end."""

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError, transaction
from django.http import Http404
from django.urls import path
from rest_framework import exceptions as drf
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.auth import KeyView
from apps.access.models import Kind
from apps.core.api import ApiView
from apps.core.idempotency import Claim, idempotent
from apps.core.models import Heartbeat
from apps.core.pagination import Cursor, LimitOffset
from apps.core.problems import (
    Conflict,
    DomainError,
    NotFound,
    Unavailable,
    handler400,
    handler403,
    handler404,
    handler500,
)
from apps.core.shapes import Number, Shape, Text
from config.urls import urlpatterns as of_the_project

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class NoteIn(Shape):
    text = Text(max_length=20)
    amount = Number(required=False)


class NoteQuery(Shape):
    text = Text(required=False)


RAISED: dict[str, Exception] = {
    "domain": DomainError("No.", errors=[{"field": "a.b", "message": "Wrong."}]),
    "not-found": NotFound("There is no such thing."),
    "conflict": Conflict("Already so."),
    "unavailable": Unavailable("Later.", retry_after=7.2),
    "http404": Http404("secret path"),
    "denied": PermissionDenied("secret reason"),
    "too-big": RequestDataTooBig("secret"),
    "suspicious": SuspiciousOperation("secret"),
    "throttled": drf.Throttled(wait=9.1),
    "unauthenticated": drf.NotAuthenticated(),
    "drf-denied": drf.PermissionDenied(),
    "drf-teapot": drf.APIException("secret brew"),
    "database": OperationalError("secret host does not answer"),
    "bug": ZeroDivisionError("secret"),
    "invalid": drf.ValidationError({"a": {"b": ["One.", "Two."]}, "rows": [{}, {"c": ["X."]}]}),
    "invalid-text": drf.ValidationError("Whole."),
}


class NoteView(ApiView):
    def get(self, request: Request) -> Response:
        return Response(self.read_query(NoteQuery, request))

    def post(self, request: Request) -> Response:
        return Response(self.read(NoteIn, request))


class RaisingView(ApiView):
    def get(self, request: Request, what: str) -> Response:
        raise RAISED[what]


class HeartbeatOut(Shape):
    name = Text()


class ListView(ApiView):
    pages: Any = Cursor

    def get(self, request: Request) -> Response:
        pages = self.pages()
        rows = pages.paginate_queryset(Heartbeat.objects.order_by("pk"), request, self)
        return pages.get_paginated_response(HeartbeatOut(rows, many=True).data)


class HeartbeatCursor(Cursor):
    ordering = "-at"


class OnceView(KeyView):
    """Writes one row a call; the body says how the call ends."""

    key_kinds = (Kind.SUBSCRIPTION,)
    calls = 0
    before: Any = staticmethod(lambda: None)

    @idempotent
    def post(self, request: Request, *, claim: Claim) -> Response:
        OnceView.calls += 1
        number = OnceView.calls
        OnceView.before()
        values = self.read(NoteIn, request)
        if values["text"] == "late refusal":
            return Response({"no": True}, status=422)
        with transaction.atomic():
            Heartbeat.objects.create(name=f"call-{number}", at="2026-11-20T12:00Z")
            if values["text"] == "crash":
                raise ZeroDivisionError
            body = {"call": number, "amount": values.get("amount")}
            if values["text"] != "plain":
                claim.complete(body, 201)
        return Response(body, status=201)


urlpatterns = [
    *of_the_project,
    path("compliance/test/note", NoteView.as_view()),
    path("compliance/test/raise/<str:what>", RaisingView.as_view()),
    path("compliance/test/cursor", ListView.as_view(pages=HeartbeatCursor)),
    path("compliance/test/offset", ListView.as_view(pages=LimitOffset)),
    path("compliance/test/once", OnceView.as_view()),
]
