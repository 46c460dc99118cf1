"""The series of the forecasts as known at a moment. Pure but for `load_series_snapshot`."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from apps.reference.signals.points import Point, without_age_limit
from apps.reference.signals.selectors import series_values, silent_feeds
from apps.reference.signals.series_snapshot import SeriesView

# the earliest analogue of a scenario is of 1980
SINCE = date(1980, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesSnapshot(SeriesView):
    """The newest points and the histories of series at a moment."""

    @property
    def ageless(self) -> "SeriesSnapshot":
        """The same without age limits.

        For components of a score, which missing data must not lower
        (apps/reference/signals/carried_forward_inputs.py).
        """
        return replace(self, points=without_age_limit(self.points))

    def month(self, name: str) -> int:
        """Return the month of the newest figure of a series, or the current month without one."""
        point_of_month = self.point(name)
        return (point_of_month.day if point_of_month else self.as_of).month

    def before(self, back: timedelta) -> "SeriesSnapshot":
        """Return the snapshot of an earlier moment, from the values known now.

        By the days of values and not by their vintages; a value counts if it was recent enough
        then, one of the sample within a year.
        """
        then = self.as_of - back
        past = {
            name: tuple(entry for entry in history if entry[0] <= then.date())
            for name, history in self.past.items()
        }
        points = {
            name: replace(point, day=past[name][-1][0], value=past[name][-1][1])
            for name, point in self.points.items()
            if past.get(name) and then.date() - past[name][-1][0] <= _age_limit(point)
        }
        return SeriesSnapshot(as_of=then, points=points, past=past)


def _age_limit(point: Point) -> timedelta:
    return timedelta(days=366) if point.sample else point.max_age


def load_series_snapshot(names: Iterable[str], *, as_of: datetime) -> SeriesSnapshot:
    """Return what was known of some series at a moment; in at most four queries."""
    wanted_names = tuple(dict.fromkeys(names))
    points = silent_feeds.expire_silent_points(
        series_values.load_latest_points(wanted_names, as_of=as_of), as_of=as_of
    )
    return SeriesSnapshot(
        as_of=as_of,
        points=points,
        past=series_values.load_histories(wanted_names, as_of=as_of, since=SINCE),
    )
