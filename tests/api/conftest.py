"""Fixtures of the walk: the bundled sample, loaded once for the tests of a module."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from django.test import override_settings

from apps.access.keys.models import KeyKind
from apps.insight.intelligence.selectors import product_inputs
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.banking.simulator.server import BankServer
from tests.api import endpoint_walk
from tests.api.oracles import run_oracles
from tests.banking.banks import TOKEN, simulated
from tests.module_data import held
from tests.screening.conftest import forget_sample, load_sample

# what the products read of the series, which no test of a module changes
_SERIES: dict[str, Any] = {}


@pytest.fixture(scope="module")
def _loaded(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[BankServer]:
    with held(request), simulated() as bank:
        with django_db_blocker.unblock():
            load_sample()
            run_oracles()
            for name, kind in product(("Alice Ltd", "Bob SA"), KeyKind):
                endpoint_walk.KEYS[name, kind] = endpoint_walk.issue_key(name, kind)
        _forget()
        yield bank
    endpoint_walk.KEYS.clear()
    _SERIES.clear()
    _forget()


def _forget() -> None:
    """Forget what this process read of a database: it is not the next test's."""
    forget_sample()
    latest_run.forget_latest_run()


@contextmanager
def served(bank: BankServer) -> Iterator[None]:
    """Serve the sample as workers would that run beside this bank, and forget it afterwards."""
    _forget()
    product_inputs._MEMORY.update(_SERIES)
    with override_settings(BANK_API_URL=bank.url, BANK_API_TOKEN=TOKEN):
        yield
    _SERIES.update(product_inputs._MEMORY)
    _forget()


@pytest.fixture
def loaded(_loaded: BankServer, db: Any) -> Iterator[None]:
    """The bundled sample: what the rows' examples are about; a run of each oracle, and a bank."""
    with served(_loaded):
        yield
