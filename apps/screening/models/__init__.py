"""State of the screening domain."""

from apps.screening.models.answered import ReportRecord
from apps.screening.models.reports import PepReport, UboReport
from apps.screening.models.screens import FindKey, Screen

__all__ = ["FindKey", "PepReport", "ReportRecord", "Screen", "UboReport"]
