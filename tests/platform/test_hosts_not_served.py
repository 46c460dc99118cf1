"""A host that is not served: 400, one line of the log, and no traceback."""

import json
import logging
from typing import Any

import pytest
from django.test import Client

HOSTS = ["evil.example", "127.0.0.1:8400@evil", "a" * 5000, "127.0.0.1, evil", "[::1", ""]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("path", ["/compliance/health", "/compliance/nothing", "/static/x"])
def test_a_strange_host_is_answered_400(
    host: str, path: str, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    caplog.set_level(logging.DEBUG)
    answer = Client(SERVER_NAME="x").get(path, HTTP_HOST=host or "_")
    assert answer.status_code == 400
    assert answer["Content-Security-Policy"]
    if path.startswith("/compliance"):
        assert answer["Content-Type"] == "application/problem+json"
        assert json.loads(answer.content)["code"] == "invalid_request"
    lines = [record for record in caplog.records if record.name != "asyncio"]
    assert [line.levelname for line in lines if "host" in line.getMessage()] == ["WARNING"]
    assert not any(line.exc_info for line in lines)
    assert max(len(line.getMessage()) for line in lines) < 200


def test_a_page_says_so_as_a_page() -> None:
    answer = Client().get("/", HTTP_HOST="evil.example")
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/html; charset=utf-8")
