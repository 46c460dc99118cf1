"""People at the desk, and a database that other threads see too."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.case_types import CASE_TYPES
from tests.review import kinds
from tests.review.people import OFFICER, SENIOR, person


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """These tests stand on review alone: evidence is drawn as it is stored."""
    table = dict(CASE_TYPES)
    for other in table.keys() - {"screen"}:
        del CASE_TYPES[other]
    kinds.use(monkeypatch)
    yield
    CASE_TYPES.clear()  # the order is the documents'
    CASE_TYPES.update(table)


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
