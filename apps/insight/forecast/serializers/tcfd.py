"""Shapes of the report in the manner of the TCFD (document 3 section 2.8)."""

from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.rules.scenarios import SCENARIO_IDS
from apps.insight.forecast.rules.tcfd_disclosures import ANSWERS, PILLARS
from apps.insight.forecast.serializers.common import LightChoice, RiskScore, UsdAmount
from apps.insight.forecast.serializers.position_books import BookOut, LossOut, TiersOut
from apps.platform.api.shapes import Number, OneOf, Shape, Text, Whole


class GovernanceOut(Shape):
    """Disclosures of the board and of management, which we cannot answer."""

    board_oversight = Text()
    management_role = Text()


class PhysicalOut(Shape):
    """A market of the book and the threats to it."""

    symbol = OneOf(choices=SYMBOLS)
    net_usd = UsdAmount()
    status = LightChoice()
    climate_risk_score = RiskScore()
    reasoning = Text(max_length=1000)


class CaseOut(Shape):
    """A scenario of the report; null if no analogue would cost the book anything."""

    scenario = OneOf(choices=SCENARIO_IDS, allow_null=True)
    event = Text(allow_null=True)
    usd = UsdAmount(allow_null=True)
    pct_of_gross = Number(allow_null=True)
    probability = Number(
        allow_null=True, help_text="The probability of the scenario in a year, not of this loss."
    )
    basis = Text()


class AnalysisOut(Shape):
    """Moderate: the scenario with the worst median. Severe: the worst of all analogues."""

    moderate = CaseOut()
    severe = CaseOut()


class StrategyOut(Shape):
    """Risks by market, and scenarios."""

    physical_risks = PhysicalOut(many=True)
    scenario_analysis = AnalysisOut()


class RiskManagementOut(Shape):
    """The current state of the book."""

    exposure_by_tier = TiersOut()
    worst_case = LossOut()


class TopRiskOut(Shape):
    """One of the three markets that add most to the score of the book."""

    symbol = OneOf(choices=SYMBOLS)
    net_usd = UsdAmount()
    status = LightChoice()
    contribution = Number()
    signal = Text()


class MetricsOut(Shape):
    """Figures; `notionalAtRisk` is the net notional in YELLOW and RED."""

    portfolio_risk_score = RiskScore()
    notional_at_risk = UsdAmount()
    top_risks = TopRiskOut(many=True)


class AnsweredOut(Shape):
    """One of the eleven recommended disclosures, and whether this report answers it."""

    id = Text()
    pillar = OneOf(choices=PILLARS)
    asks = Text()
    answered = OneOf(choices=ANSWERS)
    where = Text(help_text="The field that answers it, or why this report cannot.")


class DisclosureOut(Shape):
    """What this report is, what it is not, and which of the eleven disclosures it answers."""

    framework = Text()
    note = Text(max_length=2000)
    answered = Whole(help_text="How many of the eleven are answered, in part or in full.")
    disclosures = AnsweredOut(many=True)


class ReportOut(BookOut):
    """A report in the manner of the TCFD, on the physical risk of a book of commodities."""

    entity_name = Text(required=False)
    reporting_period = Text(required=False)
    governance = GovernanceOut()
    strategy = StrategyOut()
    risk_management = RiskManagementOut()
    metrics = MetricsOut()
    disclosure = DisclosureOut()
