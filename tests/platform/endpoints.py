"""Endpoints of the tests' own: each can be told how to end."""

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404
from rest_framework import exceptions as drf

from apps.access.keys.models import KeyKind
from apps.platform.api.answers import Answer
from apps.platform.api.operations import Access, PathParameter
from apps.platform.api.pagination import EncryptedCursorPagination, PageQuery
from apps.platform.api.shapes import FreeObject, Number, Shape, Text, Whole
from apps.platform.common.problems import (
    Conflict,
    DomainError,
    NotFound,
    Unavailable,
    handler400,
    handler403,
    handler404,
    handler500,
)
from apps.platform.jobs.models import Heartbeat
from config.urls import urlpatterns as of_the_project
from tests.operations import TestOperation, addresses

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class NoteIn(Shape):
    text = Text(max_length=20)
    amount = Number(required=False)


class NoteQuery(Shape):
    text = Text(required=False)


class NoteOut(Shape):
    text = Text(required=False)
    amount = Number(required=False)


class OnceOut(Shape):
    call = Whole()
    amount = Number(allow_null=True)


class HeartbeatOut(Shape):
    name = Text()


class ListOut(Shape):
    items = HeartbeatOut(many=True)
    next = Text(allow_null=True, required=False)
    previous = Text(allow_null=True, required=False)


class AnyOut(Shape):
    what = FreeObject()


class Refused(DomainError):
    """Refused late, after gathering."""

    status, code = 422, "refused_late"


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


def echo(*, asked: Any, gathered: Any, caller: Any, now: Any) -> Any:
    return asked


def fail(*, asked: Any, gathered: Any, caller: Any, now: Any) -> Any:
    raise RAISED[asked["what"]]


class HeartbeatCursor(EncryptedCursorPagination):
    ordering = "-name"


def heartbeats(*, asked: Any, caller: Any, now: Any) -> Any:
    return Heartbeat.objects.order_by("pk")


def names(page: Any) -> list[dict[str, Any]]:
    return [{"name": one.name} for one in page]


class Once:
    """Writes one row a call; the body says how the call ends."""

    calls = 0
    before: Any = staticmethod(lambda: None)


def gather_once(*, asked: Any, now: Any) -> int:
    Once.calls += 1
    number = Once.calls
    Once.before()
    return number


def once(*, asked: Any, gathered: int, caller: Any, now: Any) -> Answer:
    if asked["text"] == "late refusal":
        raise Refused("No.")
    Heartbeat.objects.create(name=f"call-{gathered}", at=now)
    if asked["text"] == "crash":
        raise ZeroDivisionError
    return Answer({"call": gathered, "amount": asked.get("amount")}, 201)


PARTS = ("gather", "build", "rows", "members")


def row(name: str, method: str, path: str, **rest: Any) -> TestOperation:
    """Return an operation of the tests' own: open and without a limit, unless said otherwise."""
    functions = {part: rest.pop(part) for part in PARTS if part in rest}
    declared: dict[str, Any] = {
        "spec": "none",
        "description": "Of the tests' own.",
        "access": Access(open=True, rate=""),
        "response": NoteOut,
    }
    conclude = rest.pop("conclude", echo)
    return TestOperation(name, method, path, conclude, **functions, declared=declared | rest)


SUBSCRIBERS = Access(keys=(KeyKind.SUBSCRIPTION,))
ROWS = (
    row("note-query", "GET", "compliance/test/note", request=NoteQuery),
    row("note", "POST", "compliance/test/note", request=NoteIn),
    row(
        "raise", "GET", "compliance/test/raise/<str:what>",
        path_parameters={"what": PathParameter(Text(), "What to raise.")}, response=AnyOut,
        conclude=fail,
    ),
    row(
        "cursor", "GET", "compliance/test/cursor",
        request=PageQuery, response=ListOut, rows=heartbeats, conclude=names,
        members={"pagination_class": HeartbeatCursor},
    ),
    row(
        "once", "POST", "compliance/test/once",
        access=SUBSCRIBERS, request=NoteIn, response=OnceOut, gather=gather_once, conclude=once,
        statuses=(201,),
    ),
    row(
        "once-more", "POST", "compliance/test/once-more",
        access=SUBSCRIBERS, request=NoteIn, response=OnceOut, gather=gather_once, conclude=once,
        statuses=(201,),
    ),
    row(
        "open-once", "POST", "compliance/test/open-once",
        access=Access(open=True), request=NoteIn, response=OnceOut, gather=gather_once,
        conclude=once,
        statuses=(201,),
    ),
)  # fmt: skip
urlpatterns = [*of_the_project, *addresses(ROWS)]
