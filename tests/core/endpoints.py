"""Endpoints of the tests' own: each can be told how to end."""

from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404
from rest_framework import exceptions as drf

from apps.access.models import Kind
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.models import Heartbeat
from apps.core.pagination import Cursor, LimitOffset, Paged, PageQuery
from apps.core.pipeline import Answer
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
from apps.core.shapes import Free, Number, Shape, Text, Whole
from apps.core.views import addresses
from config.urls import urlpatterns as of_the_project

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


class ListQuery(PageQuery):
    offset = Whole(required=False, min_value=0, max_value=100_000)


class HeartbeatOut(Shape):
    name = Text()


class ListOut(Shape):
    items = HeartbeatOut(many=True)
    next = Text(allow_null=True, required=False)
    previous = Text(allow_null=True, required=False)
    total = Whole(required=False)
    limit = Whole(required=False)
    offset = Whole(required=False)


class AnyOut(Shape):
    what = Free()


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


class HeartbeatCursor(Cursor):
    ordering = "-at"


def listed(by: Any) -> Any:
    def conclude(*, asked: Any, gathered: Any, caller: Any, now: Any) -> Paged:
        rows = Heartbeat.objects.order_by("pk")
        return Paged(rows, show=lambda page: [{"name": one.name} for one in page], by=by)

    return conclude


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


def row(name: str, method: str, path: str, **rest: Any) -> Endpoint:
    """Return a row of the tests' own: open and without a limit, unless said otherwise."""
    known: dict[str, Any] = {
        "service": "compliance",
        "spec": "none",
        "about": "Of the tests' own.",
        "access": Access(open=True, limited=False),
        "answers": NoteOut,
        "conclude": echo,
    }
    return Endpoint(name=name, method=method, path=path, **(known | rest))  # type: ignore[arg-type]


SUBSCRIBERS = Access(keys=(Kind.SUBSCRIPTION,))
ROWS = (
    row("note-query", "GET", "compliance/test/note", asks=NoteQuery),
    row("note", "POST", "compliance/test/note", asks=NoteIn),
    row(
        "raise", "GET", "compliance/test/raise/<str:what>",
        ids={"what": Id(Text(), "What to raise.")}, answers=AnyOut, conclude=fail,
    ),
    row(
        "cursor", "GET", "compliance/test/cursor",
        asks=ListQuery, answers=ListOut, conclude=listed(HeartbeatCursor),
    ),
    row(
        "offset", "GET", "compliance/test/offset",
        asks=ListQuery, answers=ListOut, conclude=listed(LimitOffset),
    ),
    row(
        "once", "POST", "compliance/test/once",
        access=SUBSCRIBERS, asks=NoteIn, answers=OnceOut, gather=gather_once, conclude=once,
        statuses=(201,),
    ),
    row(
        "once-more", "POST", "compliance/test/once-more",
        access=SUBSCRIBERS, asks=NoteIn, answers=OnceOut, gather=gather_once, conclude=once,
        statuses=(201,),
    ),
    row(
        "open-once", "POST", "compliance/test/open-once",
        access=Access(open=True), asks=NoteIn, answers=OnceOut, gather=gather_once, conclude=once,
        statuses=(201,),
    ),
)  # fmt: skip
urlpatterns = [*of_the_project, *addresses(ROWS)]
