"""State of the screening domain."""

from apps.compliance.screening.models.cached_reports import PepReport, UboReport
from apps.compliance.screening.models.report_records import ReportRecord
from apps.compliance.screening.models.rescreens import Rescreen
from apps.compliance.screening.models.screens import FindKey, Screen

__all__ = ["FindKey", "PepReport", "ReportRecord", "Rescreen", "Screen", "UboReport"]
