"""Fields and shapes that answers share: figures, scores, money, data quality, sources."""

from decimal import Decimal
from typing import Any

from apps.insight.forecast.rules.lights_and_outlooks import LIGHTS, OUTLOOKS
from apps.platform.api.shapes import ListOf, Moment, Number, OneOf, Shape, Text
from apps.reference.signals.quality_labels import LABELS

METHOD_HELP = "Where the method is described."


class PublishedFigure(Number):
    """A figure of a publisher, with all digits that were published."""

    def __init__(self, **options: Any) -> None:
        # prices are passed on unrounded, and derived ones have many decimals
        super().__init__(**{"max_digits": 30, "decimal_places": 12, **options})


class RiskScore(Number):
    """0 to 100; 100 is the most climate risk."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": Decimal(0), "max_value": Decimal(100), **options})


class UsdAmount(Number):
    """US dollars, in cents."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_digits": 20, "decimal_places": 2, **options})


class LightChoice(OneOf):
    """GREEN low risk, YELLOW elevated, hedging recommended, RED active disruption."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"choices": LIGHTS, **options})


class OutlookChoice(OneOf):
    """The direction of the risk over three months; UNCERTAIN if it is not known."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"choices": OUTLOOKS, **options})


class SourceOut(Shape):
    """Where a series comes from, and on what terms."""

    series = Text()
    source = Text(  # type: ignore[assignment]
        help_text="The publisher; SAMPLE for the bundled sample, +INVENTED for made-up figures."
    )
    licence = Text(max_length=2000, allow_blank=True)
    as_of = Moment(help_text="The time that its newest value refers to.")
    cadence = Text(allow_blank=True)
    kind = OneOf(choices=("observed", "derived", "static", "proxy"))


class DataQualityOut(Shape):
    """How good the data of an answer are.

    `asOf` is the oldest observation that it requires; `coverage` is the weight of the series that
    counted, 0 to 1; `missing` names the others. ESTIMATED is based on proxies or the bundled
    sample.
    """

    data_quality = OneOf(choices=LABELS)
    as_of = Moment()
    coverage = Number()
    reasons = ListOf(child=Text())
    missing = ListOf(child=Text())
    methodology_version = Text()
    method = Text(help_text=METHOD_HELP)
