"""The problems that an operation can answer: those of every call, and those that its row names."""

from django.utils.module_loading import import_string

from apps.core.endpoints import Endpoint
from apps.core.problems import DomainError
from apps.core.shapes import Shape, Text, Whole


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


CLAIMED = (
    ("idempotency_key_reused", "the key was used with another request"),
    ("idempotency_in_progress", "the first call under this key has not finished"),
)
UNREADABLE = "the request is not valid; `errors` names the fields"


def problems_of(row: Endpoint) -> dict[int, str]:
    """Return, by status, the codes that a call can be answered with, each in words."""
    found = _everywhere(row)
    for problem in row.problems:
        found.setdefault(problem.status, []).append((problem.code, _sentence(problem)))
    return {status: _words(codes) for status, codes in sorted(found.items())}


def shape_of(row: Endpoint, status: int) -> type[Problem]:
    """Return the shape of a problem: a 402 that asks for a payment says also what is asked."""
    if status != 402 or not row.access.pays:
        return Problem
    found: type[Problem] = import_string("apps.paywall.serializers.PaymentProblem")
    return found


def _words(codes: list[tuple[str, str]]) -> str:
    return "; ".join(f"{code}: {about}" for code, about in dict(codes).items())


def _sentence(problem: type[DomainError]) -> str:
    return (problem.__doc__ or problem.title).split("\n", 1)[0].rstrip(".")


def _of_payments(row: Endpoint) -> tuple[type[DomainError], ...]:
    """Return what payments and sessions add; the kernel knows their gate by its path alone."""
    access = row.access
    kinds = (("PAYS", access.pays), ("HOLDS", access.session), ("SHOWS", access.payer))
    names = [name for name, has in kinds if has]
    return tuple(one for name in names for one in import_string(f"apps.paywall.problems.{name}"))


def _everywhere(row: Endpoint) -> dict[int, list[tuple[str, str]]]:
    found: dict[int, list[tuple[str, str]]] = {
        400: [("invalid_request", UNREADABLE)],
        503: [("unavailable", "the database does not answer now; see Retry-After")],
    }
    if row.access.limited:
        found[429] = [("rate_limited", "more calls than may be made in a minute; see Retry-After")]
    if row.access.known:
        missing = [("missing_key", "no key was sent")] if row.access.keys else []
        found[401] = [*missing, ("unknown_key", "the key is unknown, expired or revoked")]
        found[403] = [("wrong_key_kind", "the key is of another kind")]
        found[503].append(("key_unproved", "the key is not as it was recorded: ask the operator"))
    if row.access.beside:
        found[401] = [("unknown_key", "the key beside the payment is unknown, expired or revoked")]
        found[403] = [("wrong_key_kind", "the key beside the payment is of another kind")]
        found[503].append(("key_unproved", "the key is not as it was recorded: ask the operator"))
    if row.access.bank:
        found[401] = [
            ("missing_signature", "no signature was sent"),
            ("bad_signature", "the signature is not that of the raw body, or is not of now"),
        ]
    if row.access.signed:
        found[401] = [
            ("missing_signature", "no signature was sent"),
            ("bad_signature", "the signature is not that of the raw body by a live key"),
        ]
    for problem in _of_payments(row):
        found.setdefault(problem.status, []).append((problem.code, _sentence(problem)))
    if row.asks is not None and not row.has_body:
        found[414] = [("uri_too_long", "the address with its query is too long")]
    if row.has_body:
        found[400].append(("malformed_json", "the body is not JSON as this API takes it"))
        found[411] = [("length_required", "the body came in chunks, without a Content-Length")]
        found[413] = [("too_large", "the body is too large")]
        found[415] = [
            ("unsupported_media_type", "the Content-Type or Content-Encoding is not taken here")
        ]
    if row.claims:
        found[400].append(("bad_idempotency_key", "the Idempotency-Key is none"))
        found.setdefault(409, []).extend(CLAIMED)
    return found
