"""The SAR log at noon, and who may read it."""

from typing import Any

import pytest
from django.test import Client

from apps.backoffice.sar import admin
from tests.review.people import NOON, SENIOR, at_desk, person


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "now", lambda: NOON)


@pytest.fixture
def samir(db: Any) -> Client:
    return at_desk(person("samir", SENIOR))
