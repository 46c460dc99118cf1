"""The nine layers of the oracle: one table of inputs, and the score that they make. Pure.

An input has points of 0 to 100 in whole tenths, by its curve. A layer's value is the mean of its
inputs by weight, the score the mean of the layers by weight. Both are computed in whole numbers, so
that contributions sum to the score exactly: a layer's value has four decimals, the score and each
contribution seven. The weight of missing inputs goes to the others, to the whole thousandth.

An input whose series stopped is held at its last points if these are worse than the mean of the
others of its layer, and so is a layer all of whose inputs stopped
(apps/reference/signals/carried_forward_inputs.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.rules.curves import MOST, Curve, build_curve, signal_of_points
from apps.insight.stability.oracle.rules.measures import (
    MONTHLY_LATE,
    Facts,
    Measure,
    measure_largest_deviation,
    measure_level,
    measure_swing,
)
from apps.insight.stability.oracle.rules.usd_signals import USD_SIGNALS
from apps.reference.signals.carried_forward_inputs import (
    WeightAndScore,
    choose_carried_forward_inputs,
)

# thousandths: what the weights of inputs in a layer, and of layers, sum to
WHOLE = 1000
# the seven layers whose weights adapt (document 3 section 2.3, adaptive status)
TIERS = ("climate", "commodity", "macro", "fx", "basket", "geopolitical", "capital")
# days
MONTH = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerInput:
    """One input of a layer; without a `required` one there is no score at all."""

    id: str
    title: str
    weight: int
    measure: Measure
    curve: Curve
    basis: str
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer; `weight` in thousandths. Those of TIERS are adaptive (rules/weight_updates.py)."""

    id: str
    title: str
    weight: int
    inputs: tuple[LayerInput, ...]


_USUAL = build_curve(("2", 100), ("4", 85), ("7", 55), ("12", 20), ("20", 0))
_RAW = build_curve(("10", 100), ("20", 85), ("35", 55), ("60", 20), ("100", 0))
_PEG = measure_largest_deviation(
    series_names.USDT_PRICE, series_names.USDC_PRICE, target=Decimal(1)
)

LAYERS: tuple[Layer, ...] = (
    Layer(id="climate", title="Climate", weight=50, inputs=(
        LayerInput(id="warmth", title="Global temperature above 1951-1980", weight=400,
              measure=measure_level(series_names.WARMTH, unit="degrees C"),
              curve=build_curve(("0.8", 100), ("1.2", 90), ("1.5", 75), ("2", 50), ("3", 0)),
              basis="1.5 and 2 degrees of the Paris Agreement (above 1850-1900)"),
        LayerInput(id="enso", title="El Nino and La Nina", weight=400,
              measure=measure_level(series_names.ENSO, unit="degrees C"),
              curve=build_curve(("-2", 50), ("-1.5", 65), ("-0.5", 100), ("0.5", 100), ("1.5", 65),
                          ("2.5", 25)),
              basis="Climate Prediction Center: 0.5 is an event, 1.5 a strong one"),
        LayerInput(id="ice", title="Arctic sea ice, year on year", weight=200,
              measure=measure_swing(series_names.ICE, days=365),
              curve=build_curve(("5", 100), ("15", 80), ("30", 50), ("60", 0)),
              basis="the same day of the year before; 2007 and 2012 lost about a quarter"),
    )),
    Layer(id="commodity", title="Commodities", weight=80, inputs=(
        LayerInput(id="oil", title="Crude oil, WTI", weight=500,
              measure=measure_swing(series_names.WTI, days=MONTH), curve=_RAW,
              basis="monthly changes since 1986: 10 % usual, 30 % and more in 1990, 2008 and 2020"),
        LayerInput(id="gas", title="Natural gas, Henry Hub", weight=250,
              measure=measure_swing(series_names.GAS, days=MONTH),
              curve=build_curve(("20", 100), ("40", 80), ("80", 45), ("150", 0)),
              basis="monthly changes since 1997: 20 % usual"),
        LayerInput(id="wheat", title="Wheat", weight=250,
              measure=measure_swing(series_names.WHEAT, days=MONTH, late=MONTHLY_LATE), curve=_RAW,
              basis="monthly changes since 1960: over 20 % in 1973, 2008, 2010 and 2022"),
    )),
    Layer(id="macro", title="Macro-economy", weight=150, inputs=(
        LayerInput(id="conditions", title="Chicago Fed financial conditions", weight=500,
              measure=measure_level(series_names.NFCI, unit="standard deviations"),
              curve=build_curve(("-0.3", 100), ("0", 85), ("0.5", 60), ("1.5", 25), ("3", 0)),
              basis="0 is the mean since 1971; 2008 reached 3"),
        LayerInput(id="stress", title="OFR financial stress", weight=500,
              measure=measure_level(series_names.FSI, unit="index"),
              curve=build_curve(("0", 100), ("1", 85), ("3", 60), ("5", 40), ("10", 10), ("20", 0)),
              basis="0 is the usual state; 10 was March 2020, 29 October 2008"),
    )),
    Layer(id="fx", title="Exchange rates", weight=130, inputs=(
        LayerInput(id="euro", title="Euro against the dollar", weight=400,
              measure=measure_swing(series_names.EUR_USD, days=MONTH), curve=_USUAL,
              basis="monthly changes since 1999: 2 % usual, about 12 % in October 2008"),
        LayerInput(id="yen", title="Yen against the dollar", weight=250,
              measure=measure_swing(series_names.USD_JPY, days=MONTH), curve=_USUAL,
              basis="as for the euro"),
        LayerInput(id="pound", title="Pound against the dollar", weight=200,
              measure=measure_swing(series_names.USD_GBP, days=MONTH), curve=_USUAL,
              basis="as for the euro; 10 % in June 2016"),
        LayerInput(id="renminbi", title="Renminbi against the dollar", weight=150,
              measure=measure_swing(series_names.USD_CNY, days=MONTH),
              curve=build_curve(("1.5", 100), ("3", 80), ("5", 50), ("10", 0)),
              basis="a managed rate: 3 % a month in August 2015"),
    )),
    Layer(id="basket", title="Basket and peg", weight=220, inputs=(
        LayerInput(id="peg", title="Stablecoin peg deviation", weight=800, measure=_PEG,
              curve=build_curve(("10", 100), ("25", 92), ("50", 70), ("100", 30), ("300", 0)),
              basis="below 50 basis points is normal (document 3 section 2.3)", required=True),
        LayerInput(id="dollar_basket", title="The dollar against 26 currencies", weight=200,
              measure=measure_swing(series_names.DOLLAR, days=MONTH), curve=_USUAL,
              basis="monthly changes since 2006: 1 % usual, over 6 % in October 2008 and March "
              "2020"),
    )),
    Layer(id="geopolitical", title="Geopolitics", weight=90, inputs=(
        LayerInput(id="policy", title="US economic policy uncertainty, thirty days", weight=1000,
              measure=measure_level(series_names.EPU, unit="index"),
              curve=build_curve(("150", 100), ("250", 85), ("400", 60), ("600", 30), ("1000", 0)),
              basis="the mean of 1985-2010 is 100; April 2020 reached 564, May 2025 586"),
    )),
    Layer(id="capital", title="Capital flows", weight=80, inputs=(
        LayerInput(id="funding", title="OFR funding stress", weight=500,
              measure=measure_level(series_names.FSI_FUNDING, unit="index"),
              curve=build_curve(("0", 100), ("0.5", 85), ("1.5", 50), ("4", 0)),
              basis="its part of the OFR index, in which 0 is the usual state"),
        LayerInput(id="emerging", title="OFR emerging market stress", weight=500,
              measure=measure_level(series_names.FSI_EMERGING, unit="index"),
              curve=build_curve(("0", 100), ("0.5", 85), ("1.5", 50), ("4", 0)),
              basis="its part of the OFR index, in which 0 is the usual state"),
    )),
    Layer(id="credit", title="Credit", weight=100, inputs=(
        LayerInput(id="credit", title="OFR credit stress", weight=600,
              measure=measure_level(series_names.FSI_CREDIT, unit="index"),
              curve=build_curve(("0", 100), ("0.5", 85), ("2", 50), ("6", 0)),
              basis="its part of the OFR index, in which 0 is the usual state"),
        LayerInput(id="bond_premium", title="Excess bond premium", weight=400,
              measure=measure_level(series_names.EBP, unit="percentage points"),
              curve=build_curve(("0", 100), ("0.5", 80), ("1.5", 40), ("3", 0)),
              basis="0 by construction over the long run; 3 in October 2008"),
    )),
    Layer(id="usd", title="Structural health of the dollar", weight=100, inputs=tuple(
        LayerInput(id=signal.id, title=signal.title, weight=10 * signal.weight,
              measure=signal.measure, curve=signal.curve, basis=signal.basis,
              required=signal.required)
        for signal in USD_SIGNALS
    )),
)  # fmt: skip
LAYERS_BY_ID = {layer.id: layer for layer in LAYERS}
Weights = Mapping[str, int]


def initial_weights() -> dict[str, int]:
    """Return the weights of layers as first set, in thousandths."""
    return {layer.id: layer.weight for layer in LAYERS}


def list_oracle_series() -> tuple[str, ...]:
    """Return every series that the oracle reads, once each."""
    names = [name for layer in LAYERS for i in layer.inputs for name in i.measure.series]
    # reported in usdHealth, and not scored
    extra = (series_names.USDT_CAP, series_names.USDC_CAP)
    return tuple(dict.fromkeys([*names, *extra]))


@dataclass(frozen=True, slots=True)
class InputScore:
    """One input as it came out; `value` None where something lacks, and then it counts nothing.

    `weight` in thousandths of the layer, after the weight of what is missing went to the rest;
    `tenths` of points; `share` of the layer's value, in ten-thousandths of a point. `held` where
    the value is the last one of series that have grown too old.
    """

    input: LayerInput
    value: Decimal | None
    weight: int
    tenths: int
    held: bool = False

    @property
    def share(self) -> int:
        """What the input adds to its layer's value."""
        return self.weight * self.tenths


@dataclass(frozen=True, slots=True)
class LayerScore:
    """One layer as it came out; `weight` is 0 where none of its inputs is known.

    `value` in ten-thousandths of a point, `contribution` in ten-millionths of one.
    """

    layer: Layer
    weight: int
    parts: tuple[InputScore, ...]

    @property
    def known(self) -> bool:
        """Whether any input is known."""
        return any(part.weight for part in self.parts)

    @property
    def value(self) -> int:
        """The layer's value: the sum of its inputs' shares."""
        return sum(part.share for part in self.parts)

    @property
    def contribution(self) -> int:
        """What the layer adds to the score."""
        return self.weight * self.value

    @property
    def signal(self) -> str:
        """What the value is called."""
        return signal_of_points(Decimal(self.value) / WHOLE)


# units per point of a layer's value: tenths of points times thousandths of weight
SHARES = 10 * WHOLE
# units per point of the score: those of a layer times thousandths of weight
FINEST = SHARES * WHOLE


def score_layers(
    facts: Facts, *, last: Facts | None = None, weights: Weights
) -> tuple[LayerScore, ...]:
    """Return all layers as they come out of these facts.

    `facts` are current; `last` has the last figure of every series, however old.
    """
    input_scores_by_id = {
        layer.id: _score_inputs(layer, facts, facts if last is None else last) for layer in LAYERS
    }
    # layers of which everything known is old; they compete with the mean of the layers heard from
    silent = {
        name: (Decimal(weights[name]), _strain_of_layer(parts))
        for name, parts in input_scores_by_id.items()
        if any(part.held for part in parts) and all(part.held for part in parts if part.weight)
    }
    heard = [
        (Decimal(weights[name]), _strain_of_layer(parts))
        for name, parts in input_scores_by_id.items()
        if name not in silent and any(part.weight for part in parts)
    ]
    for name in silent.keys() - choose_carried_forward_inputs(heard, silent):
        # calmer than the rest: its old values would calm the score, so the layer counts as unknown
        input_scores_by_id[name] = _score_inputs(LAYERS_BY_ID[name], {}, {})
    known = [
        weights[layer.id] if any(p.weight for p in input_scores_by_id[layer.id]) else 0
        for layer in LAYERS
    ]
    spread = apportion_weights(known, whole=WHOLE)
    return tuple(
        LayerScore(layer, weight, input_scores_by_id[layer.id])
        for layer, weight in zip(LAYERS, spread, strict=True)
    )


def _score_inputs(layer: Layer, facts: Facts, last: Facts) -> tuple[InputScore, ...]:
    # current values first; what is missing may be held at its last value below
    values = {input_.id: input_.measure.of(facts) for input_ in layer.inputs}
    counted, lapsed = list[WeightAndScore](), dict[str, WeightAndScore]()
    for input_ in layer.inputs:
        if (value := values[input_.id]) is not None:
            counted.append((Decimal(input_.weight), Decimal(MOST - input_.curve.tenths(value))))
        elif (value := input_.measure.of(last)) is not None:
            lapsed[input_.id] = (Decimal(input_.weight), Decimal(MOST - input_.curve.tenths(value)))
    held_names = choose_carried_forward_inputs(counted, lapsed)
    values |= {
        input_.id: input_.measure.of(last) for input_ in layer.inputs if input_.id in held_names
    }
    there = [0 if values[input_.id] is None else input_.weight for input_ in layer.inputs]
    spread = apportion_weights(there, whole=WHOLE)
    return tuple(
        InputScore(
            input=layer_input,
            value=(value := values[layer_input.id]),
            weight=weight,
            tenths=0 if value is None else layer_input.curve.tenths(value),
            held=layer_input.id in held_names,
        )
        for layer_input, weight in zip(layer.inputs, spread, strict=True)
    )


def _strain_of_layer(parts: Sequence[InputScore]) -> Decimal:
    """Return the distance of a layer's value from 100, in ten-thousandths of a point."""
    return Decimal(MOST * WHOLE - sum(part.share for part in parts))


def apportion_weights(weights: Sequence[int], *, whole: int) -> list[int]:
    """Return weights stretched to sum to a whole, by largest remainder; zeros where all are 0."""
    total = sum(weights)
    if not total:
        return [0 for _ in weights]
    shares = [whole * weight // total for weight in weights]
    # the position breaks ties, so that the same inputs always give the same weights
    rests = sorted(range(len(weights)), key=lambda at: (-(whole * weights[at] % total), at))
    for at in rests[: whole - sum(shares)]:
        shares[at] += 1
    return shares


def sum_contributions(counted: Sequence[LayerScore]) -> int:
    """Return the score in ten-millionths of a point: the sum of the contributions."""
    return sum(layer_score.contribution for layer_score in counted)
