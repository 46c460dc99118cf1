"""State of the screening domain."""

from apps.screening.models.reports import PepReport, UboReport
from apps.screening.models.screens import Screen

__all__ = ["PepReport", "Screen", "UboReport"]
