"""Fixtures of payments: the bundled sample, and one call that costs money."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.paywall.scripted_facilitator import Scripted
from tests.screening.conftest import sample  # noqa: F401

PATH = "/compliance/compliance/screen"
BODY = {"name": "Blue Heron Stationery Limited", "country": "DE"}


@pytest.fixture
def screen(sample: Any) -> Callable[..., Any]:  # noqa: F811
    """Ask for a screen: `screen(headers, name="…")`."""
    client = APIClient(raise_request_exception=False)

    def call(headers: Any = None, **changes: Any) -> Any:
        return client.post(PATH, BODY | changes, format="json", headers=headers or {})

    return call


@pytest.fixture
def facilitator(monkeypatch: Any) -> Scripted:
    """Stand in for the facilitator of this installation."""
    scripted = Scripted()
    monkeypatch.setattr(
        "apps.access.paywall.configured_facilitator.get_facilitator", lambda: scripted
    )
    return scripted
