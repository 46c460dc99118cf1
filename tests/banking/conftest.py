"""The bank, as it tells of payments, and an institution."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.payments import esg
from apps.stability.oracle import standing
from tests.api.oracles import run_oracles
from tests.screening.conftest import sample as lists  # noqa: F401


@pytest.fixture(autouse=True)
def _looks_anew() -> Iterator[None]:
    """What a process holds of the oracles is another test's."""
    esg.forget()
    standing.forget()
    yield
    esg.forget()
    standing.forget()


@pytest.fixture
def sample(lists: Any) -> Any:  # noqa: F811
    """The bundled sample, and a run of each oracle."""
    run_oracles()
    return lists
