"""The climate report: physical risk, stress of commodities, outlook (document 2 section 4)."""

from apps.insight.reports.catalogue import subjects
from apps.insight.reports.definitions import HeadlineFigure, NarrativeParagraph, Report, ReportPart
from apps.insight.reports.parts import forecasts, intelligence
from apps.insight.reports.rules import climate
from apps.insight.reports.rules.report_data import format_number, value_at_path
from config import prices

OUTLOOK_PART: ReportPart = intelligence.build_intelligence_part(
    "outlook", title="Climate outlook", product="earth-systems"
)
WARMTH_PATH = "outlook.atmosphere.temperature.currentAnomalyC"

CLIMATE = Report(
    name="climate",
    title="Climate report",
    about="Sells a climate report: physical risk, commodity stress, outlook.\n\n"
    "Findings are rows of published rules on rainfall in ten farming zones, heat and drought in "
    "eight regions, commodity prices against their own history, warming and tipping elements, the "
    "outlook of eleven commodity markets, and water risk.",
    price=prices.REPORT_CLIMATE,
    gives=(
        "Physical risk: rainfall in ten farming zones, heat and drought in eight regions, water",
        "Commodity stress, with its components and its signal for inflation",
        "Climate outlook: warming, distance to the Paris goal, tipping elements, and the lights "
        "of eleven commodity markets",
        "Findings ranked by published rules, each with its figure, and recommended actions",
        "Available as JSON, as a page with charts, and as PDF",
    ),
    resolve=subjects.resolve_world,
    parts=(
        intelligence.build_intelligence_part(
            "rain", title="Rain in farming zones", product="climate"
        ),
        intelligence.build_intelligence_part(
            "pulse", title="Heat and drought", product="climate-pulse"
        ),
        intelligence.build_intelligence_part(
            "commodities", title="Raw materials", product="commodity"
        ),
        OUTLOOK_PART,
        forecasts.PART,
        intelligence.build_intelligence_part(
            "water", title="Water", product="water-risk", required=False
        ),
    ),
    rules=climate.RULES,
    story=(
        NarrativeParagraph(heading="Physical climate risk", tell=climate.describe_physical_risk),
        NarrativeParagraph(heading="Stress of commodities", tell=climate.describe_commodity_stress),
        NarrativeParagraph(heading="Climate outlook", tell=climate.describe_climate_outlook),
        NarrativeParagraph(
            heading="Outlook of commodity markets", tell=climate.describe_market_outlook
        ),
    ),
    figures=(
        HeadlineFigure(
            title="Rainfall strain",
            read=lambda d: f"{format_number(value_at_path(d, 'rain.climateScore'))} of 100",
        ),
        HeadlineFigure(
            title="Heat and drought",
            read=lambda d: f"{format_number(value_at_path(d, 'pulse.pulseIndex'))} of 100",
        ),
        HeadlineFigure(
            title="Commodities",
            read=lambda d: f"{format_number(value_at_path(d, 'commodities.stressIndex'))} of 100",
        ),
        HeadlineFigure(
            title="Warming over 1850 to 1900",
            read=lambda d: (
                ""
                if (warm := value_at_path(d, WARMTH_PATH)) is None
                else f"{format_number(warm, 2)} degrees C"
            ),
        ),
    ),
    headline=climate.climate_headline,
    charts=climate.CHARTS,
    opinion=True,
)
