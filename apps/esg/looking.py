"""Plans and runs lookups of entities: sources are asked by a job, never while a caller waits."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.module_loading import import_string

from apps.core import jobs
from apps.esg import evidence
from apps.esg.models import EsgLookup
from apps.esg.sources import Asked, Source, configured
from apps.lei import lookups
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
LASTS = timedelta(days=30)  # sources publish once a year
AGAIN = timedelta(days=1)  # at a caller's wish
JOB = "esg.look_up"
UNNAMED = "not asked: neither GLEIF nor the register has a name for this LEI"


def plan(*, lei: str, name: str, country: str, again: bool, now: datetime) -> str:
    """Queue a lookup where none is young enough; returns QUEUED, DONE or NOT_SET_UP.

    `name` is the legal name that GLEIF or our register has for the LEI; empty where neither does,
    since a figure that came under a name that somebody told would be another's. Once there is one,
    the sources are asked again. Part of the caller's transaction: row and job exist together, or
    not at all.
    """
    if not configured(of="entity"):
        return "NOT_SET_UP"
    row = EsgLookup.objects.filter(lei=lei).first()
    if row is not None and row.done_at is None:
        return "QUEUED"
    named = row is not None and bool(row.name or not name)
    if row is not None and named and row.asked_at > now - (AGAIN if again else LASTS):
        return "DONE"
    EsgLookup.objects.update_or_create(
        lei=lei,
        defaults={"name": name, "country": country, "asked_at": now, "done_at": None},
    )
    jobs.enqueue(job=JOB, key=lei, now=now)
    return "QUEUED"


def look_up(key: str, now: datetime) -> None:
    """Ask every source that is set up about an entity (`key` is its LEI); again is harmless.

    What one source gives is kept whatever the others do; that one failed is noted in its row.
    """
    row = EsgLookup.objects.filter(lei=key).first()
    if row is None:
        return
    name, country = _named(row, now)
    asked = Asked(row.lei, name, country, now.date())
    found, faults = 0, {}
    for source in configured(of="entity"):
        if source.by == "name" and not name:
            faults[source.slug] = UNNAMED
            continue
        new, fault = _ask(source, asked, now)
        found += new
        if fault:
            faults[source.slug] = fault
    EsgLookup.objects.filter(lei=key, asked_at=row.asked_at).update(
        name=name, country=country, done_at=now, found=found, faults=faults
    )


def _named(row: EsgLookup, now: datetime) -> tuple[str, str]:
    """Return under which legal name and country registers are asked; GLEIF may be asked for it."""
    if row.name:
        return row.name, row.country
    held = lookups.lookup(lei=row.lei, now=now, used=False).record
    if held is None:
        return "", row.country
    return held.entity.legal_name, held.entity.country or row.country


def refresh_countries(key: str, now: datetime) -> None:
    """Fetch the references of all countries; a source that fails leaves the last ones."""
    failures: list[str] = []
    for source in configured(of="country"):
        _, fault = _ask(source, Asked("", "", "", now.date()), now)
        if fault:
            failures.append(f"{source.slug}: {fault}")
    if failures:
        raise UpstreamError("; ".join(failures))


def _ask(source: Source, asked: Asked, now: datetime) -> tuple[int, str]:
    """Return how many figures are new, and why there are none; never raises."""
    try:
        figures = list(import_string(source.fetch)(url=source.url, asked=asked))
        with transaction.atomic():
            return evidence.record(figures=figures, now=now), ""
    except (UpstreamError, ValueError) as error:
        logger.warning("%s gave nothing of %s: %s", source.slug, asked.lei or "countries", error)
        return 0, f"{type(error).__name__}: {error}"[:300]
