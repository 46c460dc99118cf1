"""Find due runs: the changes of each list since the parties were screened against it."""

from collections.abc import Iterator
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rescreening.list_changes import count_changes
from apps.reference.watchlists.models import ListRecord, Party, Source, SourceTopic

SCREENED = (SourceTopic.SANCTION, SourceTopic.PEP, SourceTopic.MIXED)


def list_screened_sources() -> QuerySet[Source]:
    """Return the lists that are screened against and loaded."""
    return Source.objects.filter(enabled=True, topic__in=SCREENED).exclude(live=None)


def find_unfinished_run(source: Source) -> Rescreen | None:
    """Return the run of a list that is not done, if there is one."""
    runs = Rescreen.objects.filter(source=source).exclude(stage=Stage.DONE)
    return runs.select_related("source", "source__live").first()


def last_screened_version(source: Source) -> int:
    """Return the version up to which parties were screened against a list; 0 if never."""
    last = Rescreen.objects.filter(source=source).order_by("-pk").first()
    if last is None:
        return 0
    records = ListRecord.objects.filter(slug=source.slug, recorded_at__gte=last.planned_at)
    # parties that were screened while the list was off were not screened against it at all
    was_off = any(record.data.get("enabled") is False for record in records)
    return 0 if was_off else last.through


def find_due_lists(slug: str = "") -> Iterator[tuple[Source, int]]:
    """Yield the due lists (all, or the one of a short name) with the version screened before."""
    for source in (
        list_screened_sources().filter(**({"slug": slug} if slug else {})).select_related("live")
    ):
        begins = last_screened_version(source)
        if source.live and source.live.sequence != begins:
            yield source, begins


def plan_run(*, source: Source, begins: int, now: datetime) -> Rescreen | None:
    """Begin a run up to the live version; None where another was begun just now."""
    through = source.live.sequence if source.live else 0
    entries, removed = count_changes(source=source, since=begins, through=through)
    try:
        with transaction.atomic():
            return Rescreen.objects.create(
                source=source,
                since=begins,
                through=through,
                planned_at=now,
                entries=entries,
                removed=removed,
                parties=Party.objects.count(),
            )
    # the constraint `rescreen_one_at_a_time` decides between two processes that plan at once
    except IntegrityError:
        return None
