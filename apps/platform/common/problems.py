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
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions as drf

from apps.platform.common.hosts import is_api_request

PROBLEM_TYPE = "application/problem+json"
READ_METHODS = ("GET", "HEAD")
PAYMENT_REQUIRED = 402
MOST_ERRORS = 100  # rows of one answer
logger = logging.getLogger(__name__)


class DomainError(Exception):
    """A refusal that a caller can understand: subclass it beside the code that raises it.

    `status` is the HTTP status, `code` the stable snake_case name that clients switch on,
    `retry_after` seconds for 429 and 503, `errors` rows of `field` and `message`. `members` stand
    in the document beside these (RFC 9457 section 3.2), as another protocol wants them. `xml` goes
    out in place of the document, to who speaks XML.
    """

    status: int = 400
    code: str = "invalid_request"
    title: str = "The request is not valid"
    shape: ClassVar[Any] = None  # of its document, where that says more than others

    def __init__(
        self,
        detail: str,
        *,
        errors: Iterable[Mapping[str, str]] = (),
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

    @property
    def document(self) -> dict[str, Any]:
        """The problem document (RFC 9457)."""
        return self.members | problem_document(
            status=self.status,
            code=self.code,
            title=self.title,
            detail=self.detail,
            errors=self.errors,
        )

    def respond(self) -> HttpResponse:
        """Return the document, or what goes out in its place, with the headers of a refusal."""
        headers = self.headers
        if self.retry_after is not None:
            headers = headers | {"Retry-After": str(max(1, math.ceil(self.retry_after)))}
        if self.xml:
            return HttpResponse(
                self.xml, status=self.status, headers=headers, content_type="application/xml"
            )
        return JsonResponse(
            self.document, status=self.status, headers=headers, content_type=PROBLEM_TYPE
        )


class NotFound(DomainError):
    """The requested thing does not exist, or belongs to another tenant."""

    status, code, title = 404, "not_found", "Not found"


# the same words whether an id is malformed, unknown or another tenant's
NO_SUCH_ID = "There is nothing of that id."


class Conflict(DomainError):
    """The request contradicts the stored state."""

    status, code, title = 409, "conflict", "Conflict"


class Unavailable(DomainError):
    """A dependency or its data is not available; trying again later makes sense."""

    status, code, title = 503, "unavailable", "Not available now"

    def __init__(self, detail: str, *, retry_after: float = 30, **rest: Any) -> None:
        super().__init__(detail, retry_after=retry_after, **rest)


def problem_document(
    *, status: int, code: str, title: str, detail: str, errors: Iterable[Mapping[str, str]] = ()
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
    411: ("length_required", "The length of the body is needed"),
    412: ("precondition_failed", "The answer has changed"),
    413: ("too_large", "The body is too large"),
    415: ("unsupported_media_type", "Unsupported media type"),
    429: ("rate_limited", "Too many requests"),
    500: ("internal_error", "Internal error"),
    503: ("unavailable", "Not available now"),
}


# exceptions that are not ours, in the order in which they are looked for
KNOWN_EXCEPTIONS: tuple[tuple[Any, int, str], ...] = (
    (Http404, 404, "There is nothing here."),
    (PermissionDenied, 403, "This is not allowed."),
    (OperationalError | InterfaceError, 503, "The database does not answer now."),
    (RequestDataTooBig, 413, "The body is too large."),
    (SuspiciousOperation, 400, "The request is not valid."),
    (Exception, 500, "Something went wrong on our side."),
)


def respond_with_problem(error: Exception, context: Any = None) -> HttpResponse:
    """Return the problem document of whatever went wrong in an API call (EXCEPTION_HANDLER)."""
    problem = problem_of_exception(error)
    if problem.status >= 500 and problem is not error:
        logger.exception("unexpected error in an API call", exc_info=error)
    return problem.respond()


def problem_of_exception(error: Exception) -> DomainError:
    """Return what callers are told of an exception."""
    if isinstance(error, DomainError):
        return error
    if isinstance(error, drf.ValidationError):
        rows = list(islice(_flatten_errors(error.detail), MOST_ERRORS))
        detail = "; ".join(f"{r['field']}: {r['message']}" for r in rows[:3])
        return problem_of_status(400, detail or "The request is not valid.", errors=rows)
    if isinstance(error, drf.APIException) and error.status_code < 500:
        asks = getattr(error, "auth_header", None)
        return problem_of_status(
            error.status_code,
            str(error.detail),
            retry_after=getattr(error, "wait", None),
            headers={"WWW-Authenticate": asks} if asks else None,
        )
    status, detail = next(
        (exception[1], exception[2])
        for exception in KNOWN_EXCEPTIONS
        if isinstance(error, exception[0])
    )
    return problem_of_status(status, detail, retry_after=5 if status == 503 else None)


def problem_of_status(status: int, detail: str, **rest: Any) -> DomainError:
    """Return a refusal that needs no class of its own: its status says what it is."""
    domain_error = DomainError(detail, **rest)
    domain_error.status, (domain_error.code, domain_error.title) = (
        status,
        STATUS_CODES.get(status, ("error", "Error")),
    )
    return domain_error


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


# --- what Django itself answers -------------------------------------------------------


def _error_page(
    status: int, detail: str, request: HttpRequest, exception: Exception | None = None
) -> HttpResponse:
    problem = problem_of_status(status, detail)
    if is_api_request(request):
        return problem.respond()
    shown = {"title": problem.title, "detail": detail}
    return render(request, "problem.html", shown, status=status)


handler400 = functools.partial(_error_page, 400, "The request is not valid.")
handler403 = functools.partial(_error_page, 403, "This is not allowed.")
handler404 = functools.partial(_error_page, 404, "There is nothing at this address.")


def handler500(request: HttpRequest) -> HttpResponse:
    # no template context processors: the database may be what failed
    return problem_of_status(500, "Something went wrong on our side.").respond()


def too_large_page(back: str) -> str:
    """Return the page for a form that was too large to be read; `back` is where it was sent."""
    detail = (
        "Nothing was stored: a form with its files may have 2.5 MiB. What you typed waits in your "
        "browser: go back to the page and choose a smaller file or shorten the text."
    )
    shown = {"title": "This is too large", "detail": detail, "back": back}
    return render_to_string("problem.html", shown | {"home": reverse("admin:index")})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token (settings.CSRF_FAILURE_VIEW)."""
    return _error_page(403, "The form is out of date: load the page again and repeat.", request)


def read_only_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer every method but GET and HEAD with 405; for plain views of documents."""

    @csrf_exempt  # nothing here writes, and 405 says more than a missing token
    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **rest: Any) -> HttpResponse:
        if request.method in READ_METHODS:
            return view(request, *args, **rest)
        refused = _error_page(405, f"{request.method} is not allowed here.", request)
        refused["Allow"] = ", ".join(READ_METHODS)
        return refused

    return wrapped
