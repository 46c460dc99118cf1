"""People at the desk, and a database that other threads see too."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.case_types import CASE_TYPES
from tests.review import sample_case_type, sample_known_false_positives
from tests.review.merges import APPLIED, apply_decision
from tests.review.people import OFFICER, SENIOR, person
from tests.review.sample_known_false_positives import Lists


@pytest.fixture(autouse=True)
def _a_kind_of_no_domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """These tests stand on review alone: evidence is drawn as it is stored."""
    table = dict(CASE_TYPES)
    for other in table.keys() - {"screen"}:
        del CASE_TYPES[other]
    sample_case_type.use(monkeypatch)
    yield
    CASE_TYPES.clear()  # the order is the documents'
    CASE_TYPES.update(table)


@pytest.fixture
def decisions_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record in `APPLIED` the decisions that the kind applies."""
    APPLIED.clear()
    sample_case_type.use(monkeypatch, decided=apply_decision)


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    """At noon, let screens be a kind of which false positives can be known."""
    sample_known_false_positives.at_noon(monkeypatch)
    return sample_known_false_positives.use(monkeypatch)


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
