"""The deployment check tells of an OpenAPI document that is not sound."""

from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS

from apps.platform import checks
from apps.platform.api import schema


def test_the_document_of_each_service_is_made_without_a_warning() -> None:
    assert checks.check_openapi_documents() == []


def test_a_warning_names_its_service(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = schema.generate_openapi

    def warned(service: str, prefix: str) -> Any:
        made = whole(service, prefix)  # which begins anew to collect
        if service == "compliance":
            GENERATOR_STATS.emit("two shapes of one name", "warning")
        return made

    monkeypatch.setattr(schema, "generate_openapi", warned)
    (found,) = checks.check_openapi_documents()
    assert "compliance" in found.msg and "two shapes of one name" in found.msg
    assert not GENERATOR_STATS
