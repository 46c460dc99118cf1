"""Background work of the forecasts."""

from datetime import datetime

from apps.insight.forecast.services import hourly_run, outlook_records


def run_forecast(key: str, now: datetime) -> None:
    """Compute and keep the run of the hour; a second one of the hour does nothing."""
    if hourly_run.load_recorded_run(hourly_run.hour_of_moment(now)) is None:
        hourly_run.record_run(hourly_run.compute_run(now=now), now=now)


def resolve_outlooks(key: str, now: datetime) -> None:
    """Record the outcomes of due outlooks; idempotent."""
    while outlook_records.resolve_due_outlooks(now=now):
        pass
