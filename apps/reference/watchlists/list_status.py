"""The status of the lists for their operators: problems in red, each list with its age."""

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
from apps.reference.watchlists.live_list_sets import build_live_source, required_slugs
from apps.reference.watchlists.models import Source, SourceChange, SourceKind

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Field = SourceChange.Field
MOVED_LATELY = timedelta(days=7)
SHOWN = 50


@dataclass(frozen=True, slots=True)
class ListAlarm:
    """A problem of a list while it lasts: in words, who caused it, since when.

    `unscreened`: the list is not screened, or may not be; officers are notified of that.
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
    """Return the lists for the home page: all for users who may see sources, else the problems.

    Officers who decide cases must know which lists their screens left out.
    """
    if user.has_perm("watchlists.view_source"):
        return Panel("watchlists/standing.html", summarize_lists(now))
    if not user.has_perm("review.view_case"):
        return None
    wrong = [alarm for alarm in find_alarms(_load_sources(), now) if alarm.unscreened]
    return Panel("watchlists/alarms.html", ListsSummary(wrong, [], 0)) if wrong else None


def summarize_lists(now: datetime) -> ListsSummary:
    """Return the home page's summary of the lists, in three queries."""
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
    """Return the tone and the description of a list's status; a failed refresh comes first."""
    if not source.enabled:
        return "info", "Switched off"
    if source.last_error:
        return "bad", "Last refresh failed"
    if source.live is None:
        return "warn", "Nothing loaded"
    if build_live_source(source).why_not(moment):
        return "bad", "Too old"
    return ("warn", "Incomplete") if source.live.partial else ("ok", "Current")


def build_source_row(source: Source, schedule: Periodic | None, now: datetime) -> SourceRow:
    """Return the row of a list."""
    live, judged = source.live, build_live_source(source)
    known, limit = judged.known_at() if live else None, judged.max_age()
    counts = live.counts if live and isinstance(live.counts, dict) else {}
    tone, words = describe_source_status(source, now)
    if source.last_error:
        outcome = f"failed: {source.last_error}"
    elif source.last_checked_at is None:
        outcome = "never refreshed"
    else:
        ago = time_formats.format_time_until(source.last_checked_at, now)
        outcome = f"succeeded {'just now' if ago == 'now' else ago}"
    return SourceRow(
        source=source,
        tone=tone,
        words=words,
        age=time_formats.format_span(int((now - known).total_seconds())) if known else "not known",
        limit=f"of at most {int(limit.total_seconds() // 3600):,} hours" if limit else "no limit",
        parties=live.total if live else 0,
        names=counts.get("names"),
        outcome=outcome,
        next=describe_next_refresh(source, schedule, now),
    )


def describe_next_refresh(source: Source, schedule: Periodic | None, now: datetime) -> str:
    """Return in words when a list is refreshed next, or why it is not."""
    if not source.urls:
        return "manual: it has no address"
    if not source.enabled:
        return "none while it is off"
    if schedule is None or not schedule.enabled:
        return "none: scheduled refreshes are off"
    return time_formats.format_time_until(schedule.next_at, now)


# --- what is wrong ------------------------------------------------------------------------


def find_alarms(sources: list[Source], now: datetime) -> list[ListAlarm]:
    """Return the current problems of these lists; one query.

    Not a problem is what a sandbox starts with: samples, and official lists never loaded.
    """
    approved = SourceChange.objects.filter(
        state=SourceChange.State.APPROVED,
        field__in=(Field.ENABLED, Field.URLS),
        source__in=[listed_source.pk for listed_source in sources],
    ).select_related("proposed_by", "decided_by")
    latest: dict[tuple[int, str], SourceChange] = {}
    for change in approved.order_by("decided_at", "pk"):
        latest[change.source_id, change.field] = change
    list_alarms = []
    real = any(
        listed_source.enabled and listed_source.live and listed_source.kind != SourceKind.SAMPLE
        for listed_source in sources
    )
    for source in sources:
        if real and source.kind == SourceKind.SAMPLE:
            continue  # a sample is not missed where real lists are screened
        switched = latest.get((source.pk, Field.ENABLED))
        moved = latest.get((source.pk, Field.URLS))
        if moved is None or moved.decided_at is None or now - moved.decided_at > MOVED_LATELY:
            moved_alarm = None
        else:
            moved_alarm = _alarm_of_change(
                source, f"{source.title} is downloaded from a new address.", moved
            )
        list_alarms += [alarm for alarm in (_alarm_if_off(source, switched), moved_alarm) if alarm]
        list_alarms += _iter_failure_alarms(source, now)
    return list_alarms


def _alarm_if_off(source: Source, change: SourceChange | None) -> ListAlarm | None:
    """Return the alarm of a disabled list that was enabled before or that production requires."""
    if source.enabled:
        return None
    decided = change if change is not None and change.after is False else None
    begins_on = policy_as_created(source.slug).get("enabled", True)
    is_required = source.required or source.slug in required_slugs()
    was_on = begins_on and (settings.PRODUCTION or source.live is not None)
    if not (decided or is_required or was_on):
        return None
    total = source.live.total if source.live else 0
    lost = f": {total:,} listed parties are not screened" if total else ": it is not screened"
    words = f"{source.title} is switched off{lost}."
    if decided is None:
        nobody = "There is no record of who decided this."
        return ListAlarm(source, words, nobody, source.live_since, unscreened=True)
    return replace(_alarm_of_change(source, words, decided), unscreened=True)


def _alarm_of_change(source: Source, words: str, change: SourceChange) -> ListAlarm:
    who = f"Proposed by {change.proposed_by.get_username()}, approved by "
    who += change.decided_by.get_username() if change.decided_by else "nobody"
    address = reverse("admin:watchlists_sourcechange_change", args=[change.pk])
    return ListAlarm(source, words, f"{who}: {change.reason}", change.decided_at, address)


def _iter_failure_alarms(source: Source, now: datetime) -> Iterator[ListAlarm]:
    """Yield alarms for an enabled list that failed to refresh, is too old or was never loaded."""
    if not source.enabled:
        return
    if source.last_error:
        words = f"{source.title} could not be refreshed: {source.last_error}"
        yield ListAlarm(source, words, "", source.last_checked_at)
    if source.live is None:
        if settings.PRODUCTION:
            words = f"{source.title} is switched on but not loaded."
            yield ListAlarm(source, words, unscreened=True)
        return
    judged = build_live_source(source)
    if why := judged.why_not(now):
        words = f"{source.title} is too old. {why}"
        yield ListAlarm(source, words, "", judged.known_at(), unscreened=True)
