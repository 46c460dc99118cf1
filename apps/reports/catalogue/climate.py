"""The climate report: physical risk, stress of commodities, outlook (document 2 section 4)."""

from apps.reports.catalogue import about
from apps.reports.parts import forecasts, intelligence
from apps.reports.rules import climate
from apps.reports.rules.reading import at, num
from apps.reports.shape import Figure, Paragraph, Part, Report
from config import prices

OUTLOOK: Part = intelligence.part("outlook", title="Climate outlook", product="earth-systems")
WARMTH = "outlook.atmosphere.temperature.currentAnomalyC"

CLIMATE = Report(
    name="climate",
    title="Climate report",
    about="Sells a report on the climate: physical risk, stress of raw materials, outlook.\n\n"
    "Findings are rows of published rules over rain in ten farming zones, heat and drought of "
    "eight regions, prices of raw materials against their own history, warming and tipping "
    "elements, the outlook of eleven commodity markets, and water.",
    price=prices.REPORT_CLIMATE,
    gives=(
        "Physical risk: rain of ten farming zones, heat and drought of eight regions, water",
        "Stress of raw materials, with what adds to it and what it says of inflation",
        "Climate outlook: warming, distance to the goal of Paris, tipping elements, "
        "and the light of eleven commodity markets",
        "Findings ranked by published rules, each with its number; what follows from them",
        "The same as JSON, as a page with charts, and as PDF",
    ),
    resolve=about.the_world,
    parts=(
        intelligence.part("rain", title="Rain in farming zones", product="climate"),
        intelligence.part("pulse", title="Heat and drought", product="climate-pulse"),
        intelligence.part("commodities", title="Raw materials", product="commodity"),
        OUTLOOK,
        forecasts.PART,
        intelligence.part("water", title="Water", product="water-risk", required=False),
    ),
    rules=climate.RULES,
    story=(
        Paragraph(heading="Physical climate risk", tell=climate.told_physical),
        Paragraph(heading="Stress of commodities", tell=climate.told_goods),
        Paragraph(heading="Climate outlook", tell=climate.told_outlook),
        Paragraph(heading="Outlook of commodity markets", tell=climate.told_markets),
    ),
    figures=(
        Figure(title="Strain of rain", read=lambda d: f"{num(at(d, 'rain.climateScore'))} of 100"),
        Figure(title="Heat and drought", read=lambda d: f"{num(at(d, 'pulse.pulseIndex'))} of 100"),
        Figure(
            title="Raw materials",
            read=lambda d: f"{num(at(d, 'commodities.stressIndex'))} of 100",
        ),
        Figure(
            title="Over 1850 to 1900",
            read=lambda d: "" if (warm := at(d, WARMTH)) is None else f"{num(warm, 2)} degrees C",
        ),
    ),
    headline=climate.headline,
    charts=climate.CHARTS,
    opinion=True,
)
