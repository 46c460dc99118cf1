"""The values of a request: body or query by its serializer, ids of the path, headers."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from apps.platform.api.operations import Operation
from apps.platform.api.parsers import require_content_length
from apps.platform.api.representation import serializer_instance
from apps.platform.api.shapes import EpochSeconds, Flag, Identifier, Number, Whole
from apps.platform.common.problems import NO_SUCH_ID, NotFound, problem_of_status
from apps.platform.common.strict_json import parse_number

MOST_NAMED = 10


def read_request_values(
    *, operation: Operation, request: Request, path: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of a request, defaults included; ValidationError (400) names the fields.

    However a request was spelt, the same question has the same values. A body may be refused by
    411, 413, 415 or MalformedJson (400).
    """
    query = request._request.GET
    if operation.has_body:
        # a check that is asked for in the query would silently not run
        if strange := [name for name in query if name not in operation.query_parameters]:
            raise _unknown_field_error(strange)
        encoding = request._request.headers.get("Content-Encoding", "identity")
        if encoding.strip().lower() != "identity":
            raise problem_of_status(
                415, "Send the body as it is: Content-Encoding is not supported here."
            )
        require_content_length(request._request)
        sent = request.data
    else:
        # which of the two was meant?
        if twice := [name for name, values in query.lists() if len(values) > 1]:
            raise ValidationError(
                {name: ["This parameter was sent more than once."] for name in twice[:MOST_NAMED]}
            )
        sent = query.dict()
    return validate_request_values(operation=operation, sent=sent, path=path)


def validate_request_values(
    *, operation: Operation, sent: Any, path: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of what was sent, already parsed."""
    values = {name: _parse_path_value(operation, name, text) for name, text in path.items()}
    if operation.request is not None:
        serializer = serializer_instance(operation.request)
        if not operation.has_body:
            fields = serializer.fields
            sent = {name: _parse_query_value(fields.get(name), text) for name, text in sent.items()}
        values |= serializer.run_validation(sent)
    elif sent:
        raise _unknown_field_error(sent if isinstance(sent, Mapping) else ["body"])
    return values


def read_header_values(*, operation: Operation, request: HttpRequest) -> dict[str, str]:
    """Return the headers that an operation takes, by its names for them; 400 for one too long."""
    found = {}
    for name, header in operation.header_parameters.items():
        found[name] = request.headers.get(header.name, "").strip()
        if len(found[name]) > header.max_length:
            too_long = f"This has more than {header.max_length} characters."
            raise ValidationError({header.name: [too_long]})
    return found


def _unknown_field_error(names: Iterable[Any]) -> ValidationError:
    """Return the refusal of fields that nothing here reads."""
    named = islice(names, MOST_NAMED)
    return ValidationError({str(name)[:80]: ["This field is unknown."] for name in named})


def _parse_path_value(operation: Operation, name: str, text: str) -> Any:
    field = operation.path_parameters[name].field
    try:
        return field.run_validation(text)
    except serializers.ValidationError as error:
        if isinstance(field, Identifier):  # ours are all of one form: another is nobody's
            raise NotFound(NO_SUCH_ID) from None
        raise ValidationError({name: error.detail}) from None


def _parse_query_value(field: Any, text: str) -> Any:
    """Return a number or flag of a query as such: an address carries texts alone."""
    if isinstance(field, Flag):
        # as JSON writes them, and as Python's clients write them into an address
        return {"true": True, "True": True, "false": False, "False": False}.get(text, text)
    if not isinstance(field, Whole | Number | EpochSeconds):
        return text
    try:
        return parse_number(text)
    except ValueError:
        return text  # the field says what is wrong with it
