"""Fixtures of the LEI tests."""

import pytest

from apps.reference.lei.services import file_imports, lookups
from tests.lei.fake_gleif import FakeGleif


@pytest.fixture(autouse=True)
def no_marks():
    """Forget which LEIs this process has marked as used today."""
    lookups._used_leis.clear()
    lookups._used_leis_day.clear()


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
    monkeypatch.setattr(file_imports, "FEWEST_ROWS", dict.fromkeys(file_imports.FEWEST_ROWS, 1))
