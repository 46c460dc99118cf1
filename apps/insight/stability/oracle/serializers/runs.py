"""Shapes of the oracle's answers (document 3 section 2.3)."""

from typing import Any

from apps.insight.stability.oracle.rules.curves import BANDS
from apps.insight.stability.oracle.rules.decision import STATUSES
from apps.platform.api.shapes import (
    Day,
    Flag,
    Identifier,
    ListOf,
    Moment,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
)
from apps.reference.signals.quality_labels import LABELS

SIGNALS = tuple(band.signal for band in BANDS)
OUTLOOKS = ("IMPROVING", "STABLE", "DETERIORATING", "UNCERTAIN")
TRENDS = ("RISING", "FLAT", "FALLING", "UNKNOWN")


def percent_field(**options: Any) -> Number:
    """Return a field of 0 to 100."""
    return Number(min_value=0, max_value=100, max_digits=11, decimal_places=8, **options)


def fraction_field(**options: Any) -> Number:
    """Return a field of 0 to 1."""
    return Number(min_value=0, max_value=1, **options)


class ValueOriginOut(Shape):
    """Who published a value, several joined by `+`, and the time of its oldest part."""

    source = Text(  # type: ignore[assignment]
        help_text="Publishers; SAMPLE for the bundled sample, SAMPLE+INVENTED for made-up values."
    )
    as_of = Moment(allow_null=True)


class InputOut(ValueOriginOut):
    """One input of a layer; an unknown one has nulls, and does not count."""

    id = Text()
    title = Text()
    method = Text(help_text="How it is measured.")
    unit = Text()
    value = Number(allow_null=True)
    points = percent_field(allow_null=True, help_text="The value in points, 100 calm.")
    signal = OneOf(choices=SIGNALS, allow_null=True)
    weight = fraction_field(help_text="Its share of the layer.")
    share = percent_field(help_text="Its contribution to the layer's value: weight times points.")


class LayerOut(ValueOriginOut):
    """One layer; `value` is null if none of its inputs is known."""

    id = Text()
    title = Text()
    value = percent_field(allow_null=True)
    signal = OneOf(choices=SIGNALS, allow_null=True)
    weight = fraction_field(help_text="Its share of the score.")
    contribution = percent_field(
        help_text="Weight times value. The contributions add up to the score."
    )


class LayerInFull(LayerOut):
    """One layer with its inputs."""

    inputs = InputOut(many=True)


class PegOut(Shape):
    """The largest deviation of the two great stablecoins from one dollar."""

    deviation_bps = Number(min_value=0)
    alert = Flag(help_text="50 basis points or more.")


class ConfidenceOut(Shape):
    """By weight: observed data counts in full, estimated data half, missing data not at all."""

    score = percent_field()


class CurrentOut(Shape):
    """90 or more is stable, 75 to 89 calls for caution, below 75 large settlements wait."""

    current_score = percent_field()
    signal = OneOf(choices=SIGNALS)
    layers = LayerOut(many=True)


class RuleOut(Shape):
    """The row of the decision table that decided."""

    code = Text()
    reference = Text()
    when = Text()
    action = Text()


class OracleOut(Shape):
    """The run of this answer, and how many of the runs due in thirty days had a score."""

    uptime_pct = percent_field()
    run_id = Identifier()
    computed_at = Moment()
    next_at = Moment(help_text="When the next run is due.")
    version = Text()
    method = Text(help_text="Raised with every change of a curve, weight or rule.")
    weights_version = Whole()


class IntelligenceOut(Shape):
    """A language model's comment on the run: advice, and part of no figure."""

    reasoning = Text(max_length=900)
    confidence = fraction_field()
    alerts = ListOf(child=Text(max_length=200), max_length=3)
    outlook = OneOf(choices=OUTLOOKS)
    model = Text()
    generated_at = Moment()


class UsdBlockOut(ValueOriginOut):
    """A field of the dollar's health, with its source."""

    signal = OneOf(choices=SIGNALS, allow_null=True)
    proxy = Flag(
        help_text="Whether one of its figures is a proxy: `truflationVsBls` uses a forecast of "
        "the official figure instead of an independent price index."
    )


class TradeWeightedOut(UsdBlockOut):
    """The dollar against 26 currencies."""

    index = Number()
    currencies = Whole()
    change_pct = Number(allow_null=True, help_text="Over a quarter.")
    trend = OneOf(choices=TRENDS)


class YieldCurveOut(UsdBlockOut):
    """T10Y2Y: inverted below 0, normal from half a point, flat between."""

    spread = Number()
    state = OneOf(choices=("INVERTED", "FLAT", "NORMAL"))
    recession_signal = Flag()


class BreakevenOut(UsdBlockOut):
    """Inflation that ten-year bonds expect; elevated above 2.75 %."""

    value_pct = Number()
    target_pct = Number()
    above_target_pp = Number()
    elevated = Flag()


class FedOut(UsdBlockOut):
    """Assets of the Federal Reserve: more than 1 % in a quarter is a trend."""

    assets_trillions = Number()
    change_pct = Number(help_text="Over a quarter.")
    trend = OneOf(choices=("EXPANDING", "CONTRACTING", "STABLE"))


class GoldOut(UsdBlockOut):
    """Gold in USD; above 2,500 it is a signal of debasement."""

    price_usd = Number()
    change_pct = Number(allow_null=True)
    trend = OneOf(choices=TRENDS)
    debasement_signal = Flag()


class StablecoinsOut(UsdBlockOut):
    """The two great stablecoins; `dominanceRatio` is the share of the first in both."""

    usdt_market_cap_usd = Number(allow_null=True)
    usdc_market_cap_usd = Number(allow_null=True)
    dominance_ratio = Number(allow_null=True)
    deviation_bps = Number()
    market_cap_change_pct = Number(allow_null=True, help_text="Of both, over 30 days.")
    stress_signal = Flag()


class InflationOut(UsdBlockOut):
    """Independent inflation compared with the official one; `divergenceFlag` beyond 1.5 points."""

    independent_pct = Number()
    official_pct = Number()
    gap_pp = Number()
    divergence_flag = Flag()


class UsdSignalOut(ValueOriginOut):
    """One of the twelve; `vote` is 1 for the dollar, -1 against it, null if not known."""

    id = Text()
    title = Text()
    value = Number(allow_null=True)
    unit = Text()
    signal = OneOf(choices=SIGNALS, allow_null=True)
    vote = Whole(allow_null=True)


class UsdHealthOut(Shape):
    """The dollar's structural health; a field is null if nothing is known of it."""

    score = percent_field()
    structural_outlook = OneOf(choices=("WEAKENING", "STABLE", "STRENGTHENING", "UNCERTAIN"))
    confidence_in_official_data = OneOf(choices=("HIGH", "MODERATE", "LOW"))
    usd_strength_consensus = OneOf(choices=("BULLISH", "BEARISH", "MIXED", "NEUTRAL"))
    trade_weighted_usd = TradeWeightedOut(allow_null=True)
    yield_curve = YieldCurveOut(allow_null=True)
    breakeven_inflation = BreakevenOut(allow_null=True)
    fed_balance_sheet = FedOut(allow_null=True)
    gold = GoldOut(allow_null=True)
    stablecoin_health = StablecoinsOut(allow_null=True)
    truflation_vs_bls = InflationOut(allow_null=True)
    signals = UsdSignalOut(many=True)
    divergence_alerts = ListOf(child=Text())
    alerts = ListOf(child=Text())


class TermsOut(Shape):
    """A publisher whose figures a run uses, and on what terms."""

    source = Text()  # type: ignore[assignment]
    licence = Text()


class QualityOut(Shape):
    """How good the data are; `reasons` are codes such as `sample`, `stale:NAME`."""

    data_quality = OneOf(choices=LABELS)
    coverage = fraction_field(help_text="Share of the weight that counts.")
    as_of = Moment(help_text="The time of the oldest observation that the number requires.")
    reasons = ListOf(child=Text())
    missing = ListOf(child=Text())


class ReliabilityOut(QualityOut):
    """`status` UNSTABLE halts settlement; `isHealthy` says that nothing prevents it.

    A late run is never STABLE; one that is too old, or had too little data, gives no answer: 503
    with Retry-After.
    """

    is_healthy = Flag()
    status = OneOf(choices=STATUSES)
    decided_by = RuleOut()
    stability = CurrentOut()
    peg = PegOut()
    confidence = ConfidenceOut()
    oracle = OracleOut()
    intelligence = IntelligenceOut(required=False)
    usd_health = UsdHealthOut()
    sources = TermsOut(many=True)


class SeriesOut(Shape):
    """One value that was known to the run; a value too old at that time does not count."""

    series = Text()
    value = Number(max_digits=30, decimal_places=8)
    day = Day()
    source = Text()  # type: ignore[assignment]
    kind = OneOf(choices=("observed", "derived", "proxy", "static"))
    vintage = Moment(help_text="When it was first seen.")
    counts = Flag(
        required=False, help_text="Whether it was recent enough. Earlier runs do not say."
    )
    licence = Text(
        required=False,
        help_text="The terms of its source; for a sample figure those of the sample's own file.",
    )


class OracleStatusOut(QualityOut):
    """The last run as it was computed: layers with inputs, and every value that it is based on."""

    run_id = Identifier()
    computed_at = Moment()
    method = Text()
    weights_version = Whole()
    score = percent_field()
    status = OneOf(choices=STATUSES)
    peg = PegOut()
    confidence = ConfidenceOut()
    layers = LayerInFull(many=True)
    usd_health = UsdHealthOut()
    series = SeriesOut(many=True)


class OracleRunOut(Shape):
    """One run; its figures are null if it could not compute."""

    run_id = Identifier()
    computed_at = Moment()
    score = percent_field(allow_null=True)
    status = OneOf(choices=(*STATUSES, "UNAVAILABLE"))
    deviation_bps = Number(allow_null=True)
    data_quality = OneOf(choices=LABELS, allow_null=True)
    weights_version = Whole()
    method = Text()
