"""One report as the desk draws it: coverage and distance from thresholds, figure by figure."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.sfdr.models import PaiReport

TONES = {
    "WITHIN_THRESHOLD": "ok",
    "REVIEW": "warn",
    "ELEVATED_RISK": "bad",
    "DATA_REQUIRED": "info",
    "NOT_APPLICABLE": "left",
}
WORDS = {
    "WITHIN_THRESHOLD": "Within",
    "REVIEW": "Review",
    "ELEVATED_RISK": "Elevated",
    "DATA_REQUIRED": "Data required",
    "NOT_APPLICABLE": "Not applicable",
}
MOST_FIGURES = 500  # shown; the files have all


@dataclass(frozen=True, slots=True)
class Line:
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
    covered: int
    estimated: int
    reach: int | None
    bounds: str
    missing: str


def shown(record: PaiReport) -> dict[str, Any]:
    """Return what the page of a report draws."""
    fault = record.mac_fault() if not record.purged else ""
    if fault or record.purged:
        return {"fault": fault, "purged": record.purged}
    kept = record.data
    response = kept["response"]
    return {
        "report": response,
        "named": response.get("portfolioName") or response.get("entityName", ""),
        "tone": TONES[record.overall],
        "standing": WORDS[record.overall],
        "lines": [_line(one) for one in response["indicators"]],
        "figures": kept["figures"][:MOST_FIGURES],
        "figures_total": len(kept["figures"]),
    }


def _line(one: dict[str, Any]) -> Line:
    bounds = one["thresholds"]
    side = bounds["side"].lower()
    return Line(
        id=one["id"],
        name=one["name"],
        status=WORDS[one["status"]],
        tone=TONES[one["status"]],
        value="" if one["value"] == one["status"] else one["value"],
        unit=one["unit"],
        covered=one["coveragePercent"],
        estimated=one["estimatedPercent"],
        reach=_reach(one),
        bounds=f"review {side} {bounds['review']}, elevated {side} {bounds['elevated']}",
        missing=", ".join(one["missing"][:5]) + (" …" if len(one["missing"]) > 5 else ""),
    )


def _reach(one: dict[str, Any]) -> int | None:
    if one["value"] == one["status"] or one["thresholds"]["side"] == "BELOW":
        return None
    value, bound = Decimal(one["value"]), Decimal(one["thresholds"]["elevated"])
    if not bound:
        return 100 if value > 0 else 0
    return int(max(Decimal(0), min(Decimal(100), value * 100 / bound)))
