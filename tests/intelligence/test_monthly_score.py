"""The score of a month is one number: as the past tells it, and as the composite was then."""

from datetime import UTC, datetime, time, timedelta

import pytest

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.regimes.past_months import build_past_months, max_ages_of_points
from apps.insight.intelligence.regimes.predictions import REGIME_COMPOSITE
from apps.insight.intelligence.selectors import product_inputs
from apps.reference.signals.composition import compute_composite
from apps.reference.signals.quality import TooFewInputs
from tests import sampling
from tests.conftest import NOON

YEARS = timedelta(days=500)  # after the sample ends


@pytest.mark.django_db
@pytest.mark.parametrize("after", [timedelta(0), YEARS], ids=["then", "long after"])
def test_the_past_and_the_composite_tell_the_same(after: timedelta) -> None:
    """Long after the sample ends its values are old in both, and count in both."""
    sampling.load(now=NOON)
    product = product_of("transition-risk")
    assert product is not None
    method_inputs = product_inputs.load_method_inputs(product, as_of=NOON + after)
    past_months = build_past_months(
        REGIME_COMPOSITE,
        method_inputs.past,
        until=method_inputs.as_of.date(),
        ages=max_ages_of_points(method_inputs.points),
    )
    for past_month in (past_months[10], past_months[100], *past_months[-6:]):
        end = datetime.combine(past_month.day + timedelta(days=1), time(), UTC)
        composite = compute_composite(REGIME_COMPOSITE, as_of=end)
        assert float(composite.score) == past_month.score, past_month.day
        assert {
            part.series: float(part.score) for part in composite.contributions
        } == past_month.places


@pytest.mark.django_db
def test_a_month_without_a_required_input_has_no_score(series: None) -> None:
    product = product_of("transition-risk")
    assert product is not None
    method_inputs = product_inputs.load_method_inputs(product, as_of=NOON)
    past = {name: one for name, one in method_inputs.past.items() if name != "us.epu.month"}
    assert not build_past_months(
        REGIME_COMPOSITE, past, until=NOON.date(), ages=max_ages_of_points(method_inputs.points)
    )
    with pytest.raises(TooFewInputs):
        product.compute(type(method_inputs)(as_of=NOON, points=method_inputs.points, past=past))
