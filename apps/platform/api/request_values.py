"""The values of a request: body or query by its serializer, ids of the path, headers."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from apps.platform.api.operations import Operation
from apps.platform.api.representation import serializer_instance
from apps.platform.api.shapes import (
    EpochSeconds,
    Flag,
    Identifier,
    Number,
    Whole,
    describe_unknown_names,
)
from apps.platform.common.problems import NO_SUCH_ID, NotFound, problem_of_status
from apps.platform.common.strict_json import parse_number


def read_request_values(
    *, operation: Operation, request: Request, path: Mapping[str, str]
) -> dict[str, Any]:
    """Return the values of a request, defaults included; ValidationError (400) names the fields.

    The same request has the same values however it was spelt. A body may be refused by 413, 415 or
    MalformedJson (400).
    """
    query = request._request.GET
    if operation.has_body:
        # otherwise a check that the caller puts into the query would silently not run
        if strange := [name for name in query if name not in operation.query_parameters]:
            raise ValidationError(describe_unknown_names(strange))
        encoding = request._request.headers.get("Content-Encoding", "identity")
        if encoding.strip().lower() != "identity":
            raise problem_of_status(
                415, "Send the body unencoded: Content-Encoding is not supported here."
            )
        sent = request.data
    else:
        # two values for one name are ambiguous
        if twice := [name for name, values in query.lists() if len(values) > 1]:
            raise ValidationError(
                {name: ["This parameter was sent more than once."] for name in twice[:10]}
            )
        sent = query.dict()
    return validate_request_values(operation=operation, sent=sent, path=path)


def validate_request_values(
    *, operation: Operation, sent: Any, path: Mapping[str, str]
) -> dict[str, Any]:
    """Validate parsed input and return its values."""
    values = {name: _parse_path_value(operation, name, text) for name, text in path.items()}
    if operation.request is not None:
        serializer = serializer_instance(operation.request)
        if not operation.has_body:
            fields = serializer.fields
            sent = {name: _parse_query_value(fields.get(name), text) for name, text in sent.items()}
        values |= serializer.run_validation(sent)
    elif sent:
        names = sent if isinstance(sent, Mapping) else ["body"]
        raise ValidationError(describe_unknown_names(names))
    return values


def _parse_path_value(operation: Operation, name: str, text: str) -> Any:
    field = operation.path_parameters[name].field
    try:
        return field.run_validation(text)
    except serializers.ValidationError as error:
        # our ids have one form, so any other form belongs to nothing
        if isinstance(field, Identifier):
            raise NotFound(NO_SUCH_ID) from None
        raise ValidationError({name: error.detail}) from None


def _parse_query_value(field: Any, text: str) -> Any:
    """Return a number or flag from a query: query strings carry only texts."""
    if isinstance(field, Flag):
        # as JSON writes them, and as Python clients write them into an address
        return {"true": True, "True": True, "false": False, "False": False}.get(text, text)
    if isinstance(field, Whole | Number | EpochSeconds):
        with suppress(ValueError):  # the field reports what is wrong with it
            return parse_number(text)
    return text
