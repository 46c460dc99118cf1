"""The bank, as it tells of payments, and an institution."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.banking.banks import TOKEN, Payer, simulated
from tests.esg.oracle.sample_runs import ran as score_live
from tests.process_caches import oracles_forgotten  # noqa: F401
from tests.screening.conftest import sample as lists  # noqa: F401
from tests.settlement.conftest import _unhurried  # noqa: F401
from tests.snapshots import load_once
from tests.stability.oracle.conftest import calm, ran  # noqa: F401


@pytest.fixture
def sample(lists: Any, ran: Callable[..., Any]) -> Any:  # noqa: F811
    """The bundled sample of lists, and a run of each oracle on a calm day."""
    moment = now()

    def run_oracles() -> None:
        score_live(moment)
        ran(at=moment)

    load_once("oracles on a calm day", run_oracles, key=moment.replace(second=0, microsecond=0))
    latest_run.forget_latest_run()
    return lists


@pytest.fixture
def bank(settings: Any) -> Iterator[BankServer]:
    """A simulated bank that the product is configured with."""
    with simulated() as server:
        settings.BANK_API_URL, settings.BANK_API_TOKEN = server.url, TOKEN
        yield server


@pytest.fixture
def alice(sample: Any) -> Payer:
    """An institution."""
    return Payer(key_client("Alice Bank", "INSTITUTION"))


@pytest.fixture
def bob(sample: Any) -> Payer:
    """Another institution."""
    return Payer(key_client("Bob Bank", "INSTITUTION"))
