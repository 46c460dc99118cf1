"""The report service on the bundled sample, at noon, after a run of the stability oracle."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from apps.insight.intelligence.services import paid_answers
from apps.insight.stability.oracle import presenters
from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.services.oracle_runs import record_run
from tests import sampling
from tests.conftest import NOON
from tests.reports.buyer import Buyer
from tests.screening.conftest import forget_sample, load_sample


@pytest.fixture(autouse=True)
def _remembers_nothing() -> Iterator[None]:
    """What a process remembers of runs and answers is another test's."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    paid_answers.clear_answer_memory()
    latest_run.forget_latest_run()
    presenters._last_answers.clear()  # a run of another test may have had the same row


@pytest.fixture
def at(monkeypatch: Any) -> Callable[[datetime], None]:
    """Set the clock of calls: `at(moment)`; the oracle has run at that moment."""

    def call(moment: datetime, *, run: bool = True) -> None:
        monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: moment)
        if run:
            record_run(now=moment)
            latest_run.forget_latest_run()

    return call


@pytest.fixture
def world(db: None, at: Callable[[datetime], None]) -> None:
    """The bundled sample of series, at noon."""
    sampling.load(now=NOON)
    at(NOON)


@pytest.fixture
def alice(world: None) -> Buyer:
    """Somebody who pays from a wallet of her own."""
    return Buyer("Alice Ltd")


@pytest.fixture
def carol(db: None) -> Iterator[Buyer]:
    """Somebody who pays, where the sample of lists is loaded."""
    forget_sample()
    load_sample()
    yield Buyer("Carol")
    forget_sample()
