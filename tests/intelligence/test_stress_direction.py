"""More stress of an input is never less of a score: over all products to which that applies."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from apps.insight.intelligence.catalogue import PRODUCTS, product_of
from apps.insight.intelligence.methods.shipping_stress import PLACED_SERIES, STRAITS
from apps.insight.intelligence.rules.farming_zones import ZONES
from apps.insight.intelligence.rules.gauges import Gauge
from apps.insight.intelligence.rules.sustainability_gauges import (
    BIODIVERSITY,
    DROUGHTS,
    GENDER,
    WITHDRAWALS,
)
from apps.insight.intelligence.rules.tectonic_faults import FAULTS, RELEASE_SERIES
from apps.insight.intelligence.rules.us_regions import REGIONS
from tests.intelligence.test_missing_inputs import observed, observed_answer, stress

RAIN = {zone.series: -1 for zone in ZONES}  # dryness is strain


def of_rows(name: str, *, first: bool = True) -> dict[str, int]:
    """Return the directions of a product's composites, or of the first alone."""
    product = product_of(name)
    assert product is not None
    rows = product.composites[:1] if first else product.composites
    return {part.series: part.direction for row in rows for part in row.parts}


def of_gauges(*gauges: Gauge) -> dict[str, int]:
    return {gauge.series: 1 if gauge.worst > gauge.calm else -1 for gauge in gauges}


# product -> series -> +1 where a rise is strain, -1 where a fall is
DIRECTED: Mapping[str, Mapping[str, int]] = {
    **{
        name: of_rows(name)
        for name in ("macro-stress", "commodity", "sovereign-debt", "48h-call", "supply-chain",
                     "currency-stress", "earth-systems", "transition-risk")
    },
    "cascade": of_rows("cascade", first=False),
    "climate": RAIN,
    "climate-pulse": of_gauges(*DROUGHTS) | {one: 1 for row in REGIONS for one in row.heat},
    "water-risk": RAIN | of_gauges(*WITHDRAWALS, *DROUGHTS),
    "biodiversity": of_gauges(*BIODIVERSITY),
    "gender-risk": of_gauges(*GENDER),
    "shipping-stress": dict.fromkeys(PLACED_SERIES, 1) | dict.fromkeys(STRAITS.values(), -1),
    "tectonic": {fault.series: fault.direction for fault in FAULTS} | {RELEASE_SERIES: -1},
    "instability": {"us.epu.30d": 1, "us.tpu": 1, "gold": 1, "debt.us": 1, "balance.us": -1,
                    "us.breakeven.10y": 1},
}  # fmt: skip
# what has no such direction, and why
UNDIRECTED = {
    "fx-settlement": "it is of volatility: a move either way is strain",
    "aftershock": "shocks are moves either way, and follow from all of the past",
    "butterfly": "the shock is the caller's; figures make the weights of its ways",
    "contagion": "the loss is the caller's; figures make the impacts, of moves either way",
    "resonance": "it is of how moves go together, either way",
    "mycelium": "it is of sizes of moves, either way",
    "energy-transition": "it has no score",
    "causal-graph": "it has no score",
    "ledger": "it has no score, and rests on no series",
    "esg": "it is the score of an entity, whose directions tests/esg has",
}


def test_every_product_has_directions_or_a_reason_for_none() -> None:
    assert {*DIRECTED} | {*UNDIRECTED} == {product.name for product in PRODUCTS}
    assert not {*DIRECTED} & {*UNDIRECTED}
    for name, inputs in DIRECTED.items():
        assert len({*inputs} & {*observed(name).points}) > 0.9 * len(inputs), name


@pytest.mark.parametrize("name", DIRECTED)
def test_more_stress_of_an_input_is_never_less_of_the_score(name: str) -> None:
    product = product_of(name)
    assert product is not None
    known, moving = observed(name), 0
    for series, direction in DIRECTED[name].items():
        if series not in known.points:  # the sample lacks two series of credit
            continue
        values = sorted({value for _, value in known.past[series]}, reverse=direction < 0)
        steps = [values[0], values[len(values) // 2], values[-1]]
        told = [
            stress(product, observed_answer(product, newest=(series, value))) for value in steps
        ]
        for before, after in pairwise(told):
            assert all(before[path] <= after[path] for path in before), series
        moving += told[0] != told[-1]
    assert moving > len(DIRECTED[name]) / 2  # most of the inputs do move it
