"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.compliance.screening.models.cached_reports import delete_expired_reports
from apps.compliance.screening.tasks import refresh_party_index, rescreen_parties
from apps.platform.jobs.registry import HOUR, JobSpec

JOBS = {
    "screening.tidy": JobSpec(
        handler=delete_expired_reports,
        title="Remove ownership and PEP reports that have expired",
        every=HOUR,
        retries=(),
        stops="Reports that have expired stay in the database.",
    ),
    "ongoing.rescreen": JobSpec(
        handler=rescreen_parties,
        title="Screen known parties against changes of a list",
        lease=2 * HOUR,
        every=HOUR,
        stops="Known parties are screened against a list change only when it goes live: a missed "
        "change is not made up for.",
    ),
    "ongoing.file_parties": JobSpec(
        handler=refresh_party_index,
        title="Index known parties, so that list changes are screened against them quickly",
        lease=2 * HOUR,
        every=6 * HOUR,
        retries=(),
        stops="Known parties are filed only as a list changes: that run then takes longer.",
    ),
}
