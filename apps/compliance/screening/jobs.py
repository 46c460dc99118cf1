"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.compliance.screening.models.cached_reports import delete_expired_reports
from apps.compliance.screening.tasks import refresh_party_index, rescreen_parties
from apps.platform.jobs.registry import HOUR, JobSpec

JOBS = {
    "screening.tidy": JobSpec(
        handler=delete_expired_reports,
        title="Remove expired ownership and PEP reports",
        every=HOUR,
        retries=(),
        stops="Expired reports stay in the database.",
    ),
    # the names of jobs are keys of stored rows: they keep the name of the app that had them first
    "ongoing.rescreen": JobSpec(
        handler=rescreen_parties,
        title="Screen known parties against list changes",
        lease=2 * HOUR,
        every=HOUR,
        stops="Known parties are screened against a list change only when it goes live: missed "
        "changes are not caught up.",
    ),
    "ongoing.file_parties": JobSpec(
        handler=refresh_party_index,
        title="Index known parties for quick re-screening against list changes",
        lease=2 * HOUR,
        every=6 * HOUR,
        retries=(),
        stops="Known parties are indexed only when a list changes: that run takes longer.",
    ),
}
