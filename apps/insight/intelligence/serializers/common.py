"""What every paid answer has: when it was made, how good it is, on what it rests."""

from decimal import Decimal

from apps.insight.intelligence.rules.history_percentile_labels import WORDS
from apps.platform.api.shapes import EpochSeconds, Flag, ListOf, Moment, Number, OneOf, Shape, Text
from apps.reference.signals.quality_labels import LABELS


class Figure(Number):
    """A figure of a publisher, with all digits that were published."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"max_digits": 30, "decimal_places": 12, **options})


class Score(Number):
    """0 to 100."""

    def __init__(self, **options: object) -> None:
        super().__init__(**{"min_value": Decimal(0), "max_value": Decimal(100), **options})


class ComponentOut(Shape):
    """One input: its newest value, and its percentile in its own history.

    `score` is the share of all values since the window began that are not above it (not below it,
    if a low value means strain), in hundredths. `contribution` is what it adds to the headline:
    weight times score; the contributions of all components add up to the headline.
    """

    series = Text()
    title = Text()
    value = Figure(allow_null=True)
    unit = Text(allow_blank=True)
    signal = OneOf(choices=WORDS)
    source = Text(allow_blank=True)  # type: ignore[assignment]
    as_of = Moment(required=False)
    score = Score(required=False)
    weight = Number(required=False)
    contribution = Number(required=False)


class SourceOut(Shape):
    """Where a series comes from, and on what terms."""

    series = Text()
    source = Text()  # type: ignore[assignment]
    licence = Text(max_length=2000, allow_blank=True)
    as_of = Moment()
    cadence = Text(allow_blank=True)
    kind = OneOf(choices=("observed", "derived", "static", "proxy"))


class AnswerBase(Shape):
    """Base of all paid answers.

    `asOf` is the oldest of the observations that the answer requires; `coverage` is the weight of
    the series that counted, 0 to 1; `missing` names the others.
    """

    generated_at = EpochSeconds()
    cache_hit = Flag()
    data_quality = OneOf(choices=LABELS)
    as_of = Moment()
    coverage = Number()
    reasons = ListOf(child=Text())
    missing = ListOf(child=Text())
    methodology_version = Text()
    method = Text()
    sources = SourceOut(many=True)
