"""An oracle that rests on the bundled sample, or on values of the tests' own."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.stability.models import StabilityRun
from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.reference.signals.models import Observation
from tests import sampling
from tests.conftest import NOON
from tests.stability.oracle.sample_facts import CALM

# what is computed of other series is not stored: these make the calm day's values
STORED = {
    "us.dgs10": "4.22", "us.dgs2": "3.6", "us.dfii10": "1.92",
    "fx.eur.USD": "1.15", "fx.eur.CNY": "8.165", "fx.eur.CHF": "0.92", "fx.eur.JPY": "178.25",
    "fx.eur.GBP": "0.8625", "us.epu": "140",
}  # fmt: skip
# of what is a mean of thirty days there is a value each day
DAILY = {"us.epu"}
COMPUTED = {"us.epu.30d", "us.curve.10y2y", "us.breakeven.10y", "us.cpi.yoy", "fx.usd.CNY",
            "fx.usd.CHF", "fx.usd.JPY", "fx.usd.GBP"}  # fmt: skip


@pytest.fixture(autouse=True)
def _looks_anew() -> Iterator[None]:
    """What a process holds of the last run is another test's."""
    latest_run.forget_latest_run()
    yield
    latest_run.forget_latest_run()


@pytest.fixture
def sample(db: Any) -> None:
    """The bundled sample of series."""
    sampling.load(now=NOON, files=sampling.ORACLES)


def observe(name: str, value: str, *, at: datetime, ago: int = 0, source: str = "TEST") -> None:
    """Keep a value of a series, of so many days ago, known since then."""
    observation(name, value, at=at, ago=ago, source=source).save(force_insert=True)


def observation(
    name: str, value: str, *, at: datetime, ago: int = 0, source: str = "TEST"
) -> Observation:
    """Return a value of a series, of so many days ago, known since then."""
    moment = at - timedelta(days=ago)
    return Observation(
        series=name,
        observed_on=moment.date(),
        value=Decimal(value),
        source=source,
        fetched_at=moment,
        vintage=moment,
    )


AGO = (366, 365, 91, 30, 0)


@pytest.fixture
def calm(db: Any) -> Callable[..., None]:
    """Make a calm day: everything observed today, and unchanged for a year."""

    def make(*, at: datetime = NOON, without: tuple[str, ...] = (), **others: str) -> None:
        values = {name: one for name, one in CALM.items() if name not in COMPUTED} | STORED
        values |= {name.replace("__", "."): value for name, value in others.items()}
        Observation.objects.bulk_create(
            [
                *(
                    observation(name, value, at=at, ago=ago)
                    for name, value in values.items()
                    if name not in without
                    for ago in (*(range(29, 0, -1) if name in DAILY else ()), *AGO)
                ),
                observation("us.cpi", "100", at=at, ago=365),
                observation("us.cpi", "102.9", at=at),
            ]
        )

    return make


@pytest.fixture
def ran(calm: Callable[..., None]) -> Callable[..., StabilityRun]:
    """Make a calm day and a run of it."""

    def make(*, at: datetime = NOON, **options: Any) -> StabilityRun:
        calm(at=at, **options)
        run = record_run(now=at)
        assert run is not None
        latest_run.forget_latest_run()
        return run

    return make
