"""The macro report: stability score, macro regime, 90-day outlook (document 2 section 4)."""

from apps.insight.reports.catalogue import subjects
from apps.insight.reports.definitions import HeadlineFigure, NarrativeParagraph, Report
from apps.insight.reports.parts import intelligence, stability
from apps.insight.reports.rules import macro
from apps.insight.reports.rules.report_data import (
    format_code,
    format_number,
    format_percent,
    value_at_path,
)
from config import prices

MACRO = Report(
    name="macro",
    title="Macro report",
    about="Sells a macroeconomic report: stability score, regime, 90-day outlook.\n\n"
    "Findings are rows of published rules on the last run of the stability oracle, market stress, "
    "the regime probabilities in 30, 60 and 90 days, and sovereign debt.",
    price=prices.REPORT_MACRO,
    gives=(
        "Settlement stability score with its layers, the peg and the dollar's health",
        "Regime of the world economy, and market stress with its components",
        "Regime probabilities in 30, 60 and 90 days, with similar past months",
        "Findings ranked by published rules, each with its figure, and recommended actions",
        "Available as JSON, as a page with charts, and as PDF",
    ),
    resolve=subjects.resolve_world,
    parts=(
        stability.PART,
        intelligence.build_intelligence_part(
            "stress", title="Stress of markets", product="macro-stress"
        ),
        intelligence.build_intelligence_part(
            "outlook", title="Outlook of 90 days", product="transition-risk"
        ),
        intelligence.build_intelligence_part(
            "debt", title="Sovereign debt", product="sovereign-debt", required=False
        ),
    ),
    rules=macro.RULES,
    story=(
        NarrativeParagraph(heading="Stability of settlement", tell=macro.describe_stability),
        NarrativeParagraph(heading="Stress of markets", tell=macro.describe_market_stress),
        NarrativeParagraph(heading="Outlook of 90 days", tell=macro.describe_regime_outlook),
    ),
    figures=(
        HeadlineFigure(
            title="Stability score",
            read=lambda d: (
                f"{format_number(value_at_path(d, 'stability.stability.currentScore'))} of 100"
            ),
        ),
        HeadlineFigure(
            title="Standing", read=lambda d: format_code(value_at_path(d, "stability.status"))
        ),
        HeadlineFigure(
            title="Stress of markets",
            read=lambda d: f"{format_number(value_at_path(d, 'stress.stressIndex'))} of 100",
        ),
        HeadlineFigure(
            title="Regime", read=lambda d: format_code(value_at_path(d, "outlook.currentRegime"))
        ),
        HeadlineFigure(
            title="Worse regime within 90 days",
            read=lambda d: (
                ""
                if (chance := macro.chance_of_worse_regime(d)) is None
                else format_percent(chance)
            ),
        ),
    ),
    headline=macro.macro_headline,
    charts=macro.CHARTS,
    opinion=True,
)
