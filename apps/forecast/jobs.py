"""Background work of the forecasts."""

from datetime import datetime

from apps.forecast import keeping, running


def run(key: str, now: datetime) -> None:
    """Compute and keep the run of the hour; a second one of the hour does nothing."""
    if running.recorded(running.slot_of(now)) is None:
        running.keep(running.compute(now=now), now=now)


def resolve(key: str, now: datetime) -> None:
    """Write what came of the outlooks whose day is over; run twice, it writes nothing twice."""
    while keeping.resolve(now=now):
        pass
