"""Shapes of books: portfolio and scenario (document 3 section 2.8)."""

from apps.insight.forecast.rules.analogues import SPANS
from apps.insight.forecast.rules.book_risk import FLAT, LONG, SHORT
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.rules.scenarios import SCENARIO_IDS
from apps.insight.forecast.serializers.common import (
    LABELS,
    METHOD_HELP,
    LightChoice,
    RiskScore,
    UsdAmount,
)
from apps.platform.core.api.shapes import Flag, ListOf, Moment, Number, OneOf, Shape, Text, Whole


class TiersOut(Shape):
    """Net notional in each light, in USD, whichever side it is on."""

    GREEN = UsdAmount()
    YELLOW = UsdAmount()
    RED = UsdAmount()


class LossOut(Shape):
    """The worst that the dated past would do to the book now; nulls where nothing would.

    `notAssessed` are markets of the book that no scenario moves: nothing is said of them, and of a
    book that has no others `usd` is null.

    `usd` is 0 or below: the profit or loss in the month `month` after `event` began, of all
    markets that the scenario moves, by their prices then.
    """

    scenario = OneOf(choices=SCENARIO_IDS, allow_null=True)
    event = Text(allow_null=True)
    month = Whole(allow_null=True)
    usd = UsdAmount(allow_null=True)
    pct_of_gross = Number(
        allow_null=True,
        help_text="Of the notional of all positions (`grossNotionalUsd`), per cent.",
    )
    not_assessed = ListOf(child=OneOf(choices=SYMBOLS))
    not_assessed_usd = UsdAmount(help_text="Their net notional, whichever side it is on.")


class LineOut(Shape):
    """A position as it came, with the light of its market and its part of the worst case."""

    symbol = OneOf(choices=SYMBOLS)
    notional_usd = UsdAmount()
    side = OneOf(choices=(LONG, SHORT, FLAT))
    status = LightChoice()
    climate_risk_score = RiskScore()
    worst_case_usd = UsdAmount(help_text="Its part of `worstCaseDrawdown`; they sum to it.")


class ShareOut(Shape):
    """What a market adds to the score of the book; all sum to it."""

    symbol = OneOf(choices=SYMBOLS)
    net_usd = UsdAmount()
    side = OneOf(choices=(LONG, SHORT, FLAT))
    weight = Number(help_text="Its part of the net notional, 0 to 1.")
    climate_risk_score = RiskScore()
    contribution = Number()


class BookOut(Shape):
    """What all answers on books have; `asOf` is when the markets were computed."""

    as_of = Moment()
    data_quality = OneOf(choices=LABELS, help_text="The worst of the markets of the book.")
    methodology_version = Text()
    method = Text(help_text=METHOD_HELP)


class PortfolioOut(BookOut):
    """A book under the climate of now.

    `portfolioRiskScore` is the mean of the scores of its markets, weighted by net notional: a short
    position weighs as a long one of its size. `worstCaseDrawdown` is over the analogues of all nine
    scenarios.
    """

    label = Text(required=False)  # type: ignore[assignment]
    portfolio_risk_score = RiskScore()
    exposure_by_tier = TiersOut()
    gross_notional_usd = UsdAmount(
        help_text="Of all positions as they came, whichever side they are on."
    )
    net_notional_usd = UsdAmount(help_text="Net of each market, whichever side it is on, summed.")
    worst_case_drawdown = LossOut()
    contributions = ShareOut(many=True)
    positions = LineOut(many=True)
    recommendations = ListOf(child=Text(max_length=1000))


class RangeOut(Shape):
    """Lowest and highest, per cent."""

    low = Number()
    high = Number()


class BasisOut(Shape):
    """Years of the window that had it; `low` and `high` hold the true share 95 times in 100.

    `floor` says that the list may lack years, so that the share is the least.
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
    analogues = Whole(help_text="How many analogues its prices cover.")


class SupplyOut(Shape):
    """By how much harvests of areas fell, per cent; below 0 they grew.

    `ofSupply` is that times the area's part by the table of regions: of the world's output, of that
    of the United States for oil and gas.
    """

    low = Number()
    high = Number()
    harvests = Whole(help_text="How many harvests that is of.")
    of = OneOf(choices=SPANS, help_text="Over which time they fell: a year, a month or a day.")
    of_supply = RangeOut(allow_null=True)


class MoveOut(Shape):
    """A price over the months that followed, against that of the month before, per cent."""

    symbol = OneOf(choices=SYMBOLS)
    low_pct = Number()
    high_pct = Number()
    end_pct = Number()


class HarvestOut(Shape):
    """What an area's output did, in whole per cent: of a year over the one before, or `of` less."""

    symbol = OneOf(choices=SYMBOLS)
    area = Text()
    change_pct = Number()
    source = Text()  # type: ignore[assignment]
    of = OneOf(choices=SPANS)


class AnalogueOut(Shape):
    """One time that it happened; moves are of prices that reach so far back."""

    event = Text()
    year = Whole()
    began = Text()
    price_moves = MoveOut(many=True)
    harvests = HarvestOut(many=True)


class ScenarioBaseOut(Shape):
    """A scenario by its past, whatever the book.

    `probability` is that of a year: the share of the years of a window that had it.
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
        help_text="The worst month of the worst analogue, 0 or below; null where the scenario "
        "moves no market of the book.",
    )
    median_impact_usd = UsdAmount(
        allow_null=True, help_text="The median of the worst months of all analogues."
    )
    not_assessed = ListOf(child=OneOf(choices=SYMBOLS))
    not_assessed_usd = UsdAmount(help_text="Net notional of the markets that it does not move.")
    replays = ReplayOut(many=True)
    positions = LineOut(many=True)
    reasoning = Text(max_length=2000, help_text="Sentences made from these numbers, by no model.")


class ScenarioOut(ScenarioBaseOut, ScenarioBookOut):
    """A scenario, and what its past would do to a book."""
