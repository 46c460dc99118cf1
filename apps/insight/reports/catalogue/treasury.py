"""The treasury report: volume, corridors, audit of decisions (document 2 section 4)."""

from apps.access.keys.models import KeyKind
from apps.insight.reports.catalogue import subjects
from apps.insight.reports.definitions import HeadlineFigure, NarrativeParagraph, Report
from apps.insight.reports.parts import payment_flows
from apps.insight.reports.rules import treasury
from apps.insight.reports.rules.report_data import format_number, value_at_path
from apps.insight.reports.serializers.queries import TreasuryQuery
from config import prices


def _build_volume_figure(name: str, unit: str, places: int = 0) -> "HeadlineFigure":
    def read(data: dict[str, object]) -> str:
        value = value_at_path(data, f"flows.volume.{name}")
        return "" if value is None else f"{format_number(value, places)} {unit}".strip()

    return HeadlineFigure(title=TITLES[name], read=read)  # type: ignore[arg-type]


TITLES = {
    "settledUsd": "Settled",
    "settled": "Payments settled",
    "medianSeconds": "Median time to settle",
    "feesUsd": "Fees",
}

TREASURY = Report(
    name="treasury",
    title="Treasury report",
    about="Sells a treasury report on a month of payments: volume, corridors, audit of AI "
    "decisions.\n\n"
    "A payment buys the report. If the call also has an institution's key in Authorization, the "
    "report covers that institution's own month with exact figures and goes only to that "
    "institution. Without a key it covers the network, for months that have ended: rounded "
    "figures of at least five institutions, none of which has more than half; if nothing may be "
    "disclosed, the report says so and has no figures. For the current month it covers the "
    "settled payments of the paying wallet.",
    price=prices.REPORT_TREASURY,
    gives=(
        "Monthly volume: payments received, settled, blocked and failed; fees",
        "Corridors with volume, settled share and time to settle",
        "Audit of decisions: by rules, by officers, and with a language model's part",
        "With an institution's key in addition to the payment, its own figures; otherwise figures "
        "of the network, only for an ended month in which at least five institutions took part",
        "For the current month without a key: the settled payments of the paying wallet",
        "Available as JSON, as a page with charts, and as PDF",
    ),
    asks=TreasuryQuery,
    example={"period": "2026-10"},
    resolve=subjects.resolve_month,
    beside=(KeyKind.INSTITUTION,),
    parts=payment_flows.PARTS,
    rules=treasury.RULES,
    story=(
        NarrativeParagraph(heading="Volume", tell=treasury.describe_volume),
        NarrativeParagraph(heading="Corridor performance", tell=treasury.describe_corridors),
        NarrativeParagraph(heading="Audit of decisions", tell=treasury.describe_decisions),
    ),
    figures=(
        _build_volume_figure("settledUsd", "USD", 2),
        _build_volume_figure("settled", ""),
        _build_volume_figure("medianSeconds", "seconds"),
        _build_volume_figure("feesUsd", "USD", 2),
    ),
    headline=treasury.treasury_headline,
    charts=treasury.CHARTS,
)
