"""Background work of the forecasts."""

from datetime import datetime

from apps.insight.forecast.services import hourly_run, outlook_records


def run_forecast(key: str, now: datetime) -> None:
    """Compute and store the run of the hour; a second call in the hour does nothing."""
    if hourly_run.load_recorded_run(hourly_run.hour_of_moment(now)) is None:
        hourly_run.record_run(hourly_run.compute_run(now=now), now=now)


def resolve_outlooks(key: str, now: datetime) -> None:
    """Record the outcomes of due outlooks; idempotent."""
    # in batches, each with its own reads; ends when a batch resolves nothing
    while outlook_records.resolve_due_outlooks(now=now):
        pass
