"""The reports that are sold."""

from apps.insight.reports.catalogue.climate import CLIMATE
from apps.insight.reports.catalogue.compliance import COMPLIANCE
from apps.insight.reports.catalogue.esg import ESG
from apps.insight.reports.catalogue.macro import MACRO
from apps.insight.reports.catalogue.treasury import TREASURY
from apps.insight.reports.definitions import Report

REPORTS: tuple[Report, ...] = (CLIMATE, MACRO, ESG, COMPLIANCE, TREASURY)


def report_of(name: str) -> Report | None:
    """Return a report by its name."""
    return next((report for report in REPORTS if report.name == name), None)
