"""Plan and run lookups of entities: a job queries the sources, never while a caller waits."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.module_loading import import_string

from apps.insight.esg import evidence_figures
from apps.insight.esg.models import EsgLookup
from apps.insight.esg.sources import Source, SourceQuery, list_configured_sources
from apps.platform.jobs import job_queue
from apps.platform.upstreams.http import UpstreamError
from apps.reference.lei.services import lookups

logger = logging.getLogger(__name__)
# sources publish once a year
LOOKUP_LIFETIME = timedelta(days=30)
# at the request of a caller
REFRESH_INTERVAL = timedelta(days=1)
JOB = "esg.look_up"
NO_NAME_FAULT = "not queried: neither GLEIF nor the register has a name for this LEI"


def plan_entity_lookup(*, lei: str, name: str, country: str, again: bool, now: datetime) -> str:
    """Queue a lookup unless there is a recent one; returns QUEUED, DONE or NOT_SET_UP.

    `name` is the legal name that GLEIF or our register has for the LEI, empty if neither has one.
    Part of the caller's transaction: row and job exist together, or not at all.
    """
    if not list_configured_sources(of="entity"):
        return "NOT_SET_UP"
    row = EsgLookup.objects.filter(lei=lei).first()
    # still waiting or running
    if row is not None and row.done_at is None:
        return "QUEUED"
    # a lookup without a name skipped the sources that search by name: once there is one, it is not
    # recent enough
    named = row is not None and bool(row.name or not name)
    if (
        row is not None
        and named
        and row.asked_at > now - (REFRESH_INTERVAL if again else LOOKUP_LIFETIME)
    ):
        return "DONE"
    EsgLookup.objects.update_or_create(
        lei=lei,
        defaults={"name": name, "country": country, "asked_at": now, "done_at": None},
    )
    job_queue.enqueue_job(job=JOB, key=lei, now=now)
    return "QUEUED"


def look_up_entity(key: str, now: datetime) -> None:
    """Query every configured source about an entity (`key` is its LEI); idempotent.

    Figures of one source are kept if another fails; the failure is noted in the row.
    """
    row = EsgLookup.objects.filter(lei=key).first()
    if row is None:
        return
    name, country = _resolve_registry_name(row, now)
    source_query = SourceQuery(row.lei, name, country, now.date())
    count, faults = 0, {}
    for source in list_configured_sources(of="entity"):
        if source.by == "name" and not name:
            faults[source.slug] = NO_NAME_FAULT
            continue
        new, fault = _record_source_figures(source, source_query, now)
        count += new
        if fault:
            faults[source.slug] = fault
    # compare-and-set on the time of the request: one queued meanwhile must stay open for its own
    # job
    EsgLookup.objects.filter(lei=key, asked_at=row.asked_at).update(
        name=name, country=country, done_at=now, found=count, faults=faults
    )


def _resolve_registry_name(row: EsgLookup, now: datetime) -> tuple[str, str]:
    """Return the legal name and country to query registers with; may query GLEIF."""
    if row.name:
        return row.name, row.country
    record = lookups.look_up_lei(lei=row.lei, now=now, used=False).record
    if record is None:
        return "", row.country
    return record.entity.legal_name, record.entity.country or row.country


def refresh_country_figures(key: str, now: datetime) -> None:
    """Fetch the references of all countries; a source that fails leaves the last ones."""
    failures: list[str] = []
    for source in list_configured_sources(of="country"):
        _, fault = _record_source_figures(source, SourceQuery("", "", "", now.date()), now)
        if fault:
            failures.append(f"{source.slug}: {fault}")
    if failures:
        raise UpstreamError("; ".join(failures))


def _record_source_figures(
    source: Source, source_query: SourceQuery, now: datetime
) -> tuple[int, str]:
    """Return the number of new figures, and a sentence on a failure of the source or its format."""
    try:
        figures = list(import_string(source.fetch)(url=source.url, asked=source_query))
        # per source: the figures of one are stored whole or not at all, whatever the others give
        with transaction.atomic():
            return evidence_figures.record_figures(figures=figures, now=now), ""
    except (UpstreamError, ValueError) as error:
        logger.warning(
            "%s returned nothing for %s: %s", source.slug, source_query.lei or "countries", error
        )
        return 0, f"{type(error).__name__}: {error}"[:300]
