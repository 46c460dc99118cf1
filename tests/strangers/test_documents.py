"""The documents are OpenAPI by a validator's judgement, and say what the code does."""

from typing import Any

import pytest
from openapi_spec_validator import validate

from apps.entry.discovery.published_documents import PUBLISHED_DOCUMENTS
from apps.platform.api.schema import openapi_document
from config.services import SERVICES

each = pytest.mark.parametrize("service", SERVICES)


@each
def test_the_document_is_valid_openapi(service: str) -> None:
    validate(openapi_document(service, f"/{service}"))


def fields(value: Any, path: str = "") -> Any:
    """Yield every schema of a document with its path."""
    if isinstance(value, dict):
        if "type" in value and not isinstance(value["type"], dict):
            yield path, value
        for name, inner in value.items():
            yield from fields(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from fields(inner, f"{path}/{number}")


@each
def test_no_default_contradicts_its_own_schema(service: str) -> None:
    for path, schema in fields(openapi_document(service, "")):
        if "default" in schema and isinstance(schema["default"], str):
            assert len(schema["default"]) >= schema.get("minLength", 0), path
            assert schema["default"] in schema.get("enum", [schema["default"]]), path


def is_decimal_text(path: str) -> bool:
    """Tell whether an amount is one that document 2 sections 2.1 to 2.3 write as text.

    So are those that are executed on a chain: exact to the smallest unit of the asset.
    """
    texts = ("InstructionInRequest", "RecordOut", "SettlementOut")
    executed = ("ExecutionOut", "BankExecutionOut", "WebhookOut", "RoutingOut")
    return path.endswith("/amount") and any(f"/{text}/" in path for text in (*texts, *executed))


# a report is a document of parts; its figures have names of their own
WITHOUT = ("reports",)


@each
def test_amounts_and_scores_are_numbers(service: str) -> None:
    names = {"amount", "score", "confidence", "priceUsd", "costUsd", "totalUsd"}
    found = [
        (path, schema["type"])
        for path, schema in fields(openapi_document(service, ""))
        # how sure an opinion is (document 1 sections 2.2 and 2.4) is a word
        if path.rsplit("/", 1)[-1] in names
        and not any(f"/{one}/" in path for one in ("OpinionOut", "ReasoningOut"))
        and not is_decimal_text(path)
    ]
    assert found or service in WITHOUT, "no such field is left: see what it is called now"
    assert all(kind in ("number", "integer") for _, kind in found), found


@each
def test_every_operation_tells_its_problems_and_headers(service: str) -> None:
    for path, operations in openapi_document(service, "")["paths"].items():
        if path.removeprefix("/") in PUBLISHED_DOCUMENTS:
            continue  # no call of a row: nothing is asked there that could be wrong
        for method, operation in operations.items():
            responses = operation["responses"]
            assert {"400", "503"} <= set(responses), (method, path)
            if operation["security"] != [{}]:
                assert {"401", "429"} <= set(responses)
                keyed = any("X-API-Key" in way for way in operation["security"])
                assert not keyed or "403" in responses
                good = next(one for status, one in responses.items() if status < "300")
                assert "X-RateLimit-Remaining" in good["headers"]
            if "{" in path.replace("{currency}", ""):  # of a register: what is none is 400
                assert "404" in responses
            for status, response in responses.items():
                if int(status) >= 400 and "application/problem+json" in response["content"]:
                    assert ":" in response["description"], (path, status)


@each
def test_what_may_be_null_says_so_in_its_choices_too(service: str) -> None:
    for path, schema in fields(openapi_document(service, "")):
        if schema.get("nullable") and "enum" in schema:
            assert None in schema["enum"], path


@each
def test_no_field_of_a_request_that_may_be_null_has_a_default(service: str) -> None:
    for path, schema in fields(openapi_document(service, "")["components"]):
        if path.split("/")[2].endswith("Request"):
            assert not (schema.get("nullable") and "default" in schema), path


@each
def test_amounts_say_how_large_they_may_be(service: str) -> None:
    for path, schema in fields(openapi_document(service, "")["components"]):
        if path.endswith("/amount") and not is_decimal_text(path):
            assert schema["maximum"] == 999_999_999_999, path
