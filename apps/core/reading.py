"""Reads a request: body or query into a shape's values, ids of the path, or a 400 that says why."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from apps.core.endpoints import Endpoint
from apps.core.parsing import BodyTooLarge, number
from apps.core.problems import NO_SUCH_ID, DomainError, NotFound
from apps.core.shapes import EpochSeconds, Flag, Identifier, Number, Shape, Whole

MOST_NAMED = 10


class LengthRequired(DomainError):
    """The body came in chunks, without a length: it would be read as no body at all."""

    status, code, title = 411, "length_required", "The length of the body is needed"


class Unreadable(DomainError):
    """The Content-Type or Content-Encoding is not taken here."""

    status, code, title = 415, "unsupported_media_type", "Unsupported media type"


def raw(*, row: Endpoint, request: HttpRequest) -> Any:
    """Return what was sent, parsed and not yet checked against a shape; {} for an empty body.

    Raises LengthRequired (411), BodyTooLarge (413), MalformedJson (400), and 415 for a
    Content-Type that the row cannot read. Queries: 400 for a parameter that comes twice.
    """
    if not row.has_body:
        return _query(request)
    if strange := [
        name for name in request.GET if name not in row.queries
    ]:  # a check that is asked for in the query would silently not run
        raise _unknown(strange)
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Unreadable("Send the body as it is: no Content-Encoding is taken here.")
    if "Transfer-Encoding" in request.headers and "Content-Length" not in request.headers:
        raise LengthRequired("Send the body with a Content-Length, not in chunks.")
    limit = row.max_body or settings.API_MAX_BODY
    body = request.read(limit + 1)
    if len(body) > limit:
        raise BodyTooLarge(f"The body is larger than {limit} bytes.")
    if not body:
        return {}
    media = (request.content_type or "").strip().lower()
    if media not in row.readers:
        raise Unreadable(
            f"Send the body with Content-Type: {' or '.join((*row.readers, *row.also))}."
        )
    return row.readers[media](body)


def _query(request: HttpRequest) -> dict[str, str]:
    """Return the query; a parameter that comes twice is refused: which of the two was meant?"""
    twice = [name for name, values in request.GET.lists() if len(values) > 1]
    if twice:
        raise ValidationError({name: ["This came more than once."] for name in twice[:MOST_NAMED]})
    return {name: str(value) for name, value in request.GET.items()}


def values(*, row: Endpoint, sent: Any, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return what was asked, defaults included; ValidationError (400) names the fields.

    However a request was spelt, the same question has the same values.
    """
    found = {name: _id(row, name, value) for name, value in ids.items()}
    if row.asks is not None:
        given = sent if row.has_body else _typed(row.asks, sent)
        found |= _shape(row.asks).run_validation(given)
    elif sent:
        raise _unknown(sent if isinstance(sent, Mapping) else ["body"])
    return found


def heads(*, row: Endpoint, request: HttpRequest) -> dict[str, str]:
    """Return the headers that a row reads, by its names for them; 400 for one that is too long."""
    found = {}
    for name, head in row.heads.items():
        found[name] = request.headers.get(head.name, "").strip()
        if len(found[name]) > head.longest:
            raise ValidationError({head.name: [f"This has more than {head.longest} characters."]})
    return found


def _unknown(names: Iterable[Any]) -> ValidationError:
    """Return the refusal of fields that nothing here reads."""
    named = [str(name)[:80] for name in names][:MOST_NAMED]
    return ValidationError({name: ["This field is not known."] for name in named})


@cache
def _shape(shape: type[Shape]) -> Shape:
    """Return the one instance that reads for all calls: reading leaves no trace in it."""
    return shape()


def _id(row: Endpoint, name: str, value: str) -> Any:
    field = row.ids[name].field
    try:
        return field.run_validation(value)
    except serializers.ValidationError as error:
        if isinstance(field, Identifier):  # ours are all of one form: another is nobody's
            raise NotFound(NO_SUCH_ID) from None
        raise ValidationError({name: error.detail}) from None


def _typed(shape: type[Shape], sent: Mapping[str, str]) -> dict[str, Any]:
    """Return a query with numbers and flags as such: an address carries texts alone."""
    fields = _shape(shape).fields
    return {name: _value(fields.get(name), text) for name, text in sent.items()}


def _value(field: Any, text: str) -> Any:
    if isinstance(field, Flag):
        return {"true": True, "false": False}.get(text, text)
    if not isinstance(field, Whole | Number | EpochSeconds):
        return text
    try:
        return number(text)
    except ValueError:
        return text  # the field says what is wrong with it
