"""The problems that an operation can answer: those of every call, and its own."""

from collections.abc import Iterable, Iterator
from typing import Any

from rest_framework.settings import api_settings

from apps.platform.core.api.operations import Operation
from apps.platform.core.api.shapes import Shape, Text, Whole
from apps.platform.core.problems import DomainError


class ProblemRow(Shape):
    """One field's error."""

    field = Text()
    message = Text()


class Problem(Shape):
    """An error as RFC 9457 has it; clients switch on `code`."""

    type = Text(help_text="urn:svc:problem:<code>")
    title = Text()
    status = Whole()
    detail = Text()
    code = Text(help_text="Stable, snake_case.")
    message = Text(help_text="The same as detail.")
    errors = ProblemRow(many=True, required=False)  # type: ignore[assignment]


def problems_by_status(operation: Operation) -> dict[int, str]:
    """Return, by status, the codes that a call can be answered with, each in words."""
    found: dict[int, dict[str, str]] = {}
    for status, code, about in _problem_responses(operation):
        found.setdefault(status, {})[code] = about
    return {
        status: "; ".join(f"{code}: {about}" for code, about in codes.items())
        for status, codes in sorted(found.items())
    }


def problem_serializer(operation: Operation, status: int) -> type[Shape]:
    """Return the shape of a problem: a 402 that asks for a payment says also what is asked."""
    own = [
        one.shape
        for one in _authentication_problems(operation)
        if one.status == status and one.shape
    ]
    return own[0] if own else Problem


def _authentication_problems(operation: Operation) -> list[type[DomainError]]:
    ways: Any = api_settings.DEFAULT_AUTHENTICATION_CLASSES
    return [problem for way in ways for problem in way().problems(operation.access)]


def _describe_problems(problems: Iterable[type[DomainError]]) -> Iterator[tuple[int, str, str]]:
    for one in problems:
        yield one.status, one.code, (one.__doc__ or one.title).split("\n", 1)[0].rstrip(".")


def _problem_responses(operation: Operation) -> Iterator[tuple[int, str, str]]:
    """Yield status, code and words of every problem of a call."""
    access = operation.access
    yield 400, "invalid_request", "the request is not valid; `errors` names the fields"
    yield 503, "unavailable", "the database does not answer now; see Retry-After"
    if access.limited:
        yield 429, "rate_limited", "more calls than may be made in a minute; see Retry-After"
    if access.keys:
        yield 401, "missing_key", "no key was sent"
    if access.known or access.beside:
        key = "the key" if access.known else "the key beside the payment"
        yield 401, "unknown_key", f"{key} is unknown, expired or revoked"
        yield 403, "wrong_key_kind", f"{key} is of another kind"
        yield 503, "key_unproved", "the key is not as it was recorded: ask the operator"
    if access.known:
        read_from = "the key is good and came in another header than it is read from"
        yield 401, "wrong_key_header", read_from
    if access.proved:
        by = " by a live key" if access.signed else ", or is not of now"
        yield 401, "missing_signature", "no signature was sent"
        yield 401, "bad_signature", f"the signature is not that of the raw body{by}"
    yield from _describe_problems(_authentication_problems(operation))
    if operation.has_body:
        yield 400, "malformed_json", "the body is not JSON as this API takes it"
        yield 413, "too_large", "the body is too large"
        not_taken = "the Content-Type or Content-Encoding is not taken here"
        yield 415, "unsupported_media_type", not_taken
    elif operation.request is not None:
        yield 414, "uri_too_long", "the address with its query is too long"
    if operation.takes_idempotency_key:
        yield 400, "bad_idempotency_key", "the Idempotency-Key is none"
        yield 409, "idempotency_key_reused", "the key was used with another request"
        yield 409, "idempotency_in_progress", "the first call under this key has not finished"
    yield from _describe_problems(operation.problems)
