"""Shapes of books of positions: portfolio and scenario (document 3 section 2.8)."""

from apps.insight.forecast.rules.book_risk import FLAT, LONG, SHORT
from apps.insight.forecast.rules.historical_analogues import SPANS
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.rules.scenarios import SCENARIO_IDS
from apps.insight.forecast.serializers.common import METHOD_HELP, LightChoice, RiskScore, UsdAmount
from apps.platform.api.shapes import Flag, ListOf, Moment, Number, OneOf, Shape, Text, Whole
from apps.reference.signals.quality_labels import LABELS


class TiersOut(Shape):
    """Net notional in each light, in USD, whether long or short."""

    GREEN = UsdAmount()
    YELLOW = UsdAmount()
    RED = UsdAmount()


class LossOut(Shape):
    """The worst loss that the dated past would cause to the book now; null if it would cause none.

    `notAssessed` are the markets of the book that no scenario moves: nothing is known about them,
    and if the book has no other markets `usd` is null.

    `usd` is 0 or below: the profit or loss in the month `month` after `event` began, over all
    markets that the scenario moves, at their prices then.
    """

    scenario = OneOf(choices=SCENARIO_IDS, allow_null=True)
    event = Text(allow_null=True)
    month = Whole(allow_null=True)
    usd = UsdAmount(allow_null=True)
    pct_of_gross = Number(
        allow_null=True,
        help_text="Per cent of the notional of all positions (`grossNotionalUsd`).",
    )
    not_assessed = ListOf(child=OneOf(choices=SYMBOLS))
    not_assessed_usd = UsdAmount(help_text="Their net notional, long and short counted alike.")


class LineOut(Shape):
    """A position as submitted, with the light of its market and its part of the worst case."""

    symbol = OneOf(choices=SYMBOLS)
    notional_usd = UsdAmount()
    side = OneOf(choices=(LONG, SHORT, FLAT))
    status = LightChoice()
    climate_risk_score = RiskScore()
    worst_case_usd = UsdAmount(help_text="Its part of `worstCaseDrawdown`; the parts add up to it.")


class ShareOut(Shape):
    """What a market adds to the score of the book; all contributions add up to the score."""

    symbol = OneOf(choices=SYMBOLS)
    net_usd = UsdAmount()
    side = OneOf(choices=(LONG, SHORT, FLAT))
    weight = Number(help_text="Its part of the net notional, 0 to 1.")
    climate_risk_score = RiskScore()
    contribution = Number()


class BookOut(Shape):
    """Fields of all answers on books; `asOf` is when the markets were computed."""

    as_of = Moment()
    data_quality = OneOf(choices=LABELS, help_text="The worst data quality of the book's markets.")
    methodology_version = Text()
    method = Text(help_text=METHOD_HELP)


class PortfolioOut(BookOut):
    """A book under the current climate.

    `portfolioRiskScore` is the mean of the scores of its markets, weighted by net notional: a short
    position has the same weight as a long one of its size. `worstCaseDrawdown` is over the
    analogues of all nine scenarios.
    """

    label = Text(required=False)  # type: ignore[assignment]
    portfolio_risk_score = RiskScore()
    exposure_by_tier = TiersOut()
    gross_notional_usd = UsdAmount(
        help_text="Of all positions as submitted, long and short counted alike."
    )
    net_notional_usd = UsdAmount(
        help_text="The sum of the markets' net notionals, long and short counted alike."
    )
    worst_case_drawdown = LossOut()
    contributions = ShareOut(many=True)
    positions = LineOut(many=True)
    recommendations = ListOf(child=Text(max_length=1000))


class RangeOut(Shape):
    """Lowest and highest, per cent."""

    low = Number()
    high = Number()


class BasisOut(Shape):
    """Years of the window in which it occurred; with 95 % confidence the true share is between
    `low` and `high`.

    `floor` says that the list may miss years, so the share is a minimum.
    """

    years_with = Whole()
    years = Whole()
    window = Text()
    low = Number()
    high = Number()
    floor = Flag()


class ImpactOut(Shape):
    """What a market did in the months of all analogues that its prices cover."""

    symbol = OneOf(choices=SYMBOLS)
    price_impact_pct = RangeOut(allow_null=True)
    median_end_pct = Number(allow_null=True, help_text="The median at the end of the horizon.")
    analogues = Whole(help_text="The number of analogues that its prices cover.")


class SupplyOut(Shape):
    """How much the harvests of areas fell, in per cent; below 0 they grew.

    `ofSupply` is that times the area's share in the table of regions: of the world's output, or for
    oil and gas of that of the United States.
    """

    low = Number()
    high = Number()
    harvests = Whole(help_text="The number of harvests.")
    of = OneOf(
        choices=SPANS,
        help_text="The period that the harvest figures cover: a year, a month or a day.",
    )
    of_supply = RangeOut(allow_null=True)


class MoveOut(Shape):
    """A price in the months that followed, relative to that of the month before, in per cent."""

    symbol = OneOf(choices=SYMBOLS)
    low_pct = Number()
    high_pct = Number()
    end_pct = Number()


class HarvestOut(Shape):
    """Change in an area's output, in whole per cent: of a year against the one before, or `of`
    less.
    """

    symbol = OneOf(choices=SYMBOLS)
    area = Text()
    change_pct = Number()
    source = Text()  # type: ignore[assignment]
    of = OneOf(choices=SPANS)


class AnalogueOut(Shape):
    """One past occurrence; moves are shown for prices that go back far enough."""

    event = Text()
    year = Whole()
    began = Text()
    price_moves = MoveOut(many=True)
    harvests = HarvestOut(many=True)


class ScenarioBaseOut(Shape):
    """A scenario by its past, independent of the book.

    `probability` is per year: the share of the years of a window in which it occurred.
    """

    scenario = OneOf(choices=SCENARIO_IDS)
    title = Text()
    description = Text(max_length=1000)
    criterion = Text()
    reference = Text()
    probability = Number(allow_null=True)
    probability_basis = BasisOut(allow_null=True)
    time_horizon_months = Whole()
    affected_commodities = ImpactOut(many=True)
    price_impact_pct = RangeOut(allow_null=True)
    supply_reduction_pct = SupplyOut(allow_null=True)
    analogues = AnalogueOut(many=True)


class ReplayOut(Shape):
    """What one analogue would do to the book now, in its worst month."""

    event = Text()
    began = Text()
    worst_usd = UsdAmount()
    worst_month = Whole(allow_null=True)


class ScenarioBookOut(BookOut):
    """What a scenario's past would do to a book."""

    portfolio_impact_usd = UsdAmount(
        allow_null=True,
        help_text="The worst month of the worst analogue, 0 or below; null if the scenario moves "
        "no market of the book.",
    )
    median_impact_usd = UsdAmount(
        allow_null=True, help_text="The median of the worst months of all analogues."
    )
    not_assessed = ListOf(child=OneOf(choices=SYMBOLS))
    not_assessed_usd = UsdAmount(
        help_text="Net notional of the markets that the scenario does not move."
    )
    replays = ReplayOut(many=True)
    positions = LineOut(many=True)
    reasoning = Text(
        max_length=2000,
        help_text="Sentences generated from these numbers, without a language model.",
    )


class ScenarioOut(ScenarioBaseOut, ScenarioBookOut):
    """A scenario, and what its past would do to a book."""
