"""The nine layers of the oracle: one table of inputs, and the score that they make. Pure.

An input has points of 0 to 100 in whole tenths, by its curve. A layer's value is the mean of its
inputs by weight, the score the mean of the layers by weight. Both are computed in whole numbers, so
that contributions sum to the score exactly: a layer's value has four decimals, the score and each
contribution seven. Weight of what is missing goes to the rest, to the whole thousandth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.stability.oracle.rules import series
from apps.stability.oracle.rules.curves import Curve, curve, signal_at
from apps.stability.oracle.rules.measures import (
    MONTHLY_LATE,
    Facts,
    Measure,
    farthest,
    level,
    swing,
)
from apps.stability.oracle.rules.usd_signals import USD_SIGNALS

WHOLE = 1000  # thousandths: what the weights of inputs in a layer, and of layers, sum to
TIERS = ("climate", "commodity", "macro", "fx", "basket", "geopolitical", "capital")
MONTH = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
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
    """One layer; `weight` in thousandths. Those of TIERS are adaptive (rules/learning.py)."""

    id: str
    title: str
    weight: int
    inputs: tuple[Input, ...]


_USUAL = curve(("2", 100), ("4", 85), ("7", 55), ("12", 20), ("20", 0))
_RAW = curve(("10", 100), ("20", 85), ("35", 55), ("60", 20), ("100", 0))
_PEG = farthest(series.USDT_PRICE, series.USDC_PRICE, target=Decimal(1))

LAYERS: tuple[Layer, ...] = (
    Layer(id="climate", title="Climate", weight=50, inputs=(
        Input(id="warmth", title="Global temperature above 1951-1980", weight=400,
              measure=level(series.WARMTH, unit="degrees C"),
              curve=curve(("0.8", 100), ("1.2", 90), ("1.5", 75), ("2", 50), ("3", 0)),
              basis="1.5 and 2 degrees of the Paris Agreement (above 1850-1900)"),
        Input(id="enso", title="El Nino and La Nina", weight=400,
              measure=level(series.ENSO, unit="degrees C"),
              curve=curve(("-2", 50), ("-1.5", 65), ("-0.5", 100), ("0.5", 100), ("1.5", 65),
                          ("2.5", 25)),
              basis="0.5 an event, 1.5 a strong one, by the Climate Prediction Center"),
        Input(id="ice", title="Arctic sea ice against a year before", weight=200,
              measure=swing(series.ICE, days=365),
              curve=curve(("5", 100), ("15", 80), ("30", 50), ("60", 0)),
              basis="the same day of the year before; 2007 and 2012 lost about a quarter"),
    )),
    Layer(id="commodity", title="Commodities", weight=80, inputs=(
        Input(id="oil", title="Crude oil, WTI", weight=500,
              measure=swing(series.WTI, days=MONTH), curve=_RAW,
              basis="monthly moves since 1986: 10 % usual, 30 % and more in 1990, 2008 and 2020"),
        Input(id="gas", title="Natural gas, Henry Hub", weight=250,
              measure=swing(series.GAS, days=MONTH),
              curve=curve(("20", 100), ("40", 80), ("80", 45), ("150", 0)),
              basis="monthly moves since 1997: 20 % usual"),
        Input(id="wheat", title="Wheat", weight=250,
              measure=swing(series.WHEAT, days=MONTH, late=MONTHLY_LATE), curve=_RAW,
              basis="monthly moves since 1960: over 20 % in 1973, 2008, 2010 and 2022"),
    )),
    Layer(id="macro", title="Macro-economy", weight=150, inputs=(
        Input(id="conditions", title="Financial conditions, Chicago Fed", weight=500,
              measure=level(series.NFCI, unit="standard deviations"),
              curve=curve(("-0.3", 100), ("0", 85), ("0.5", 60), ("1.5", 25), ("3", 0)),
              basis="0 is the mean since 1971; 2008 reached 3"),
        Input(id="stress", title="Financial stress, OFR", weight=500,
              measure=level(series.FSI, unit="index"),
              curve=curve(("0", 100), ("1", 85), ("3", 60), ("5", 40), ("10", 10), ("20", 0)),
              basis="0 is the usual state; 10 was March 2020, 29 October 2008"),
    )),
    Layer(id="fx", title="Exchange rates", weight=130, inputs=(
        Input(id="euro", title="Euro against the dollar", weight=400,
              measure=swing(series.EUR_USD, days=MONTH), curve=_USUAL,
              basis="monthly moves since 1999: 2 % usual, some 12 % in October 2008"),
        Input(id="yen", title="Yen against the dollar", weight=250,
              measure=swing(series.USD_JPY, days=MONTH), curve=_USUAL,
              basis="as the euro"),
        Input(id="pound", title="Pound against the dollar", weight=200,
              measure=swing(series.USD_GBP, days=MONTH), curve=_USUAL,
              basis="as the euro; 10 % in June 2016"),
        Input(id="renminbi", title="Renminbi against the dollar", weight=150,
              measure=swing(series.USD_CNY, days=MONTH),
              curve=curve(("1.5", 100), ("3", 80), ("5", 50), ("10", 0)),
              basis="a managed rate: 3 % a month in August 2015"),
    )),
    Layer(id="basket", title="Basket and peg", weight=220, inputs=(
        Input(id="peg", title="Stablecoins off their peg", weight=800, measure=_PEG,
              curve=curve(("10", 100), ("25", 92), ("50", 70), ("100", 30), ("300", 0)),
              basis="below 50 basis points is normal (document 3 section 2.3)", required=True),
        Input(id="dollar_basket", title="The dollar against 26 currencies", weight=200,
              measure=swing(series.DOLLAR, days=MONTH), curve=_USUAL,
              basis="monthly moves since 2006: 1 % usual, over 6 % in October 2008, March 2020"),
    )),
    Layer(id="geopolitical", title="Geopolitics", weight=90, inputs=(
        Input(id="policy", title="US economic policy uncertainty", weight=1000,
              measure=level(series.EPU, unit="index"),
              curve=curve(("150", 100), ("250", 85), ("400", 60), ("600", 30), ("1000", 0)),
              basis="the mean of 1985-2010 is 100; 2020 reached 800"),
    )),
    Layer(id="capital", title="Capital flows", weight=80, inputs=(
        Input(id="funding", title="Stress of funding, OFR", weight=500,
              measure=level(series.FSI_FUNDING, unit="index"),
              curve=curve(("0", 100), ("0.5", 85), ("1.5", 50), ("4", 0)),
              basis="its part of the OFR index, in which 0 is the usual state"),
        Input(id="emerging", title="Stress of emerging markets, OFR", weight=500,
              measure=level(series.FSI_EMERGING, unit="index"),
              curve=curve(("0", 100), ("0.5", 85), ("1.5", 50), ("4", 0)),
              basis="its part of the OFR index, in which 0 is the usual state"),
    )),
    Layer(id="credit", title="Credit", weight=100, inputs=(
        Input(id="credit", title="Stress of credit, OFR", weight=600,
              measure=level(series.FSI_CREDIT, unit="index"),
              curve=curve(("0", 100), ("0.5", 85), ("2", 50), ("6", 0)),
              basis="its part of the OFR index, in which 0 is the usual state"),
        Input(id="bond_premium", title="Excess bond premium", weight=400,
              measure=level(series.EBP, unit="percentage points"),
              curve=curve(("0", 100), ("0.5", 80), ("1.5", 40), ("3", 0)),
              basis="0 by construction over the long run; 3 in October 2008"),
    )),
    Layer(id="usd", title="Structural health of the dollar", weight=100, inputs=tuple(
        Input(id=one.id, title=one.title, weight=10 * one.weight, measure=one.measure,
              curve=one.curve, basis=one.basis, required=one.required)
        for one in USD_SIGNALS
    )),
)  # fmt: skip
BY_ID = {one.id: one for one in LAYERS}
Weights = Mapping[str, int]


def prior() -> dict[str, int]:
    """Return the weights of layers as first set, in thousandths."""
    return {one.id: one.weight for one in LAYERS}


def series_of() -> tuple[str, ...]:
    """Return every series that the oracle reads, once each."""
    found = [name for one in LAYERS for i in one.inputs for name in i.measure.series]
    extra = (series.USDT_CAP, series.USDC_CAP)  # told in usdHealth, and in no score
    return tuple(dict.fromkeys([*found, *extra]))


@dataclass(frozen=True, slots=True)
class Part:
    """One input as it came out; `value` None where something lacks, and then it counts nothing.

    `weight` in thousandths of the layer, after the weight of what is missing went to the rest;
    `tenths` of points; `share` of the layer's value, in ten-thousandths of a point.
    """

    input: Input
    value: Decimal | None
    weight: int
    tenths: int

    @property
    def share(self) -> int:
        """What the input adds to its layer's value."""
        return self.weight * self.tenths


@dataclass(frozen=True, slots=True)
class Counted:
    """One layer as it came out; `weight` is 0 where none of its inputs is known.

    `value` in ten-thousandths of a point, `contribution` in ten-millionths of one.
    """

    layer: Layer
    weight: int
    parts: tuple[Part, ...]

    @property
    def known(self) -> bool:
        """Whether any input is known."""
        return any(one.weight for one in self.parts)

    @property
    def value(self) -> int:
        """The layer's value: the sum of its inputs' shares."""
        return sum(one.share for one in self.parts)

    @property
    def contribution(self) -> int:
        """What the layer adds to the score."""
        return self.weight * self.value

    @property
    def signal(self) -> str:
        """What the value is called."""
        return signal_at(Decimal(self.value) / WHOLE)


SHARES = 10 * WHOLE  # of a point, in a layer's value
FINEST = SHARES * WHOLE  # of a point, in the score


def count(facts: Facts, *, weights: Weights) -> tuple[Counted, ...]:
    """Return all layers as they come out of these facts."""
    bare = [_parts(one, facts) for one in LAYERS]
    known = [
        weights[one.id] if any(p.weight for p in parts) else 0
        for one, parts in zip(LAYERS, bare, strict=True)
    ]
    spread = apportion(known, whole=WHOLE)
    return tuple(
        Counted(one, weight, parts) for one, weight, parts in zip(LAYERS, spread, bare, strict=True)
    )


def _parts(layer: Layer, facts: Facts) -> tuple[Part, ...]:
    values = [one.measure.of(facts) for one in layer.inputs]
    held = [0 if v is None else i.weight for i, v in zip(layer.inputs, values, strict=True)]
    spread = apportion(held, whole=WHOLE)
    return tuple(
        Part(one, value, weight, 0 if value is None else one.curve.tenths(value))
        for one, value, weight in zip(layer.inputs, values, spread, strict=True)
    )


def apportion(weights: Sequence[int], *, whole: int) -> list[int]:
    """Return weights stretched to sum to a whole, by largest remainder; zeros where all are 0."""
    total = sum(weights)
    if not total:
        return [0 for _ in weights]
    found = [whole * one // total for one in weights]
    rests = sorted(range(len(weights)), key=lambda at: (-(whole * weights[at] % total), at))
    for at in rests[: whole - sum(found)]:
        found[at] += 1
    return found


def score(counted: Sequence[Counted]) -> int:
    """Return the score in ten-millionths of a point: the sum of the contributions."""
    return sum(one.contribution for one in counted)
