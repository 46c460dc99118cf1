"""Shapes of forecasts and of their ledger (document 3 section 2.6)."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence.rules.regimes import HORIZONS, REGIMES, TRENDS
from apps.insight.intelligence.serializers.common import AnswerBase, ComponentOut, Figure, Score
from apps.platform.api.shapes import Day, Number, OneOf, Shape, Text, Whole


class Chance(Number):
    """0 to 1."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"min_value": Decimal(0), "max_value": Decimal(1), **options})


def _build_shape(name: str, doc: str, fields: dict[str, Any]) -> type[Shape]:
    return type(name, (Shape,), {"__doc__": doc, **fields})


ProbabilitiesOut = _build_shape(
    "ProbabilitiesOut",
    "The probability of each regime; they add up to 1.",
    {name: Chance() for name in REGIMES},
)


class ForetoldOut(Shape):
    """The most likely regime, its probability (`confidence`), and the probabilities of all."""

    most_likely = OneOf(choices=REGIMES)
    confidence = Chance()
    probabilities = ProbabilitiesOut()


class RememberedOut(Shape):
    """A similar past month: its similarity (1 is identical), and its regime then and 90 days later.

    Similarity is (1 + cosine) / 2 of the inputs' percentiles, each measured from the middle of its
    own history.
    """

    date = Day()
    similarity = Chance()
    regime = OneOf(choices=REGIMES)
    days_ago = Whole()
    regime_after = OneOf(choices=REGIMES, allow_null=True)


class MemoryOut(Shape):
    """The five months most similar to now, half a year apart, and a sentence on what came next."""

    similar_scenarios = RememberedOut(many=True)
    pattern_note = Text()


class LeadWeightOut(Shape):
    """A leading signal: its newest value, and its weight at each horizon, 0 to 1."""

    name = Text()
    title = Text()
    value = Figure(allow_null=True)
    weights = _build_shape(
        "WeightsOut", "0 to 1, by horizon.", {f"h{days}": Chance() for days in HORIZONS}
    )()


class RecalibratedOut(Shape):
    """How far predictions of a horizon are adjusted towards how often each regime occurred:
    `weight`, 0 to 0.5; the number of predictions and days that this was measured on, `apart` of
    which do not overlap; their mean Brier scores before and after.
    """

    weight = Chance()
    cases = Whole()
    days = Whole()
    apart = Whole()
    before = Number()
    after = Number()


class RecalibrationOut(Shape):
    """The recalibration in force: its number, its month, and each horizon."""

    number = Whole()
    month = Day()
    horizons = _build_shape(
        "RecalibratedHorizonsOut",
        "By days ahead.",
        {f"h{days}": RecalibratedOut() for days in HORIZONS},
    )()


class TransitionRiskOut(AnswerBase):
    """The current regime, and the forecast."""

    current_score = Score()
    current_regime = OneOf(choices=REGIMES)
    transition_signal = OneOf(choices=TRENDS)
    horizons = _build_shape(
        "HorizonsOut",
        "The forecast for 30, 60 and 90 days.",
        {f"h{days}": ForetoldOut() for days in HORIZONS},
    )()
    scenario_memory = MemoryOut()
    components = ComponentOut(many=True)
    leads = LeadWeightOut(many=True)
    months_learnt = Whole()
    recalibration = RecalibrationOut(allow_null=True)


class AgainstOut(Shape):
    """Skill over a simpler forecast: 1 - Brier / its Brier, above 0 if ours is better.

    `n` predictions of `days` days; `low` to `high` is the 95 per cent interval when days are
    resampled in blocks as long as the horizon, or of a week for calls (null with fewer than two
    blocks).
    """

    n = Whole()
    days = Whole()
    brier = Number(allow_null=True)
    skill = Number(allow_null=True)
    low = Number(allow_null=True)
    high = Number(allow_null=True)


class BinOut(Shape):
    """Predictions of similar confidence, 20 or more: the mean forecast and the observed
    frequency."""

    low = Chance()
    high = Chance()
    n = Whole()
    said = Chance()
    came = Chance()


class LedgerHorizonOut(Shape):
    """Predictions of one horizon.

    Of the `resolved` ones `unknown` have no score: too little was known on their day.
    `regimeAccuracy` is the share of the scored ones whose most likely regime occurred. `brier` is 0
    to 2, `rps` 0 to 1; 0 is perfect.
    """

    predictions = Whole()
    resolved = Whole()
    unknown = Whole()
    scored = Whole()
    regime_accuracy = Chance(allow_null=True)
    brier = Number(allow_null=True)
    rps = Number(allow_null=True)
    against_climatology = AgainstOut()
    against_persistence = AgainstOut()
    reliability = BinOut(many=True)


class SummaryOut(Shape):
    """All predictions, and those of each horizon."""

    total_predictions = Whole()
    resolved = Whole()
    pending = Whole()
    by_horizon = _build_shape(
        "ByHorizonOut",
        "By days ahead.",
        {f"h{days}": LedgerHorizonOut() for days in HORIZONS},
    )()


class CallRecordOut(Shape):
    """The outcome of the calls of `48h-call` on one subject.

    Each stored answer makes one call, scored two weeks after its day by what was known then. Of the
    `resolved` ones `unknown` had no value within the days that count, and `uncalled` made no call.
    `accuracy` is the share of the scored ones that were right.
    """

    subject = Text()
    title = Text()
    calls = Whole()
    resolved = Whole()
    unknown = Whole()
    uncalled = Whole()
    scored = Whole()
    accuracy = Chance(allow_null=True)
    brier = Number(allow_null=True)
    against_base_rates = AgainstOut()


class LedgerOut(AnswerBase):
    """What was predicted, and what happened."""

    summary = SummaryOut()
    recalibration = RecalibrationOut(allow_null=True)
    calls = CallRecordOut(many=True)
