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

from apps.platform.common.service_hosts import is_api_request

PROBLEM_TYPE = "application/problem+json"
READ_METHODS = ("GET", "HEAD")
PAYMENT_REQUIRED = 402
MOST_ERRORS = 100  # rows in one answer
logger = logging.getLogger(__name__)


class DomainError(Exception):
    """A refusal that a caller can understand; subclass it beside the code that raises it.

    `status` is the HTTP status, `code` the stable snake_case name that clients switch on,
    `retry_after` seconds for 429 and 503, `errors` rows of `field` and `message`. `members` go into
    the document beside these (RFC 9457 section 3.2), where another protocol needs them.
    """

    status: int = 400
    code: str = "invalid_request"
    title: str = "The request is not valid"
    shape: ClassVar[Any] = None  # describes its document if that says more than others
    retry_after: float | None = None

    def __init__(
        self,
        detail: str,
        *,
        status: int | None = None,
        code: str = "",
        title: str = "",
        errors: Iterable[Mapping[str, str]] = (),
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail, self.errors = detail, [dict(error) for error in errors]
        self.headers, self.members = dict(headers or {}), dict(members or {})
        self.status, self.code = status or self.status, code or self.code
        self.title = title or self.title
        if retry_after is not None:
            self.retry_after = retry_after

    @property
    def document(self) -> dict[str, Any]:
        """The problem document; `message` repeats `detail` for clients that read it."""
        return self.members | {
            "type": f"urn:svc:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "message": self.detail,
            **({"errors": self.errors} if self.errors else {}),
        }

    def respond(self) -> HttpResponse:
        """Return the document with the headers of a refusal."""
        headers = self.headers
        if self.retry_after is not None:
            # whole seconds (RFC 9110 section 10.2.3), and never 0: a client would try again at once
            headers = headers | {"Retry-After": str(max(1, math.ceil(self.retry_after)))}
        return JsonResponse(
            self.document, status=self.status, headers=headers, content_type=PROBLEM_TYPE
        )


class NotFound(DomainError):
    """The requested thing does not exist, or belongs to another tenant."""

    status, code, title = 404, "not_found", "Not found"


# the same words whether an id is malformed, unknown or another tenant's
NO_SUCH_ID = "Nothing here has this id."


class Conflict(DomainError):
    """The request contradicts the stored state."""

    status, code, title = 409, "conflict", "Conflict"


class Unavailable(DomainError):
    """A dependency or its data is not available; trying again later makes sense."""

    status, code, title = 503, "unavailable", "Not available now"
    retry_after = 30


STATUS_CODES = {
    400: ("invalid_request", "The request is not valid"),
    401: ("missing_key", "A key is needed"),
    403: ("forbidden", "Not allowed"),
    404: ("not_found", "Not found"),
    405: ("method_not_allowed", "Method not allowed"),
    412: ("precondition_failed", "The answer has changed"),
    413: ("too_large", "The body is too large"),
    415: ("unsupported_media_type", "Unsupported media type"),
    429: ("rate_limited", "Too many requests"),
    500: ("internal_error", "Internal error"),
    503: ("unavailable", "Not available now"),
}


# exceptions of other libraries, in the order in which they are matched
KNOWN_EXCEPTIONS: tuple[tuple[Any, int, str], ...] = (
    (Http404, 404, "There is nothing here."),
    (PermissionDenied, 403, "This is not allowed."),
    (OperationalError | InterfaceError, 503, "The database does not answer now."),
    (RequestDataTooBig, 413, "The body is too large."),
    (SuspiciousOperation, 400, "The request is not valid."),
    (Exception, 500, "Something went wrong on our side."),
)


def respond_with_problem(error: Exception, context: Any = None) -> HttpResponse:
    """Return the problem document of any exception of an API call (EXCEPTION_HANDLER)."""
    problem = problem_of_exception(error)
    # a DomainError was raised on purpose and says what to do; anything else is our fault
    if problem.status >= 500 and problem is not error:
        logger.exception("unexpected error in an API call", exc_info=error)
    return problem.respond()


def problem_of_exception(error: Exception) -> DomainError:
    """Return the problem that callers see for an exception."""
    if isinstance(error, DomainError):
        return error
    if isinstance(error, drf.ValidationError):
        # a hostile body can have more faults than anybody reads
        rows = list(islice(_flatten_errors(error.detail), MOST_ERRORS))
        detail = "; ".join(f"{r['field']}: {r['message']}" for r in rows[:3])
        return problem_of_status(400, detail or "The request is not valid.", errors=rows)
    # its texts are ours to show; those of a 5xx could tell of our inside
    if isinstance(error, drf.APIException) and error.status_code < 500:
        asks, wait = getattr(error, "auth_header", None), getattr(error, "wait", None)
        headers = {"WWW-Authenticate": asks} if asks else None
        return problem_of_status(
            error.status_code, str(error.detail), retry_after=wait, headers=headers
        )
    status, detail = next(
        (status, detail) for kind, status, detail in KNOWN_EXCEPTIONS if isinstance(error, kind)
    )
    return problem_of_status(status, detail, retry_after=5 if status == 503 else None)


def problem_of_status(status: int, detail: str, **rest: Any) -> DomainError:
    """Return a refusal without a class of its own: its status says everything."""
    code, title = STATUS_CODES.get(status, ("error", "Error"))
    return DomainError(detail, status=status, code=code, title=title, **rest)


def _flatten_errors(detail: Any, path: str = "") -> Iterable[dict[str, str]]:
    """Turn DRF's nested errors into rows, with dotted paths."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            part = "" if name == "non_field_errors" else str(name)
            yield from _flatten_errors(inner, ".".join(p for p in (path, part) if p))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            deeper = isinstance(inner, Mapping)
            yield from _flatten_errors(inner, f"{path}.{number}".lstrip(".") if deeper else path)
    else:
        yield {"field": path or "body", "message": str(detail)}


# --- answers of Django itself ---------------------------------------------------------


def error_page(
    status: int, detail: str, request: HttpRequest, exception: Exception | None = None
) -> HttpResponse:
    """Return the problem document, or a page for clients that read HTML."""
    problem = problem_of_status(status, detail)
    if is_api_request(request):
        return problem.respond()
    shown = {"title": problem.title, "detail": detail}
    return render(request, "problem.html", shown, status=status)


handler400 = functools.partial(error_page, 400, "The request is not valid.")
handler403 = functools.partial(error_page, 403, "This is not allowed.")
handler404 = functools.partial(error_page, 404, "There is nothing at this address.")


def handler500(request: HttpRequest) -> HttpResponse:
    # no template context processors: they need the database, which may be what failed
    return problem_of_status(500, "Something went wrong on our side.").respond()


def read_only_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer every method but GET and HEAD with 405; for plain views of documents."""

    @csrf_exempt  # nothing here writes, and 405 says more than a missing CSRF token
    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **rest: Any) -> HttpResponse:
        if request.method in READ_METHODS:
            return view(request, *args, **rest)
        refused = error_page(405, f"{request.method} is not allowed here.", request)
        refused["Allow"] = ", ".join(READ_METHODS)
        return refused

    return wrapped
