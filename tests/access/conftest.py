"""Fixtures of the tests of access."""

from collections.abc import Iterator

import pytest

from tests.core import flushing


@pytest.fixture(scope="session", autouse=True)
def _flushes() -> Iterator[None]:
    with flushing.allowed():
        yield
