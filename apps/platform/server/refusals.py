"""Answers to clients whose bytes never became a request: problem JSON, as everywhere."""

import json

from gunicorn.http import errors

REASONS = {
    400: "Bad Request",
    408: "Request Timeout",
    413: "The body is too large",
    414: "URI Too Long",
    417: "Expectation Failed",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
}


class RequestRefused(Exception):
    """A request that the application never sees: HTTP status, stable code, detail.

    `page` is where a person at the desk returns to: they get a page instead of JSON.
    """

    def __init__(self, status: int, code: str, detail: str, *, page: str = "") -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.page = status, code, detail, page


# the first matching class counts: subclasses come before their base
_BY_ERROR: tuple[tuple[type[Exception], int, str, str], ...] = (
    (errors.LimitRequestLine, 414, "uri_too_long", "The request line is too long."),
    (errors.LimitRequestHeaders, 431, "headers_too_large", "The headers are too many or too long."),
    (errors.UnsupportedTransferCoding, 501, "not_implemented", "This transfer coding is unknown."),
    (errors.ExpectationFailed, 417, "expectation_failed", "This expectation cannot be met."),
    (errors.InvalidHTTPVersion, 400, "bad_request", "The HTTP version is not supported."),
    (errors.InvalidRequestMethod, 400, "bad_request", "The method is not valid."),
    (errors.InvalidRequestLine, 400, "bad_request", "The request line is not valid."),
    (errors.InvalidHeaderName, 400, "bad_request", "A header's name is not valid."),
    (errors.InvalidHeader, 400, "bad_request", "A header is not valid."),
    (errors.ParseException, 400, "bad_request", "The request is not valid HTTP."),
    (errors.NoMoreData, 400, "bad_request", "The request ended before it was complete."),
)


def refusal_of_error(error: Exception) -> RequestRefused:
    """Return the refusal for an error of the HTTP parser; 500 for any other error."""
    if isinstance(error, RequestRefused):
        return error
    for kind, status, code, detail in _BY_ERROR:
        if isinstance(error, kind):
            return RequestRefused(status, code, detail)
    return RequestRefused(500, "internal_error", "Something went wrong on our side.")


def render_refusal(refused: RequestRefused) -> bytes:
    """Return the whole response, after which the connection closes.

    It is problem JSON (RFC 9457), or a page for a form that was sent at the desk.
    """
    # they need settings, which do not exist before the application is loaded
    from apps.platform.api.middleware import CONTENT_SECURITY_POLICY
    from apps.platform.common.problems import PROBLEM_TYPE, DomainError

    title = REASONS[refused.status]
    if refused.page:
        content, kind = _render_too_large_page(refused.page).encode(), "text/html; charset=utf-8"
    else:
        problem = DomainError(refused.detail, status=refused.status, code=refused.code, title=title)
        content, kind = json.dumps(problem.document).encode(), PROBLEM_TYPE
    policy = CONTENT_SECURITY_POLICY if refused.page else "default-src 'none'"
    head = (
        f"HTTP/1.1 {refused.status} {title}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(content)}\r\nConnection: close\r\n"
        f"X-Content-Type-Options: nosniff\r\nContent-Security-Policy: {policy}\r\n"
    )
    # waiting helps only where the cause passes by itself; the others would be refused again
    if refused.status in (408, 503):
        head += "Retry-After: 5\r\n"
    return head.encode() + b"\r\n" + content


def _render_too_large_page(back: str) -> str:
    """Return the page for a form that was too large to be read; `back` is the form's page."""
    # templates and addresses need settings, too
    from django.template.loader import render_to_string
    from django.urls import reverse

    detail = (
        "Nothing was stored: a form with its files may have 2.5 MiB. What you typed waits in your "
        "browser: go back to the page and choose a smaller file or shorten the text."
    )
    shown = {"title": "This is too large", "detail": detail, "back": back}
    return render_to_string("problem.html", shown | {"home": reverse("admin:index")})
