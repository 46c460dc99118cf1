"""What the forecasts keep."""

from apps.forecast.models.outlooks import ForecastOutcome, ForecastOutlook
from apps.forecast.models.runs import ForecastRun

__all__ = ["ForecastOutcome", "ForecastOutlook", "ForecastRun"]
