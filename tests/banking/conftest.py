"""The bank, as it tells of payments."""

from collections.abc import Iterator

import pytest

from apps.payments import esg
from apps.stability.oracle import standing
from tests.registry.conftest import sample  # noqa: F401


@pytest.fixture(autouse=True)
def _looks_anew() -> Iterator[None]:
    """What a process holds of the oracles is another test's."""
    esg.forget()
    standing.forget()
    yield
    esg.forget()
    standing.forget()
