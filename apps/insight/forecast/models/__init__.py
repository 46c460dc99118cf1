"""Runs of the forecasts, outlooks and their outcomes."""

from apps.insight.forecast.models.outlooks import ForecastOutcome, ForecastOutlook
from apps.insight.forecast.models.runs import ForecastRun

__all__ = ["ForecastOutcome", "ForecastOutlook", "ForecastRun"]
