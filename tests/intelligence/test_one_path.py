"""The score of a month is one number: as the past tells it, and as the composite was then."""

from datetime import UTC, datetime, time, timedelta

import pytest

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.methods.transition_risk import REGIME_COMPOSITE
from apps.insight.intelligence.regimes.past_months import build_past_months, max_ages_of_points
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
    known = product_inputs.load_method_inputs(product, as_of=NOON + after)
    found = build_past_months(
        REGIME_COMPOSITE,
        known.past,
        until=known.as_of.date(),
        ages=max_ages_of_points(known.points),
    )
    for one in (found[10], found[100], *found[-6:]):
        end = datetime.combine(one.day + timedelta(days=1), time(), UTC)
        made = compute_composite(REGIME_COMPOSITE, as_of=end)
        assert float(made.score) == one.score, one.day
        assert {part.series: float(part.score) for part in made.contributions} == one.places


@pytest.mark.django_db
def test_a_month_without_a_required_input_has_no_score(series: None) -> None:
    product = product_of("transition-risk")
    assert product is not None
    known = product_inputs.load_method_inputs(product, as_of=NOON)
    past = {name: one for name, one in known.past.items() if name != "us.epu.month"}
    assert not build_past_months(
        REGIME_COMPOSITE, past, until=NOON.date(), ages=max_ages_of_points(known.points)
    )
    with pytest.raises(TooFewInputs):
        product.compute(type(known)(as_of=NOON, points=known.points, past=past))
