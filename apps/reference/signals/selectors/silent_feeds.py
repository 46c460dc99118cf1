"""Points of feeds that have gone silent, which no longer count."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Max

from apps.reference.signals.feed_upkeep import GOOD
from apps.reference.signals.models import Fetch
from apps.reference.signals.points import Point
from apps.reference.signals.series import find_feed, find_series

QUIET_AFTER = timedelta(hours=3)  # DESIGN section 5, Stability oracle: how long a price counts


def expire_silent_points(points: Mapping[str, Point], *, as_of: datetime) -> dict[str, Point]:
    """Return points as they count for what is so now; at most one query.

    A value is of a day, and one that comes by the minute may change within it. So it is too old
    where its publisher did not answer for three hours, though its day is young. One whose file was
    never fetched stays as it is: it came in another way.
    """
    feeds = {
        name: feed.name
        for name, point in points.items()
        if point.cadence == "minutes" and not point.sample
        if (row := find_series(name)) and (feed := find_feed(row))
    }
    if not feeds:
        return dict(points)
    good = Fetch.objects.filter(feed__in=set(feeds.values()), outcome__in=GOOD, at__lte=as_of)
    last = dict(good.order_by().values_list("feed").annotate(last=Max("at")))
    quiet = {name for name, feed in feeds.items() if last.get(feed, as_of) < as_of - QUIET_AFTER}
    return {
        name: replace(point, max_age=timedelta(0)) if name in quiet else point
        for name, point in points.items()
    }
