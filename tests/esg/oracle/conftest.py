"""The live score out of the bundled sample of series, and scores of its entities."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests import sampling
from tests.conftest import NOON
from tests.payees.registration.conftest import sample  # noqa: F401


@pytest.fixture
def api(db: None, monkeypatch: Any) -> APIClient:
    """A caller at noon."""
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: NOON)
    return APIClient(raise_request_exception=False)


@pytest.fixture
def series(db: None) -> None:
    """The bundled sample of series."""
    sampling.load(now=NOON, files=sampling.ORACLES)
