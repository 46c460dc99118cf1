"""The recalibration in force at a moment: the newest of this method that was on record."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.models import Recalibration
from apps.insight.intelligence.regimes import verified_records
from apps.insight.intelligence.rules.regimes import HORIZONS, VERSION

NO_WEIGHT = Decimal(0)


@dataclass(frozen=True, slots=True)
class RecalibrationEdition:
    """A recalibration on record; `horizons` has what Recalibration keeps of each, by days."""

    number: int
    month: date
    version: str
    horizons: Mapping[str, Mapping[str, Any]]

    def weight(self, days: int) -> Decimal:
        """Return how far predictions of a horizon are adjusted, 0 to 0.5."""
        return Decimal(self.horizons[str(days)]["weight"])


def load_recalibrations(now: datetime) -> list[RecalibrationEdition]:
    """Return the verified recalibrations on record at a moment, the oldest first."""
    recalibration_editions = verified_records.load_verified_records(
        Recalibration, now, _extract_edition
    )
    return [
        edition
        for edition in recalibration_editions
        if edition.version == VERSION and edition.horizons
    ]


def load_active_recalibration(now: datetime) -> Mapping[str, Any]:
    """Return the newest at a moment as `recalibration`; None where there is none."""
    return {"recalibration": next(reversed(load_recalibrations(now)), None)}


def serialize_recalibration(
    recalibration_edition: RecalibrationEdition | None,
) -> dict[str, Any] | None:
    """Return a recalibration for the API; see RecalibrationOut."""
    if recalibration_edition is None:
        return None
    return {
        "number": recalibration_edition.number,
        "month": recalibration_edition.month,
        "horizons": {f"h{days}": recalibration_edition.horizons[str(days)] for days in HORIZONS},
    }


def weight_of_recalibration(
    recalibration_edition: RecalibrationEdition | None, days: int
) -> Decimal:
    """Return how far predictions of a horizon are adjusted; 0 without a recalibration."""
    return recalibration_edition.weight(days) if recalibration_edition else NO_WEIGHT


def _extract_edition(recalibration: Recalibration) -> RecalibrationEdition:
    return RecalibrationEdition(
        recalibration.number,
        recalibration.month,
        recalibration.version,
        recalibration.data.get("horizons", {}),
    )
