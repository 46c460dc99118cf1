"""People at the desk, and a database that other threads see too."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.review import kinds
from tests.review.people import OFFICER, SENIOR, person


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests stand on review alone: evidence is drawn as it is stored."""
    kinds.use(monkeypatch)


@pytest.fixture
def committed(transactional_db: None) -> None:
    """Let a test commit, so that other threads see what it made; all is empty again after."""


@pytest.fixture
def olivia(db: Any) -> User:
    return person("olivia", OFFICER)


@pytest.fixture
def ben(db: Any) -> User:
    return person("ben", OFFICER)


@pytest.fixture
def samir(db: Any) -> User:
    return person("samir", SENIOR)


@pytest.fixture
def sofia(db: Any) -> User:
    return person("sofia", SENIOR)
