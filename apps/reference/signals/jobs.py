"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.platform.jobs.registry import DAY, HOUR, MINUTE, JobSpec
from apps.reference.signals.tasks import (
    fetch_one_feed,
    refresh_due_feeds,
    refresh_exchange_rates,
    remove_unused_files,
)

JOBS = {
    "signals.refresh_rates": JobSpec(
        handler=refresh_exchange_rates,
        title="Fetch euro reference rates",
        upstream=True,
        every=6 * HOUR,
        stops="No exchange rate is fetched: amounts are valued by older rates.",
    ),
    "signals.refresh": JobSpec(
        handler=refresh_due_feeds,
        title="Fetch the files of figures that are due",
        upstream=True,
        lease=HOUR,
        every=10 * MINUTE,
        stops="No figure is fetched: scores rest on older ones, and then on none.",
    ),
    "signals.fetch": JobSpec(
        handler=fetch_one_feed,
        title="Fetch one file of figures",
        upstream=True,
    ),
    "signals.tidy": JobSpec(
        handler=remove_unused_files,
        title="Remove files of figures on which nothing rests any more",
        every=DAY,
        stops="Files on which no figure rests stay, and the database grows.",
    ),
}
