"""The set of lists that is live, named by a digest, and whether it may be screened against."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings

from apps.core.canonical import digest
from apps.watchlists.models import Kind, Source, Topic

Screened = Literal["sanction", "pep"]
State = Literal["fresh", "stale", "absent"]

COVERED: dict[str, tuple[Screened, ...]] = {
    Topic.SANCTION: ("sanction",),
    Topic.PEP: ("pep",),
    Topic.MIXED: ("sanction", "pep"),
    Topic.OTHER: (),
}


@dataclass(frozen=True, slots=True)
class LiveSource:
    """One source of a set, at the version that the set names."""

    pk: int
    slug: str
    title: str
    topic: str
    kind: str
    sequence: int
    checked_at: datetime | None
    max_age_hours: int | None

    def covers(self, topic: Screened) -> bool:
        """Return whether parties of this topic come from the source."""
        return topic in COVERED[self.topic]

    def max_age(self) -> timedelta | None:
        """Return how old the list may grow, None for any age."""
        hours = self.max_age_hours
        if hours is None and self.kind == Kind.OFFICIAL and self.covers("sanction"):
            hours = settings.LISTS_MAX_AGE_HOURS
        return timedelta(hours=hours) if hours else None


@dataclass(frozen=True, slots=True)
class ListSet:
    """The lists that a screen is made against: the same versions always have the same id.

    `since` is when what is screened last changed: a version went live, a source on or off.
    """

    id: str
    sources: tuple[LiveSource, ...]
    since: datetime | None = None

    @property
    def versions(self) -> dict[str, int]:
        """Return the sequence of each source's version, as a screen records it."""
        return {source.slug: source.sequence for source in self.sources}

    @property
    def sample(self) -> bool:
        """Return whether any of it is bundled sample data."""
        return any(source.kind == Kind.SAMPLE for source in self.sources)

    def of(self, topic: Screened) -> tuple[LiveSource, ...]:
        """Return the sources that list parties of a topic."""
        return tuple(source for source in self.sources if source.covers(topic))


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether one topic of a set may be screened against, and why not."""

    topic: Screened
    state: State
    sample: bool
    oldest_check: datetime | None = None
    detail: str = ""


def current_set() -> ListSet:
    """Return the live set, in one query; production leaves sample sources out."""
    rows = Source.objects.filter(live__isnull=False).select_related("live").order_by("slug")
    held = [row for row in rows if not (settings.PRODUCTION and row.kind == Kind.SAMPLE)]
    since = max((row.live_since for row in held if row.live_since), default=None)
    return list_set((live_source(row) for row in held if row.enabled), since=since)


def set_of(versions: Mapping[str, int]) -> ListSet:
    """Return the set of these versions, live or not; an unknown source is left out."""
    rows = Source.objects.filter(slug__in=versions).order_by("slug")
    return list_set(live_source(row, versions[row.slug]) for row in rows.select_related("live"))


def list_set(sources: Iterable[LiveSource], *, since: datetime | None = None) -> ListSet:
    """Return sources as a set with its id."""
    found = tuple(sources)
    return ListSet(digest([[s.slug, s.topic, s.sequence] for s in found])[:32], found, since)


def state(*, lists: ListSet, topic: Screened, now: datetime) -> Freshness:
    """Judge one topic of a set: absent, stale (its oldest official check too long ago) or fresh."""
    found = presence(lists, topic)
    for source in lists.of(topic):
        limit = source.max_age()
        if limit and (source.checked_at is None or now - source.checked_at > limit):
            hours = int(limit.total_seconds() // 3600)
            detail = f"The list {source.slug} was last checked more than {hours} hours ago."
            return replace(found, state="stale", detail=detail)
    return found


def presence(lists: ListSet, topic: Screened) -> Freshness:
    """Return whether a set covers a topic at all, whatever its age."""
    sources = lists.of(topic)
    if not sources:
        return Freshness(topic, "absent", sample=False, detail=f"No {topic} list is loaded.")
    sample = any(source.kind == Kind.SAMPLE for source in sources)
    oldest = min((s.checked_at for s in sources if s.checked_at), default=None)
    return Freshness(topic, "fresh", sample, oldest)


def live_source(row: Source, sequence: int | None = None) -> LiveSource:
    """Return a source at its live version, or at the one given."""
    live = row.live.sequence if row.live else 0
    return LiveSource(
        pk=row.pk,
        slug=row.slug,
        title=row.title,
        topic=row.topic,
        kind=row.kind,
        sequence=live if sequence is None else sequence,
        checked_at=row.last_checked_at,
        max_age_hours=row.max_age_hours,
    )
