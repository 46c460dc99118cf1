"""Errors: one base class, one shape (RFC 9457), one handler."""

import functools
import logging
import math
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions as drf

from apps.core.hosts import is_api

PROBLEM_TYPE = "application/problem+json"
READING = ("GET", "HEAD")
PAYMENT_REQUIRED = 402
MOST_ERRORS = 100  # rows of one answer
logger = logging.getLogger(__name__)

FieldError = Mapping[str, str]


class DomainError(Exception):
    """A refusal that a caller can understand: subclass it beside the code that raises it.

    `status` is the HTTP status, `code` the stable snake_case name that clients switch on,
    `retry_after` seconds for 429 and 503, `errors` rows of `field` and `message`. `members` stand
    in the document beside these (RFC 9457 section 3.2), as another protocol wants them. `xml` goes
    out in place of the document, to who speaks XML.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "invalid_request"
    title: ClassVar[str] = "The request is not valid"

    def __init__(
        self,
        detail: str,
        *,
        errors: Iterable[FieldError] = (),
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
        xml: str = "",
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.xml = xml
        self.members = dict(members or {})
        self.errors = tuple(errors)
        self.retry_after = retry_after
        self.headers = dict(headers or {})


class NotFound(DomainError):
    """The thing asked for does not exist, or is another tenant's."""

    status, code, title = 404, "not_found", "Not found"


# the same words whether an id is malformed, unknown or another tenant's
NO_SUCH_ID = "There is nothing of that id."


class Conflict(DomainError):
    """The request contradicts what is stored."""

    status, code, title = 409, "conflict", "Conflict"


class Unavailable(DomainError):
    """A dependency or its data are not there; trying again later makes sense."""

    status, code, title = 503, "unavailable", "Not available now"

    def __init__(self, detail: str, *, retry_after: float = 30, **rest: Any) -> None:
        super().__init__(detail, retry_after=retry_after, **rest)


def body(
    *, status: int, code: str, title: str, detail: str, errors: Iterable[FieldError] = ()
) -> dict[str, Any]:
    """Return the problem document; `message` repeats `detail` for clients that read it."""
    found = {
        "type": f"urn:svc:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "message": detail,
    }
    listed = [dict(error) for error in errors]
    return found | ({"errors": listed} if listed else {})


STATUS_CODES = {
    400: ("invalid_request", "The request is not valid"),
    401: ("missing_key", "A key is needed"),
    402: ("payment_required", "A payment is needed"),
    403: ("forbidden", "Not allowed"),
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
    413: ("too_large", "The body is too large"),
    415: ("unsupported_media_type", "Unsupported media type"),
    429: ("rate_limited", "Too many requests"),
    500: ("internal_error", "Internal error"),
    503: ("unavailable", "Not available now"),
}


def respond(error: Exception) -> HttpResponse:
    """Return the problem document of whatever went wrong in an API call."""
    problem, headers = _describe(error)
    if isinstance(error, DomainError) and error.xml:
        status = problem["status"]
        return HttpResponse(
            error.xml, status=status, headers=headers, content_type="application/xml"
        )
    if problem["status"] >= 500 and not isinstance(error, DomainError):
        logger.exception("unexpected error in an API call", exc_info=error)
    return JsonResponse(
        problem, status=problem["status"], headers=headers, content_type=PROBLEM_TYPE
    )


def document(error: Exception) -> dict[str, Any]:
    """Return the problem document of an error alone, for an answer that tells of several."""
    return _describe(error)[0]


def _describe(error: Exception) -> tuple[dict[str, Any], dict[str, str]]:
    if isinstance(error, DomainError):
        headers = dict(error.headers)
        if error.retry_after is not None:
            headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
        return _body_of(error), headers
    if isinstance(error, drf.ValidationError):
        rows = list(islice(_flat(error.detail), MOST_ERRORS))
        detail = "; ".join(f"{r['field']}: {r['message']}" for r in rows[:3])
        return _plain(400, detail or "The request is not valid.", errors=rows), {}
    if isinstance(error, drf.APIException) and error.status_code < 500:
        return _plain(error.status_code, str(error.detail)), _headers(error)
    if isinstance(error, Http404):
        return _plain(404, "There is nothing here."), {}
    if isinstance(error, PermissionDenied):
        return _plain(403, "This is not allowed."), {}
    if isinstance(error, OperationalError | InterfaceError):
        return _plain(503, "The database does not answer now."), {"Retry-After": "5"}
    if isinstance(error, RequestDataTooBig):
        return _plain(413, "The body is too large."), {}
    if isinstance(error, SuspiciousOperation):
        return _plain(400, "The request is not valid."), {}
    return _plain(500, "Something went wrong on our side."), {}


def _body_of(error: DomainError) -> dict[str, Any]:
    return error.members | body(
        status=error.status,
        code=error.code,
        title=error.title,
        detail=error.detail,
        errors=error.errors,
    )


def _plain(status: int, detail: str, errors: Iterable[FieldError] = ()) -> dict[str, Any]:
    code, title = STATUS_CODES.get(status, ("error", "Error"))
    return body(status=status, code=code, title=title, detail=detail, errors=errors)


def _headers(error: drf.APIException) -> dict[str, str]:
    found = {}
    if getattr(error, "wait", None):
        found["Retry-After"] = str(math.ceil(error.wait))  # type: ignore[attr-defined]
    if getattr(error, "auth_header", None):
        found["WWW-Authenticate"] = error.auth_header  # type: ignore[attr-defined]
    return found


def _flat(detail: Any, path: str = "") -> Iterable[dict[str, str]]:
    """Turn DRF's nested errors into rows, with dotted paths."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            part = "" if name == "non_field_errors" else str(name)
            yield from _flat(inner, ".".join(p for p in (path, part) if p))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            deeper = isinstance(inner, Mapping)
            yield from _flat(inner, f"{path}.{number}".lstrip(".") if deeper else path)
    else:
        yield {"field": path or "body", "message": str(detail)}


# --- what Django itself answers -------------------------------------------------------


def _page(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    if is_api(request):
        return JsonResponse(_plain(status, detail), status=status, content_type=PROBLEM_TYPE)
    title = STATUS_CODES[status][1]
    return render(request, "problem.html", {"title": title, "detail": detail}, status=status)


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 400, "The request is not valid.")


def handler403(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403, "This is not allowed.")


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404, "There is nothing at this address.")


def handler500(request: HttpRequest) -> HttpResponse:
    # no template context processors: the database may be what failed
    return JsonResponse(
        _plain(500, "Something went wrong on our side."), status=500, content_type=PROBLEM_TYPE
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token (settings.CSRF_FAILURE_VIEW)."""
    return _page(request, 403, "The form is out of date: load the page again and repeat.")


def reading_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer every method but GET and HEAD with 405; for plain views of documents."""

    @csrf_exempt  # nothing here writes, and 405 says more than a missing token
    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **rest: Any) -> HttpResponse:
        if request.method in READING:
            return view(request, *args, **rest)
        refused = _page(request, 405, f"{request.method} is not allowed here.")
        refused["Allow"] = ", ".join(READING)
        return refused

    return wrapped
