"""State of the screening domain."""

from apps.screening.models.answered import ReportRecord
from apps.screening.models.reports import PepReport, UboReport
from apps.screening.models.screens import EarlierReference, FindKey, Screen

__all__ = ["EarlierReference", "FindKey", "PepReport", "ReportRecord", "Screen", "UboReport"]
