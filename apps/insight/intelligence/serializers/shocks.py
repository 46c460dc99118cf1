"""Shapes of products on shocks: cascades, instability, and shocks that a caller names."""

from decimal import Decimal

from apps.insight.intelligence.rules.bands import labels_of_bands
from apps.insight.intelligence.rules.cascade_catalogue import TYPES
from apps.insight.intelligence.rules.currency_web import (
    AFTERSHOCK_BANDS,
    AFTERSHOCK_SERIES,
)
from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.insight.intelligence.rules.instability import INTENSITY_WORDS
from apps.insight.intelligence.rules.layers import CODES, REACHED_WORDS, STATE_WORDS, WHOLE_WORDS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.platform.api.shapes import Day, Flag, ListOf, Number, OneOf, Shape, Text, Whole


class LayerOut(Shape):
    """One of the seven layers; `contribution` is what it adds to `systemicRiskScore`."""

    layer = OneOf(choices=CODES)
    name = Text()
    status = OneOf(choices=STATE_WORDS)
    score = Score(allow_null=True)
    contribution = Number(allow_null=True)
    composite = Text()


class NodeOut(Shape):
    """A layer as an input: its composite's score, 0 to 100, and who publishes its series."""

    node = OneOf(choices=CODES)
    name = Text()
    value = Score(allow_null=True)
    signal = OneOf(choices=WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]


class TriggerOut(Shape):
    """A signal of a shock: what was measured of a series, and the bound from which it fires.

    `rise` and `net` are in per cent, `place` is the percentile in its own history, 0 to 100; the
    others are in the series' unit.
    """

    series = Text()
    measure = OneOf(choices=("rise", "net", "points", "level", "below", "place"))
    value = Figure()
    bound = Figure()
    fires = Flag()
    description = Text()
    reference = Text()


class WarningOut(TriggerOut):
    """A signal that fires for a cascade that is not running."""

    type = OneOf(choices=TYPES)


class StepOut(Shape):
    """A layer that the shock reaches.

    `pricedIn` says whether the layer's own score is at least eight tenths of the entry layer's;
    null if one of the two is not known.
    """

    layer = OneOf(choices=CODES)
    name = Text()
    status = OneOf(choices=REACHED_WORDS)
    priced_in = Flag(allow_null=True)
    typical_lag = Text()
    lead_signal = Text()
    effect = Text()
    reference = Text()


class AnalogOut(Shape):
    """A comparable time in the past: its first and last day."""

    name = Text()
    began = Day()
    ended = Day()
    days = Whole()
    note = Text()
    reference = Text()


class SpreadOut(Shape):
    """Base of a running shock; `confidence` is the share of its known signals that fire."""

    label = Text()  # type: ignore[assignment]
    confidence = Number()
    entry_layer = OneOf(choices=CODES)
    signals = TriggerOut(many=True)
    propagation = StepOut(many=True)
    unpriced_effects = ListOf(child=Text())
    historical_analog = AnalogOut()
    timeline_narrative = Text(max_length=2000)


class CascadeOneOut(SpreadOut):
    """A running cascade."""

    type = OneOf(choices=TYPES)


class NervousOut(Shape):
    """The layers together: `systemicRiskScore` is their mean."""

    systemic_risk_score = Score()
    overall_status = OneOf(choices=WHOLE_WORDS)
    active_cascade_count = Whole()
    layers = LayerOut(many=True)


class CascadeOut(AnswerBase):
    """Shocks that run through the layers of the economy."""

    nervous_system = NervousOut()
    active_cascades = CascadeOneOut(many=True)
    unpriced_risks = ListOf(child=Text(max_length=1000))
    systemic_narrative = Text(max_length=2000)
    early_warning_signals = WarningOut(many=True)
    components = NodeOut(many=True)


class ScenarioOut(SpreadOut):
    """A scenario for the United States, in the form of a cascade."""

    type = OneOf(choices=("US_POLICY_INSTABILITY", "US_FISCAL_DOMINANCE_RISK"))


class OriginOut(Shape):
    """The origin of instability, its strength, and since when.

    `ongoingSince` of the United States is the first day of the uninterrupted period in which the
    index of policy uncertainty has been above its median; it is not when the score passed 20.
    """

    actor = Text()
    mode = Text()
    intensity = OneOf(choices=INTENSITY_WORDS)
    ongoing_since = Day(allow_null=True)
    key_signals = ListOf(child=Text())
    absorption_outlook = Text()
    historical_comparisons = AnalogOut(many=True)


class DatesOut(Shape):
    """The dates of the newest figures of three inputs; null if there is none."""

    epu_date = Day(allow_null=True)
    trade_date = Day(allow_null=True)
    deficit_date = Day(allow_null=True)


class InstabilityPartOut(Shape):
    """A component of a score: what it measures, and its percentile in its own history, 0 to 100.

    The contributions add up to the score.
    """

    name = Text()
    series = Text()
    value = Figure(allow_null=True)
    score = Score(allow_null=True)
    signal = OneOf(choices=WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    weight = Number()
    contribution = Number(allow_null=True)
    measures = Text()


class InstabilityOut(AnswerBase):
    """The origins of structural instability; a score is null if too little is known of it."""

    us_instability_score = Score(allow_null=True)
    fiscal_dominance_score = Score(allow_null=True)
    overall_intensity = OneOf(choices=INTENSITY_WORDS)
    origins = OriginOut(many=True)
    scenarios = ScenarioOut(many=True)
    data_as_of = DatesOut()
    systemic_narrative = Text(max_length=2000)
    watch_list = ListOf(child=Text())
    us_components = InstabilityPartOut(many=True)
    fiscal_components = InstabilityPartOut(many=True)


class AftershockIn(Shape):
    """A shock: the series, the day, and its move within a month in per cent, up or down."""

    series = OneOf(choices=AFTERSHOCK_SERIES)
    date = Day()
    magnitude = Number(min_value=Decimal("0.1"), max_value=Decimal(1000), decimal_places=4)


class LawOut(Shape):
    """The law k·(t + c)^-p, t in months, and the shocks and aftershocks that it was fitted on.

    A move of `thresholdPct` in a month is one of them; `background` is the number in an average
    month. If the decay cannot be distinguished from a constant rate, `decayStands` is false.
    """

    k = Number()
    c = Number()
    p = Number()
    shocks = Whole()
    aftershocks = Whole()
    mean_size_pct = Number()
    threshold_pct = Number()
    background = Number()
    decay_stands = Flag()


class HorizonOut(Shape):
    """How many large moves are expected within the given number of months, and the probability of
    at least one.

    `baseChance` is that of any such period, whether after a shock or not.
    """

    months = Whole()
    expected = Number()
    chance = Number()
    base_chance = Number()


class MonthOut(Shape):
    """What a coming month adds to the headline."""

    month = Whole()
    contribution = Number()


class PastShockOut(Shape):
    """A shock that the law was fitted on: the first day of its month, its size."""

    month = Day()
    size_pct = Number()


class AftershockOut(AnswerBase):
    """The aftershocks to expect.

    `aftershockScore` is the probability of another large move within a quarter, in hundredths, to
    which the contributions of its months add up. `extrapolated` says that the quarter extends
    beyond the twelve months that the law was fitted on.
    """

    aftershock_score = Score()
    regime = OneOf(choices=labels_of_bands(AFTERSHOCK_BANDS))
    series = OneOf(choices=AFTERSHOCK_SERIES)
    date = Day()
    magnitude = Number()
    months_elapsed = Whole()
    extrapolated = Flag()
    law = LawOut()
    horizons = HorizonOut(many=True)
    contributions = MonthOut(many=True)
    past_shocks = PastShockOut(many=True)
    components = ComponentOut(many=True)
