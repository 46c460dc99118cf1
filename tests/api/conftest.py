"""Fixtures of the walk: the bundled sample, loaded once for the tests of a module."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from apps.access.models import Kind
from apps.banking.simulator.web import Server
from apps.intelligence import knowing
from apps.stability.oracle import standing
from tests.api import walking
from tests.api.oracles import run_oracles
from tests.banking.banks import TOKEN, simulated
from tests.held import held
from tests.screening.conftest import forget_sample, load_sample

# what the products read of the series, which no test of a module changes
_SERIES: dict[str, Any] = {}


@pytest.fixture(scope="module")
def _loaded(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[Server]:
    with held(request), simulated() as bank:
        with django_db_blocker.unblock():
            load_sample()
            run_oracles()
            for name, kind in product(("Alice Ltd", "Bob SA"), Kind):
                walking.KEYS[name, kind] = walking.issue_key(name, kind)
        _forget()
        yield bank
    walking.KEYS.clear()
    _SERIES.clear()
    _forget()


def _forget() -> None:
    """Forget what this process read of a database: it is not the next test's."""
    forget_sample()
    standing.forget()


@pytest.fixture
def loaded(_loaded: Server, db: Any, settings: Any) -> Iterator[None]:
    """The bundled sample: what the rows' examples are about; a run of each oracle, and a bank."""
    settings.BANK_API_URL, settings.BANK_API_TOKEN = _loaded.url, TOKEN
    _forget()
    knowing._MEMORY.update(_SERIES)
    yield
    _SERIES.update(knowing._MEMORY)
    _forget()
