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
    "medianSeconds": "Half settled within",
    "feesUsd": "Fees",
}

TREASURY = Report(
    name="treasury",
    title="Treasury report",
    about="Sells a report on a month of payments: volume, corridors, audit of AI decisions.\n\n"
    "A payment buys the report. With an institution's key in Authorization in addition to the "
    "payment, it covers that institution's own month with exact figures, and only that "
    "institution gets it. Without a key it covers the network, for months that have ended: "
    "figures of five institutions or more of which none has more than half, rounded; if nothing "
    "may be disclosed, the report says so and has no figures. For the current month it covers "
    "what the paying wallet sent and settled.",
    price=prices.REPORT_TREASURY,
    gives=(
        "Volume of the month: what came in, settled, was blocked, failed; fees",
        "Corridors with volume, share that settled and time to settle",
        "Audit of decisions: rules, officers, and what language models had part in",
        "An institution's own figures with its key beside the payment; else the network's, of a "
        "month that has ended and in which five institutions or more have part: of another month "
        "no figure is told",
        "Of the running month without a key: what left the wallet that pays, and settled",
        "The same as JSON, as a page with charts, and as PDF",
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
