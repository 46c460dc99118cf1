"""The values of a request: body or query by its serializer, ids of the path, headers."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from apps.platform.core.api.operations import Operation
from apps.platform.core.api.parsers import require_content_length
from apps.platform.core.api.representation import serializer_instance
from apps.platform.core.api.shapes import EpochSeconds, Flag, Identifier, Number, Shape, Whole
from apps.platform.core.problems import NO_SUCH_ID, NotFound, problem_of_status
from apps.platform.core.strict_json import parse_number

MOST_NAMED = 10


def read_request_values(
    *, operation: Operation, request: Request, path: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of a request, defaults included; ValidationError (400) names the fields.

    However a request was spelt, the same question has the same values. A body may be refused by
    411, 413, 415 or MalformedJson (400).
    """
    sent = _read_body(operation, request) if operation.has_body else _read_query(request._request)
    return validate_request_values(operation=operation, sent=sent, path=path)


def validate_request_values(
    *, operation: Operation, sent: Any, path: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of what was sent, already parsed."""
    values = {name: _parse_path_value(operation, name, text) for name, text in path.items()}
    if operation.request is not None:
        given = sent if operation.has_body else _parse_query_values(operation.request, sent)
        values |= serializer_instance(operation.request).run_validation(given)
    elif sent:
        raise _unknown_field_error(sent if isinstance(sent, Mapping) else ["body"])
    return values


def read_header_values(*, operation: Operation, request: HttpRequest) -> dict[str, str]:
    """Return the headers that an operation takes, by its names for them; 400 for one too long."""
    found = {}
    for name, parameter in operation.header_parameters.items():
        found[name] = request.headers.get(parameter.name, "").strip()
        if len(found[name]) > parameter.max_length:
            raise ValidationError(
                {parameter.name: [f"This has more than {parameter.max_length} characters."]}
            )
    return found


def resolve_header_identities(
    *, operation: Operation, headers: Mapping[str, str], now: datetime
) -> dict[str, str]:
    """Return whom the headers of a request stand for, by the headers' names; all hold now."""
    parameters = operation.header_parameters.items()
    return {
        name: parameter.identity(headers[name], now)
        for name, parameter in parameters
        if parameter.identity is not None and headers[name]
    }


def _read_body(operation: Operation, request: Request) -> Any:
    """Return the parsed body; {} for an empty one."""
    http_request = request._request
    # a check that is asked for in the query would silently not run
    strange = [name for name in http_request.GET if name not in operation.query_parameters]
    if strange:
        raise _unknown_field_error(strange)
    if http_request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise problem_of_status(415, "Send the body as it is: no Content-Encoding is taken here.")
    require_content_length(http_request)
    return request.data


def _read_query(request: HttpRequest) -> dict[str, str]:
    """Return the query; a parameter that comes twice is refused: which of the two was meant?"""
    twice = [name for name, values in request.GET.lists() if len(values) > 1]
    if twice:
        raise ValidationError({name: ["This came more than once."] for name in twice[:MOST_NAMED]})
    return {name: str(value) for name, value in request.GET.items()}


def _unknown_field_error(names: Iterable[Any]) -> ValidationError:
    """Return the refusal of fields that nothing here reads."""
    named = [str(name)[:80] for name in names][:MOST_NAMED]
    return ValidationError({name: ["This field is not known."] for name in named})


def _parse_path_value(operation: Operation, name: str, text: str) -> Any:
    field = operation.path_parameters[name].field
    try:
        return field.run_validation(text)
    except serializers.ValidationError as error:
        if isinstance(field, Identifier):  # ours are all of one form: another is nobody's
            raise NotFound(NO_SUCH_ID) from None
        raise ValidationError({name: error.detail}) from None


def _parse_query_values(serializer_class: type[Shape], sent: Mapping[str, str]) -> dict[str, Any]:
    """Return a query with numbers and flags as such: an address carries texts alone."""
    fields = serializer_instance(serializer_class).fields
    return {name: _parse_query_value(fields.get(name), text) for name, text in sent.items()}


def _parse_query_value(field: Any, text: str) -> Any:
    if isinstance(field, Flag):
        # as JSON writes them, and as Python's clients write them into an address
        return {"true": True, "True": True, "false": False, "False": False}.get(text, text)
    if not isinstance(field, Whole | Number | EpochSeconds):
        return text
    try:
        return parse_number(text)
    except ValueError:
        return text  # the field says what is wrong with it
