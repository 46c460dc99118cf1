"""One report as the desk draws it: coverage and distance from thresholds, figure by figure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.insight.esg.labels import format_figure
from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.insight.esg.sfdr.requested_holdings import identify_holding
from apps.platform.common.lei import is_valid_lei
from apps.reference.lei.models import LeiRecord

STATUS_TONES = {
    "WITHIN_THRESHOLD": "ok",
    "REVIEW": "warn",
    "ELEVATED_RISK": "bad",
    "DATA_REQUIRED": "info",
    "NOT_APPLICABLE": "left",
}
STATUS_LABELS = {
    "WITHIN_THRESHOLD": "Within",
    "REVIEW": "Review",
    "ELEVATED_RISK": "Elevated",
    "DATA_REQUIRED": "Data required",
    "NOT_APPLICABLE": "Not applicable",
}
QUALITY_LABELS = {
    "LIVE": "All figures are published.",
    "PARTIAL": "Some figures are missing.",
    "GIVEN": "Some figures were supplied by the client and not verified.",
    "ESTIMATED": "Some figures are estimated.",
    "SAMPLE": "Some figures are from the bundled sample.",
}
WEIGHTING_LABELS = {"EQUAL": "No values were given, so all holdings have the same weight.",
             "BY_VALUE": "Holdings are weighted by value."}  # fmt: skip
AVERAGING_LABELS = {"FOUR_QUARTERS": "Each indicator is the mean of four quarters.",
             "ONE_DAY": "For one day, not the mean of four quarters."}  # fmt: skip
# figures shown on the page; the files have all of them
MOST_FIGURES = 500


@dataclass(frozen=True, slots=True)
class IndicatorLine:
    """One indicator: its two bars are `covered` and `reach`, each 0 to 100.

    `reach` is the value as a part of the second threshold, past which it is full; None without a
    value, and where the adverse side is below.
    """

    id: int
    name: str
    status: str
    tone: str
    value: str
    unit: str
    covered: int | None
    estimated: int
    reach: int | None
    bounds: str
    missing: str


def build_report_page(record: PaiReport) -> dict[str, Any]:
    """Return what the page of a report draws."""
    fault = record.mac_fault() if not record.purged else ""
    if fault or record.purged:
        return {"fault": fault, "purged": record.purged}
    data = record.data
    response = data["response"]
    holdings, figures = (
        _list_holdings(data["request"]),
        [_format_figure_row(figure) for figure in data["figures"][:MOST_FIGURES]],
    )
    missing = [name for indicator in response["indicators"] for name in indicator["missing"]]
    legal_names = load_legal_names(
        [
            *missing,
            *(holding["name"] for holding in holdings),
            *(figure["holding"] for figure in figures),
        ]
    )
    return {
        "report": response,
        "named": response.get("portfolioName") or response.get("entityName", ""),
        "tone": STATUS_TONES[record.overall],
        "standing": STATUS_LABELS[record.overall],
        "lines": [_build_line(indicator, legal_names) for indicator in response["indicators"]],
        "figures": [
            figure | {"named": legal_names.get(figure["holding"], "")} for figure in figures
        ],
        "held": [holding | {"named": legal_names.get(holding["name"], "")} for holding in holdings],
        "quality": QUALITY_LABELS[response["dataQuality"]],
        "weighting": WEIGHTING_LABELS.get(response.get("weighting", ""), ""),
        "averaging": AVERAGING_LABELS.get(response.get("averaging", ""), ""),
        "figures_total": len(data["figures"]),
    }


def _format_figure_row(figure_row: dict[str, Any]) -> dict[str, Any]:
    """Return a figure in words, with its unit and separators."""
    row = MEASURES_BY_KEY.get(figure_row["input"])
    labels = {"title": row.title if row else figure_row["input"], "unit": row.unit if row else ""}
    return figure_row | labels | format_figure(Decimal(figure_row["value"]), labels["unit"])


def load_legal_names(leis: Iterable[str]) -> dict[str, str]:
    """Return the legal names of LEIs as GLEIF has them now, of those that are held here."""
    held_records = LeiRecord.objects.held([lei for lei in set(leis) if is_valid_lei(lei)])
    return {lei: entity.entity.legal_name for lei, entity in held_records.items()}


def _list_holdings(request: dict[str, Any]) -> list[dict[str, str]]:
    """Return the holdings with their values, as submitted."""
    given_rows = [(holding, "") for holding in request.get("holdings", [])]
    given_rows += [
        (holding, quarter["quarter_end"])
        for quarter in request.get("quarters", [])
        for holding in quarter["holdings"]
    ]
    rows = [
        {
            "name": identify_holding(holding)[1],
            "value": f"{Decimal(str(holding['value'])):,f}",
            "currency": holding.get("currency") or request["currency"],
            "on": on,
        }
        for holding, on in given_rows
    ]
    return rows or [{"name": lei, "value": "", "currency": "", "on": ""}
                    for lei in request.get("leis", [])]  # fmt: skip


def _build_line(line: dict[str, Any], known: Mapping[str, str]) -> IndicatorLine:
    bounds = line["thresholds"]
    side = bounds["side"].lower()
    return IndicatorLine(
        id=line["id"],
        name=line["name"],
        status=STATUS_LABELS[line["status"]],
        tone=STATUS_TONES[line["status"]],
        value="" if line["value"] == line["status"] else _format_thousands(line["value"]),
        unit=line["unit"],
        covered=None if line["status"] == "NOT_APPLICABLE" else line["coveragePercent"],
        estimated=line["estimatedPercent"],
        reach=_threshold_percent(line),
        bounds=f"review {side} {_format_thousands(bounds['review'])}, "
        f"elevated {side} {_format_thousands(bounds['elevated'])}",
        missing=", ".join(known.get(name, name) for name in line["missing"][:5])
        + (" …" if len(line["missing"]) > 5 else ""),
    )


def _format_thousands(value: str) -> str:
    return f"{Decimal(value):,f}"


def _threshold_percent(line: dict[str, Any]) -> int | None:
    if line["value"] == line["status"] or line["thresholds"]["side"] == "BELOW":
        return None
    value, bound = Decimal(line["value"]), Decimal(line["thresholds"]["elevated"])
    # a threshold of zero (indicator 14) leaves nothing to divide by: any value is beyond it
    if not bound:
        return 100 if value > 0 else 0
    # a gender pay gap may be negative, and a value may be many times its threshold
    return int(max(Decimal(0), min(Decimal(100), value * 100 / bound)))
