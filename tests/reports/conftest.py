"""The report service on the bundled sample, at noon, after a run of the stability oracle."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from apps.intelligence import answering
from apps.stability.oracle import answers, standing
from apps.stability.oracle.running import run_once
from tests import sampling
from tests.conftest import NOON
from tests.reports.buying import Buyer


@pytest.fixture(autouse=True)
def _remembers_nothing() -> Iterator[None]:
    """What a process remembers of runs and answers is another test's."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    answering.forget()
    standing.forget()
    answers._kept.clear()  # a run of another test may have had the same row


@pytest.fixture
def at(monkeypatch: Any) -> Callable[[datetime], None]:
    """Set the clock of calls: `at(moment)`; the oracle has run at that moment."""

    def call(moment: datetime, *, run: bool = True) -> None:
        monkeypatch.setattr("apps.core.pipeline.present", lambda: moment)
        if run:
            run_once(now=moment)
            standing.forget()

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
