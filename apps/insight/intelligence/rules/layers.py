"""The seven layers through which a shock goes (document 3 section 2.7), and their states. Pure.

Each layer is measured by one composite of its markets.
"""

from dataclasses import dataclass
from decimal import Decimal

from apps.reference.signals.composites import Composite, find_composite


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer: its code, its name in the specification, the composite that measures it."""

    code: str
    name: str
    composite: str

    @property
    def row(self) -> Composite:
        """The composite's row."""
        return find_composite(self.composite)


LAYERS: tuple[Layer, ...] = (
    Layer(code="L1", name="Geopolitical and exogenous shock", composite="policy-instability"),
    Layer(code="L2", name="Energy and commodities", composite="commodity-stress"),
    Layer(code="L3", name="Trade and shipping", composite="supply-pressure"),
    Layer(code="L4", name="Inflation and monetary policy", composite="dollar-strain"),
    Layer(code="L5", name="Currency and capital flows", composite="currency-stress"),
    Layer(code="L6", name="Credit and financial conditions", composite="credit-stress"),
    Layer(code="L7", name="Risk assets and DeFi", composite="risk-assets"),
)
CODES = tuple(layer.code for layer in LAYERS)
ROWS = tuple(layer.row for layer in LAYERS)
NAMES = {layer.code: layer.name for layer in LAYERS}

# a layer's score below -> its state; bounds as in rules/history_percentile_labels.py, words as in
# document 3 section 2.7
STATES: tuple[tuple[int, str], ...] = ((60, "CALM"), (80, "FORMING"), (95, "ELEVATED"))
SHOCK, UNKNOWN = "SHOCK", "UNKNOWN"
STATE_WORDS = (*(word for _, word in STATES), SHOCK, UNKNOWN)

# states of a layer that a shock will reach: an effect that does not show yet is expected
REACHED: tuple[tuple[int, str], ...] = ((60, "EXPECTED"), (80, "FORMING"))
ACTIVE = "ACTIVE"
REACHED_WORDS = (*(word for _, word in REACHED), ACTIVE, SHOCK, UNKNOWN)

# state of all layers: that a cascade runs, else by their mean, with the bands of composites
WHOLE: tuple[tuple[int, str], ...] = ((25, "CALM"), (50, "MODERATE"), (75, "STRESSED"))
CASCADING, WORST = "ACTIVE_CASCADE", "CRISIS"
WHOLE_WORDS = (*(word for _, word in WHOLE), WORST, CASCADING)


def state_of_layer(score: Decimal | None) -> str:
    """Return the state of a layer by its score of 0 to 100; UNKNOWN without one."""
    return UNKNOWN if score is None else _word_in_table(STATES, score, SHOCK)


def state_of_effect(score: Decimal | None) -> str:
    """Return how far an effect has come in a layer by its score; UNKNOWN without one."""
    return UNKNOWN if score is None else _word_in_table(REACHED, score, ACTIVE)


def state_of_all_layers(score: Decimal, *, cascades: int) -> str:
    """Return the state of all layers by their mean and by how many cascades run."""
    return CASCADING if cascades else _word_in_table(WHOLE, score, WORST)


def _word_in_table(table: tuple[tuple[int, str], ...], score: Decimal, last: str) -> str:
    return next((word for bound, word in table if score < bound), last)
