"""Sets of live lists: the digest that names one, its gaps, and whether it may be used.

DESIGN.md section 4, Fail closed: if a required list is missing or not current, nothing is screened;
any other enabled list that is missing or not current makes screens flag.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings

from apps.platform.crypto.canonical import canonical_digest
from apps.reference.watchlists.catalog import is_excused_if_unloaded, is_sample_slug, resolve_slug
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.source_policy import longest_age_limit

Screened = Literal["sanction", "pep"]
State = Literal["fresh", "stale", "absent"]

COVERED: dict[str, tuple[Screened, ...]] = {
    SourceTopic.SANCTION: ("sanction",),
    SourceTopic.PEP: ("pep",),
    SourceTopic.MIXED: ("sanction", "pep"),
    SourceTopic.OTHER: (),
}


# A list of sanctions whose file is older than this is no longer renewed by its publisher
STANDING_STILL = timedelta(days=31)


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
    required: bool = False
    published_at: datetime | None = None
    by_hand: bool = False
    partial: bool = False

    @property
    def topics(self) -> tuple[Screened, ...]:
        """Return what its parties are screened for."""
        return COVERED[self.topic]

    def covers(self, topic: Screened) -> bool:
        """Return whether parties of this topic come from the source."""
        return topic in self.topics

    def max_age(self) -> timedelta | None:
        """Return how old the list may grow, None for any age.

        In production every list has a limit, and a stored one that is out of bounds does not count.
        """
        # a limit out of bounds cannot come from the form: whoever can write to the database must
        # not get more than the form gives
        hours = None if self.unheeded() else self.max_age_hours
        if hours is None:
            hours = general_age_limit(kind=self.kind, topic=self.topic)
        return timedelta(hours=hours) if hours else None

    def unheeded(self) -> str:
        """Return why the stored age limit does not count, in a sentence; empty when it does."""
        hours, oldest = self.max_age_hours, longest_age_limit(kind=self.kind, topic=self.topic)
        if not settings.PRODUCTION or hours is None or 1 <= hours <= oldest:
            return ""
        return (
            f"The age limit of the list {self.slug}, {hours} hours, is ignored: "
            f"it may be 1 to {oldest}."
        )

    def known_at(self) -> datetime | None:
        """Return the time from which its age counts; None if unknown.

        That is its publication. A version that the publisher still serves when checked counts as
        published then, unless the file is so old that the publisher itself must have stopped.
        """
        # nobody asked the publisher: an old file that is given today is as old as it says
        if self.kind == SourceKind.OFFICIAL and self.by_hand:
            return self.published_at
        if self.published_at and self.checked_at:
            still = self.checked_at - self.published_at <= STANDING_STILL
            return self.checked_at if still else self.published_at
        return self.checked_at

    def why_not(self, now: datetime) -> str:
        """Return why the list does not count as current, in a sentence; empty when it does."""
        limit, known = self.max_age(), self.known_at()
        if limit is None:
            return ""
        if known is None:
            return f"The publication date of the list {self.slug} is unknown."
        if now - known > limit:
            hours = int(limit.total_seconds() // 3600)
            return f"The list {self.slug} is of {known:%F %R} UTC: more than {hours} hours old."
        return ""


def general_age_limit(*, kind: str, topic: str) -> int:
    """Return the age limit in hours of a list without its own limit; 0 for any age."""
    if kind == SourceKind.OFFICIAL and "sanction" in COVERED[topic]:
        return int(settings.LISTS_MAX_AGE_HOURS)
    return longest_age_limit(kind=kind, topic=topic) if settings.PRODUCTION else 0


@dataclass(frozen=True, slots=True)
class MissingList:
    """A list that should be screened against and is not held: why, in a sentence."""

    slug: str
    topics: tuple[Screened, ...]
    required: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ListSet:
    """The lists that a screen is made against: the same versions always have the same id.

    `since` is when what is screened last changed: a version went live, a source on or off.
    `lacking` are the lists that are enabled or required, and not held; `unloaded` the titles of
    those that are enabled and were never loaded, also where that is no fault.
    """

    id: str
    sources: tuple[LiveSource, ...]
    since: datetime | None = None
    lacking: tuple[MissingList, ...] = ()
    unloaded: tuple[str, ...] = ()

    @property
    def versions(self) -> dict[str, int]:
        """Return the sequence of each source's version, as a screen records it."""
        return {source.slug: source.sequence for source in self.sources}

    @property
    def sample(self) -> bool:
        """Return whether any of it is bundled sample data."""
        return any(source.kind == SourceKind.SAMPLE for source in self.sources)

    def of(self, topic: Screened) -> tuple[LiveSource, ...]:
        """Return the sources that list parties of a topic."""
        return tuple(source for source in self.sources if source.covers(topic))


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether one topic of a set may be screened against, and why not.

    `lacking` gives the reason for each optional list that is missing or not current: parties that
    are screened without it are flagged.
    """

    topic: Screened
    state: State
    sample: bool
    oldest_check: datetime | None = None
    detail: str = ""
    lacking: tuple[str, ...] = ()


def load_current_set(*, instead: Source | None = None) -> ListSet:
    """Return the live set, in one query; production leaves sample sources out.

    `instead` replaces its row: the set as it would be with that source.
    """
    rows = [
        instead if instead is not None and row.pk == instead.pk else row
        # the order matters: the id of a set is a digest of its sources in a row
        for row in Source.objects.select_related("live").order_by("slug")
        if not (settings.PRODUCTION and row.kind == SourceKind.SAMPLE)
    ]
    sources = [row for row in rows if row.live is not None]
    since = max((row.live_since for row in sources if row.live_since), default=None)
    live = build_list_set((build_live_source(row) for row in sources if row.enabled), since=since)
    # apart from samples they are not missed: a sandbox starts like this, which is not a fault
    bare = [
        row for row in rows if row.enabled and row.live is None and row.kind != SourceKind.SAMPLE
    ]
    lacking = tuple(_iter_missing_lists({row.slug: row for row in rows}, live))
    return replace(live, lacking=lacking, unloaded=tuple(row.title for row in bare))


def _iter_missing_lists(rows: Mapping[str, Source], live: ListSet) -> Iterable[MissingList]:
    """Yield the lists that are enabled or required, and of which no version is live."""
    wanted_slugs = required_slugs() | {
        row.slug for row in rows.values() if row.required or row.enabled
    }
    for slug in sorted(wanted_slugs - set(live.versions)):
        row = rows.get(slug)
        must = slug in required_slugs() or (row is not None and row.required)
        # a sandbox requires the sample, which gives way to any real list of sanctions
        is_replaced_sample = (
            not settings.PRODUCTION and is_sample_slug(slug) and bool(live.of("sanction"))
        )
        if is_replaced_sample or (not must and is_excused_if_unloaded(slug)):
            continue
        # a name that the settings require and no source has: sanctions screens cannot do without it
        topics = COVERED[row.topic] if row else ("sanction",)
        word = "required" if must else "enabled"
        off = row is not None and row.live is not None
        why = "switched off" if off else "not loaded"
        yield MissingList(slug, topics, must, f"The list {slug} is {word} and {why}.")
    for part in live.sources:
        if part.partial:
            why = f"The list {part.slug} is only partly loaded: parties missing here may be on it."
            yield MissingList(part.slug, part.topics, part.required, why)


def required_slugs() -> set[str]:
    """Return the short names of the lists that the settings require."""
    return {resolve_slug(name) for name in settings.REQUIRED_SOURCES}


def load_set_of_versions(versions: Mapping[str, int]) -> ListSet:
    """Return the set of these versions, live or not; an unknown source is left out."""
    rows = Source.objects.filter(slug__in=versions).order_by("slug")
    return build_list_set(
        build_live_source(row, versions[row.slug]) for row in rows.select_related("live")
    )


def build_list_set(sources: Iterable[LiveSource], *, since: datetime | None = None) -> ListSet:
    """Return sources as a set with its id."""
    live_sources = tuple(sources)
    return ListSet(
        canonical_digest([[s.slug, s.topic, s.sequence] for s in live_sources])[:32],
        live_sources,
        since,
    )


def judge_freshness(*, lists: ListSet, topic: Screened, now: datetime) -> Freshness:
    """Judge one topic of a set: absent, stale or fresh, and what it lacks.

    It is absent or stale when a required list is, when no list of the topic is current, and stale
    for PEP as soon as one list of PEPs is too old.
    """
    topic_coverage = assess_topic_coverage(lists, topic)
    missing = [
        missing_list
        for missing_list in lists.lacking
        if _concerns_topic(missing_list.required, missing_list.topics, topic)
    ]
    if must := [missing_list.detail for missing_list in missing if missing_list.required]:
        return replace(
            topic_coverage, state="absent", detail=" ".join([topic_coverage.detail, *must]).strip()
        )
    old = [(source, why) for source in lists.sources if (why := source.why_not(now))]
    # lists that policy requires bind sanctions screens whatever they list (_concerns_topic)
    must = [
        why
        for source, why in old
        if source.required and _concerns_topic(True, source.topics, topic)
    ]
    ours = [why for source, why in old if source.covers(topic)]
    if must or (ours and (topic == "pep" or len(ours) == len(lists.of(topic)))):
        return replace(topic_coverage, state="stale", detail=" ".join(must or ours))
    return replace(
        topic_coverage, lacking=(*(missing_list.detail for missing_list in missing), *ours)
    )


def _concerns_topic(required: bool, topics: tuple[Screened, ...], topic: Screened) -> bool:
    """Return whether a topic rests on a list: sanctions screens on all that policy requires."""
    return topic in topics or (required and topic == "sanction")


def assess_topic_coverage(lists: ListSet, topic: Screened) -> Freshness:
    """Return whether a set covers a topic at all, whatever its age."""
    sources = lists.of(topic)
    if not sources:
        return Freshness(topic, "absent", sample=False, detail=f"No {topic} list is loaded.")
    sample = any(source.kind == SourceKind.SAMPLE for source in sources)
    oldest = min((s.checked_at for s in sources if s.checked_at), default=None)
    return Freshness(topic, "fresh", sample, oldest)


def build_live_source(row: Source, sequence: int | None = None) -> LiveSource:
    """Return a source at its live version, or at the one given."""
    live = row.live.sequence if row.live else 0
    served = row.live if sequence in (None, live) else None  # of another version it says nothing
    return LiveSource(
        pk=row.pk,
        slug=row.slug,
        title=row.title,
        topic=row.topic,
        kind=row.kind,
        sequence=live if sequence is None else sequence,
        checked_at=row.last_checked_at,
        max_age_hours=row.max_age_hours,
        required=row.required or row.slug in required_slugs(),
        published_at=served.published_at if served else None,
        by_hand=row.live is not None and row.live.by_hand,
        partial=row.live is not None and row.live.partial,
    )
