"""The bundled sample: every composite can be computed of it, and says that it is one."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.signals import reading, samples
from apps.signals.composing import compose
from apps.signals.composites import COMPOSITES, Composite
from apps.signals.models import Observation
from apps.signals.quality import Unavailable
from apps.signals.series import row_of
from tests.conftest import NOON


@pytest.fixture
def sample(db: Any) -> None:
    samples.load(now=NOON)


def test_every_value_of_the_sample_is_plausible() -> None:
    for one in samples.rows(now=NOON):
        row = row_of(one.series)
        assert row is not None and row.plausible[0] <= one.value <= row.plausible[1], one


@pytest.mark.django_db
def test_the_sample_loads_once_and_never_in_production(settings: Any, capsys: Any) -> None:
    assert samples.load(now=NOON) == Observation.objects.count() > 7000
    assert samples.load(now=NOON + timedelta(days=1)) == 0
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="Production"):
        call_command("load_sample_signals")


@pytest.mark.parametrize("row", COMPOSITES, ids=lambda row: row.name)
def test_every_composite_is_computed_of_the_sample_and_says_so(
    sample: None, row: Composite, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(3):
        found = compose(row, as_of=NOON)
    assert found.quality.label == "ESTIMATED" and "sample" in found.quality.reasons
    assert 0 <= found.score <= 100
    assert sum(one.share for one in found.contributions) == found.score
    assert found.band in {label for _, label in row.bands}


def test_nothing_of_the_sample_is_served_in_production(sample: None, settings: Any) -> None:
    settings.PRODUCTION = True
    with pytest.raises(Unavailable):
        compose(COMPOSITES[0], as_of=NOON)


def test_the_past_can_be_asked_of_the_sample(sample: None) -> None:
    then = NOON.replace(year=2020, month=5, day=1)
    assert reading.latest(["gold"], as_of=then)["gold"].day.isoformat() == "2020-03-31"
    later = then + timedelta(days=2)
    assert reading.latest(["gold"], as_of=later)["gold"].day.isoformat() == "2020-04-30"


def test_a_month_that_was_never_published_is_no_base_of_a_yearly_change(sample: None) -> None:
    index = dict(reading.history("us.cpi", as_of=NOON))
    change = dict(reading.history("us.cpi.yoy", as_of=NOON))
    days = {f"{day:%Y-%m}": day for day in index}
    assert "2025-10" not in days
    assert "2025-10" not in {f"{day:%Y-%m}" for day in change}
    may = days["2026-05"]
    assert (index[may], index[days["2025-05"]]) == (Decimal("335.123"), Decimal("321.465"))
    assert change[may] == Decimal("4.24867404")
