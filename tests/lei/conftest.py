"""Fixtures of the LEI tests."""

import pytest

from apps.lei import imports, lookups
from tests.lei.fake_gleif import FakeGleif


@pytest.fixture(autouse=True)
def no_marks():
    """Forget which LEIs this process has marked as used today."""
    lookups._marked.clear()
    lookups._marked_on.clear()


@pytest.fixture
def gleif(settings):
    """A GLEIF to ask."""
    fake = FakeGleif()
    settings.GLEIF_URL = fake.url
    yield fake
    fake.close()


@pytest.fixture(autouse=True)
def few_rows_are_a_whole_copy(monkeypatch):
    """Files of these tests are whole copies of a very small register."""
    monkeypatch.setattr(imports, "LEAST", dict.fromkeys(imports.LEAST, 1))
