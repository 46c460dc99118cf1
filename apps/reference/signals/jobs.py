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
        stops="Exchange rates are not fetched: amounts are valued at older rates.",
    ),
    "signals.refresh": JobSpec(
        handler=refresh_due_feeds,
        title="Fetch the data files that are due",
        upstream=True,
        lease=HOUR,
        every=10 * MINUTE,
        stops="Figures are not fetched: scores use older ones, and finally none.",
    ),
    "signals.fetch": JobSpec(
        handler=fetch_one_feed,
        title="Fetch one data file",
        upstream=True,
    ),
    "signals.tidy": JobSpec(
        handler=remove_unused_files,
        title="Remove data files that no figure rests on",
        every=DAY,
        stops="Unused data files stay, and the database grows.",
    ),
}
