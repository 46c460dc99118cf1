"""Screens, reports and re-screening runs on the desk."""

from apps.compliance.screening.admin.reports import ReportRecordAdmin
from apps.compliance.screening.admin.rescreens import RescreenAdmin
from apps.compliance.screening.admin.screens import ScreenAdmin

__all__ = ["ReportRecordAdmin", "RescreenAdmin", "ScreenAdmin"]
