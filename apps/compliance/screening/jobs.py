"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.compliance.screening.models.reports import delete_expired_reports
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
        title="Hold known parties against what changed on a list",
        lease=2 * HOUR,
        every=HOUR,
        stops="Known parties are held against a change of a list only as it goes live: one that "
        "was missed stays so.",
    ),
    "ongoing.file_parties": JobSpec(
        handler=refresh_party_index,
        title="File known parties, so that a change is held against them quickly",
        lease=2 * HOUR,
        every=6 * HOUR,
        retries=(),
        stops="Known parties are filed only as a list changes: that run then takes longer.",
    ),
}
