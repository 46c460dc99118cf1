"""Schedule feeds, remove unused files, and find feeds without new values."""

from datetime import datetime, timedelta

from django.db.models import Exists, Max, OuterRef, Subquery

from apps.reference.signals import services
from apps.reference.signals.clients import publishers
from apps.reference.signals.models import Fetch, Observation, RawFile

GOOD = ("NEW", "SAME", "UNCHANGED")
DUE_EARLY_BY = timedelta(minutes=5)  # half the interval of the job that looks for due files
NOTES_KEPT = timedelta(days=400)


def find_due_feeds(*, now: datetime) -> list[str]:
    """Return the enabled files that are due for a fetch, the most frequent first."""
    last = dict(
        Fetch.objects.values_list("feed").annotate(last=Max("at")).values_list("feed", "last")
    )
    feeds = [
        feed
        for feed in services.list_feeds()
        if feed.name != "ecb-rates"  # has a job of its own, on which screens rest
        and publishers.is_feed_on(feed)
        # a little early: a file that is due a second after this run would wait for the next one
        and (feed.name not in last or last[feed.name] + feed.every <= now + DUE_EARLY_BY)
    ]
    return [feed.name for feed in sorted(feeds, key=lambda feed: feed.every)]


def remove_unused_files(*, now: datetime) -> int:
    """Remove raw files that no newest value rests on, and fetch records older than 400 days.

    A file stays while a value of it is the newest vintage of its day. The last successful fetch of
    each file stays, for conditional requests. Returns the number of removed files.
    """
    newer = Observation.objects.filter(
        series=OuterRef("series"),
        observed_on=OuterRef("observed_on"),
        source=OuterRef("source"),
        vintage__gt=OuterRef("vintage"),
    )
    live = Observation.objects.filter(digest=OuterRef("digest")).filter(~Exists(newer))
    gone = RawFile.objects.filter(~Exists(live)).delete()[0]
    good = Fetch.objects.filter(feed=OuterRef("feed"), outcome__in=GOOD)
    old = Fetch.objects.filter(at__lt=now - NOTES_KEPT)
    # the last good one has the validators of the next conditional request
    old.exclude(pk=Subquery(good.order_by("-at", "-pk").values("pk")[:1])).delete()
    return gone
