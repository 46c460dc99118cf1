"""The treasury report: volume, corridors, audit of decisions (document 2 section 4)."""

from apps.access.models import Kind
from apps.reports.asking import TreasuryQuery
from apps.reports.catalogue import about
from apps.reports.parts import flows
from apps.reports.rules import treasury
from apps.reports.rules.reading import at, num
from apps.reports.shape import Figure, Paragraph, Report
from config import prices


def _of_volume(name: str, unit: str, places: int = 0) -> "Figure":
    def read(data: dict[str, object]) -> str:
        value = at(data, f"flows.volume.{name}")
        return "" if value is None else f"{num(value, places)} {unit}".strip()

    return Figure(title=TITLES[name], read=read)  # type: ignore[arg-type]


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
    "The payment buys it. With an institution's key in Authorization beside the payment it tells "
    "that institution's own month, exact, and to nobody else. Without one it tells the network, of "
    "months that have ended: figures of five institutions or more of which none has more than "
    "half, rounded; where nothing may be told the report says so and tells no figure.",
    price=prices.REPORT_TREASURY,
    gives=(
        "Volume of the month: what came in, settled, was blocked, failed; fees",
        "Corridors with volume, share that settled and time to settle",
        "Audit of decisions: rules, officers, and what language models had part in",
        "An institution's own figures with its key beside the payment; else the network's, of a "
        "month that has ended and in which five institutions or more have part: of another month, "
        "and of the running one, no figure is told",
        "The same as JSON, as a page with charts, and as PDF",
    ),
    asks=TreasuryQuery,
    example={"period": "2026-10"},
    resolve=about.a_month,
    beside=(Kind.INSTITUTION,),
    parts=flows.PARTS,
    rules=treasury.RULES,
    story=(
        Paragraph(heading="Volume", tell=treasury.told_volume),
        Paragraph(heading="Corridor performance", tell=treasury.told_corridors),
        Paragraph(heading="Audit of decisions", tell=treasury.told_decisions),
    ),
    figures=(
        _of_volume("settledUsd", "USD", 2),
        _of_volume("settled", ""),
        _of_volume("medianSeconds", "seconds"),
        _of_volume("feesUsd", "USD", 2),
    ),
    headline=treasury.headline,
    charts=treasury.CHARTS,
)
