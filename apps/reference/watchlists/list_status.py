"""How the lists stand, for who keeps them running: what is wrong in red, each list with its age."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse

from apps.platform.desk import time_formats
from apps.platform.desk.home import Panel
from apps.platform.jobs.models import Periodic
from apps.reference.watchlists.catalog import policy_as_created
from apps.reference.watchlists.choices import REFRESH
from apps.reference.watchlists.list_sets import build_live_source, required_slugs
from apps.reference.watchlists.models import Source, SourceChange, SourceKind

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Field = SourceChange.Field
MOVED_LATELY = timedelta(days=7)
SHOWN = 50


@dataclass(frozen=True, slots=True)
class ListAlarm:
    """Something wrong with a list, while it lasts: in words, who did it, since when.

    `unscreened`: what is on the list is not screened, or may not be; officers are told of that.
    """

    source: Source
    words: str
    who: str = ""
    since: datetime | None = None
    address: str = ""
    unscreened: bool = False

    @property
    def ago(self) -> str:
        """Since when, as people say it."""
        return time_formats.format_moment(self.since) if self.since else ""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One list: its age against the limit, how its last refresh went, when the next is."""

    source: Source
    tone: str
    words: str
    age: str
    limit: str
    parties: int
    names: int | None
    outcome: str
    next: str


@dataclass(frozen=True, slots=True)
class ListsSummary:
    """The lists as Today shows them; `more` counts those that are left out."""

    alarms: list[ListAlarm]
    rows: list[SourceRow]
    more: int


def build_lists_panel(user: "User", now: datetime) -> Panel | None:
    """Return the lists for the home page: whole for who may see sources, else what is wrong.

    Whoever decides cases must know what their screens were not held against.
    """
    if user.has_perm("watchlists.view_source"):
        return Panel("watchlists/standing.html", summarize_lists(now))
    if not user.has_perm("review.view_case"):
        return None
    wrong = [alarm for alarm in find_alarms(_load_sources(), now) if alarm.unscreened]
    return Panel("watchlists/alarms.html", ListsSummary(wrong, [], 0)) if wrong else None


def summarize_lists(now: datetime) -> ListsSummary:
    """Return all that Today says of lists, in three queries."""
    sources = _load_sources()
    schedule = Periodic.objects.filter(pk=REFRESH).first()
    rows = [build_source_row(source, schedule, now) for source in sources]
    return ListsSummary(find_alarms(sources, now), rows[:SHOWN], max(0, len(rows) - SHOWN))


def _load_sources() -> list[Source]:
    sources = Source.objects.select_related("live").order_by("slug")
    return [
        source
        for source in sources
        if not (settings.PRODUCTION and source.kind == SourceKind.SAMPLE)
    ]


def describe_source_status(source: Source, moment: datetime) -> tuple[str, str]:
    """Return the tone and the words of how a list stands; a failed refresh says so first."""
    if not source.enabled:
        return "info", "Switched off"
    if source.last_error:
        return "bad", "Last refresh failed"
    if source.live is None:
        return "warn", "Nothing loaded"
    if build_live_source(source).why_not(moment):
        return "bad", "Too old"
    return ("warn", "Held in part") if source.live.partial else ("ok", "Current")


def build_source_row(source: Source, schedule: Periodic | None, now: datetime) -> SourceRow:
    """Return a list in words."""
    live, judged = source.live, build_live_source(source)
    known, limit = judged.known_at() if live else None, judged.max_age()
    counts = live.counts if live and isinstance(live.counts, dict) else {}
    tone, words = describe_source_status(source, now)
    return SourceRow(
        source=source,
        tone=tone,
        words=words,
        age=time_formats.format_span(int((now - known).total_seconds())) if known else "not known",
        limit=f"of at most {int(limit.total_seconds() // 3600):,} hours" if limit else "no limit",
        parties=live.total if live else 0,
        names=counts.get("names"),
        outcome=_describe_outcome(source, now),
        next=describe_next_refresh(source, schedule, now),
    )


def _describe_outcome(source: Source, now: datetime) -> str:
    if source.last_error:
        return f"failed: {source.last_error}"
    if source.last_checked_at is None:
        return "never refreshed"
    ago = time_formats.format_time_until(source.last_checked_at, now)
    return f"went well {'just now' if ago == 'now' else ago}"


def describe_next_refresh(source: Source, schedule: Periodic | None, now: datetime) -> str:
    """Return when a list is refreshed next, in words, or why it is not."""
    if not source.urls:
        return "by hand: it has no address"
    if not source.enabled:
        return "not while it is off"
    if schedule is None or not schedule.enabled:
        return "off: nothing refreshes"
    return time_formats.format_time_until(schedule.next_at, now)


# --- what is wrong ------------------------------------------------------------------------


def find_alarms(sources: list[Source], now: datetime) -> list[ListAlarm]:
    """Return what is wrong with these lists, each as long as it lasts; one query.

    What a sandbox begins with is not wrong: samples, and official lists that were never loaded.
    """
    approved = SourceChange.objects.filter(
        state=SourceChange.State.APPROVED,
        field__in=(Field.ENABLED, Field.URLS),
        source__in=[one.pk for one in sources],
    ).select_related("proposed_by", "decided_by")
    latest: dict[tuple[int, str], SourceChange] = {}
    for change in approved.order_by("decided_at", "pk"):
        latest[change.source_id, change.field] = change
    found = []
    real = any(one.enabled and one.live and one.kind != SourceKind.SAMPLE for one in sources)
    for source in sources:
        if real and source.kind == SourceKind.SAMPLE:
            continue  # nobody misses a sample where real lists are screened
        switched = latest.get((source.pk, Field.ENABLED))
        moved = latest.get((source.pk, Field.URLS))
        found += [
            one
            for one in (_alarm_if_off(source, switched), _alarm_if_moved(source, moved, now))
            if one
        ]
        found += _iter_failure_alarms(source, now)
    return found


def _alarm_if_off(source: Source, change: SourceChange | None) -> ListAlarm | None:
    """Return that a list is off which was on, or which production should have."""
    if source.enabled:
        return None
    decided = change if change is not None and change.after is False else None
    begins_on = policy_as_created(source.slug).get("enabled", True)
    wanted = source.required or source.slug in required_slugs()
    was_on = begins_on and (settings.PRODUCTION or source.live is not None)
    if not (decided or wanted or was_on):
        return None
    total = source.live.total if source.live else 0
    lost = f": {total:,} listed parties are not screened" if total else ": nobody on it is screened"
    words = f"{source.title} is switched off{lost}."
    if decided is None:
        nobody = "Nobody is recorded to have decided so."
        return ListAlarm(source, words, nobody, source.live_since, unscreened=True)
    return replace(_alarm_of_change(source, words, decided), unscreened=True)


def _alarm_if_moved(source: Source, change: SourceChange | None, now: datetime) -> ListAlarm | None:
    """Return that a list comes from elsewhere since a few days."""
    if change is None or change.decided_at is None or now - change.decided_at > MOVED_LATELY:
        return None
    return _alarm_of_change(source, f"{source.title} is downloaded from another address.", change)


def _alarm_of_change(source: Source, words: str, change: SourceChange) -> ListAlarm:
    who = f"Asked by {change.proposed_by.get_username()}, approved by "
    who += change.decided_by.get_username() if change.decided_by else "nobody"
    address = reverse("admin:watchlists_sourcechange_change", args=[change.pk])
    return ListAlarm(source, words, f"{who}: {change.reason}", change.decided_at, address)


def _iter_failure_alarms(source: Source, now: datetime) -> Iterator[ListAlarm]:
    """Yield that a list which is on could not be refreshed, is too old, or was never loaded."""
    if not source.enabled:
        return
    if source.last_error:
        words = f"{source.title} could not be refreshed: {source.last_error}"
        yield ListAlarm(source, words, "", source.last_checked_at)
    if source.live is None:
        if settings.PRODUCTION:
            words = f"{source.title} is switched on and not loaded."
            yield ListAlarm(source, words, unscreened=True)
        return
    judged = build_live_source(source)
    if why := judged.why_not(now):
        words = f"{source.title} is too old. {why}"
        yield ListAlarm(source, words, "", judged.known_at(), unscreened=True)
