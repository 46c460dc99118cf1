"""Against which ESG score a quote is held that was given before."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from apps.insight.esg.oracle.services import oracle_runs
from apps.payments.settlement.services import pricing
from tests.conftest import NOON
from tests.esg.oracle.sample_runs import TOLD
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
HOUR, TICK = timedelta(hours=1), timedelta(microseconds=1)


@pytest.fixture
def runs() -> None:
    """Three runs of the ESG oracle, an hour apart."""
    for hours, points in ((-2, 90), (-1, 70), (0, 80)):
        moment = NOON + hours * HOUR
        assert oracle_runs.store_run(
            payload=TOLD, points=Decimal(points), quality="LIVE", now=moment
        )


@pytest.mark.parametrize(
    ("moment", "score"),
    [
        (NOON - 2 * HOUR - TICK, 0),
        (NOON - 2 * HOUR, 90_000_000),
        (NOON - HOUR - TICK, 90_000_000),
        (NOON - HOUR, 70_000_000),
        (NOON - TICK, 70_000_000),
        (NOON + HOUR, 80_000_000),
    ],
)
def test_the_score_of_a_moment_is_that_of_the_last_run_before_it(
    runs: None, moment: datetime, score: int
) -> None:
    assert pricing._live_score_at(moment) == score


def test_a_run_without_a_score_counts_as_nought(runs: None) -> None:
    assert oracle_runs.store_run(payload=TOLD, points=None, quality="", now=NOON + HOUR)
    assert pricing._live_score_at(NOON + HOUR) == 0


def test_a_run_that_was_altered_counts_as_nought(runs: None) -> None:
    with without_triggers():
        sql("UPDATE esgoracle_esgrun SET average = average + 1")
    assert pricing._live_score_at(NOON) == 0
