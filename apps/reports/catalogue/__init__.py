"""The reports that are sold."""

from apps.reports.catalogue.climate import CLIMATE
from apps.reports.catalogue.compliance import COMPLIANCE
from apps.reports.catalogue.esg import ESG
from apps.reports.catalogue.macro import MACRO
from apps.reports.catalogue.treasury import TREASURY
from apps.reports.shape import Report

REPORTS: tuple[Report, ...] = (CLIMATE, MACRO, ESG, COMPLIANCE, TREASURY)


def report_of(name: str) -> Report | None:
    """Return a report by its name."""
    return next((one for one in REPORTS if one.name == name), None)
