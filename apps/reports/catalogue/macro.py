"""The macro report: stability score, macro regime, 90-day outlook (document 2 section 4)."""

from apps.reports.catalogue import about
from apps.reports.parts import intelligence, stability
from apps.reports.rules import macro
from apps.reports.rules.reading import at, num, pct, words
from apps.reports.shape import Figure, Paragraph, Report
from config import prices

MACRO = Report(
    name="macro",
    title="Macro report",
    about="Sells a report on the macro economy: stability score, regime, outlook of 90 days.\n\n"
    "Findings are rows of published rules over the last run of the stability oracle, the stress of "
    "markets, the chances of regimes in 30, 60 and 90 days, and sovereign debt.",
    price=prices.REPORT_MACRO,
    gives=(
        "Stability score of settlement with its layers, peg and health of the dollar",
        "Regime of the world economy and stress of markets, with what adds to it",
        "Chances of each regime in 30, 60 and 90 days, with similar months of the past",
        "Findings ranked by published rules, each with its number; what follows from them",
        "The same as JSON, as a page with charts, and as PDF",
    ),
    resolve=about.the_world,
    parts=(
        stability.PART,
        intelligence.part("stress", title="Stress of markets", product="macro-stress"),
        intelligence.part("outlook", title="Outlook of 90 days", product="transition-risk"),
        intelligence.part("debt", title="Sovereign debt", product="sovereign-debt", required=False),
    ),
    rules=macro.RULES,
    story=(
        Paragraph(heading="Stability of settlement", tell=macro.told_stability),
        Paragraph(heading="Stress of markets", tell=macro.told_stress),
        Paragraph(heading="Outlook of 90 days", tell=macro.told_outlook),
    ),
    figures=(
        Figure(
            title="Stability score",
            read=lambda d: f"{num(at(d, 'stability.stability.currentScore'))} of 100",
        ),
        Figure(title="Standing", read=lambda d: words(at(d, "stability.status"))),
        Figure(
            title="Stress of markets", read=lambda d: f"{num(at(d, 'stress.stressIndex'))} of 100"
        ),
        Figure(title="Regime", read=lambda d: words(at(d, "outlook.currentRegime"))),
        Figure(
            title="Worse within 90 days",
            read=lambda d: "" if (chance := macro.worse(d)) is None else pct(chance),
        ),
    ),
    headline=macro.headline,
    charts=macro.CHARTS,
    opinion=True,
)
