"""Background jobs: one literal table of what may run, how long, and how often.

A handler takes `(key, now)`, does one thing and may be run twice. `every` makes a job
periodic; its rhythm is then the operator's, in the admin.
"""

from dataclasses import dataclass
from datetime import timedelta

# the lane of jobs that go out: the name of its cluster (config/settings.py, Q_CLUSTER)
OUTBOUND = "outbound"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BACKOFF = (5 * MINUTE, 30 * MINUTE, 2 * HOUR)


@dataclass(frozen=True, kw_only=True)
class Work:
    """One kind of job.

    `lease` bounds a run: one that takes longer is ended and counts as failed, and when the
    runner died another takes over. A failed run comes again after each of `retries`.
    `upstream` says that it goes out to others' servers: it then has workers of its own, and a
    periodic one is off in a sandbox until switched on.
    """

    handler: str
    title: str
    lease: timedelta = 10 * MINUTE
    retries: tuple[timedelta, ...] = BACKOFF
    every: timedelta | None = None
    first: timedelta = MINUTE
    upstream: bool = False


JOBS: dict[str, Work] = {
    "core.seal": Work(
        handler="apps.core.housekeeping.seal",
        title="Chain new ledger records",
        every=MINUTE,
        retries=(),
    ),
    "core.tidy": Work(
        handler="apps.core.housekeeping.tidy",
        title="Remove expired idempotent answers and old jobs",
        every=HOUR,
        retries=(),
    ),
    "core.export_heads": Work(
        handler="apps.core.housekeeping.export_heads",
        title="Write the signed heads of all ledgers",
        every=HOUR,
    ),
    "core.verify": Work(
        handler="apps.core.housekeeping.verify",
        title="Verify all ledgers",
        lease=2 * HOUR,
        every=DAY,
        first=HOUR,
        retries=(),
    ),
    "watchlists.refresh": Work(
        handler="apps.watchlists.jobs.refresh_lists",
        title="Refresh the official lists",
        upstream=True,
        lease=HOUR,
        every=6 * HOUR,
    ),
    "lei.complete_chain": Work(
        handler="apps.lei.jobs.complete_chain",
        title="Ask GLEIF for the owners of an entity",
        upstream=True,
    ),
    "lei.refresh_in_use": Work(
        handler="apps.lei.jobs.refresh_in_use",
        title="Ask GLEIF again for the LEIs in use",
        upstream=True,
        lease=2 * HOUR,
        every=DAY,
    ),
    "signals.refresh_rates": Work(
        handler="apps.signals.jobs.refresh_rates",
        title="Fetch euro reference rates",
        upstream=True,
        every=6 * HOUR,
    ),
    "screening.tidy": Work(
        handler="apps.screening.models.reports.tidy",
        title="Remove ownership and PEP reports that have expired",
        every=HOUR,
        retries=(),
    ),
    "review.escalate_overdue": Work(
        handler="apps.review.jobs.escalate_overdue",
        title="Escalate cases that are past due",
        every=5 * MINUTE,
        retries=(),
    ),
    "oversight.sample": Work(
        handler="apps.oversight.jobs.sample", title="Sample last month's closed cases", every=DAY
    ),
}
