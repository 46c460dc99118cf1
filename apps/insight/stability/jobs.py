"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.insight.stability.fees.services.quotes import delete_old_quotes
from apps.insight.stability.oracle.services.model_notes import record_model_note
from apps.insight.stability.oracle.services.oracle_runs import run_oracle
from apps.insight.stability.oracle.services.outcomes import resolve_due_days
from apps.platform.jobs.registry import DAY, HOUR, MINUTE, JobSpec

JOBS = {
    "stability.run": JobSpec(
        handler=run_oracle,
        title="Run the stability oracle",
        lease=5 * MINUTE,
        every=10 * MINUTE,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The oracle does not run: after half an hour it gives no answers.",
        vital=True,
    ),
    "stability.narrate": JobSpec(
        handler=record_model_note,
        title="Have a language model comment on an oracle run",
        upstream=True,
        lease=2 * MINUTE,
        retries=(),
    ),
    "stability.resolve": JobSpec(
        handler=resolve_due_days,
        title="Record how the weeks after oracle runs turned out",
        every=DAY,
        stops="The oracle's tier weights do not adapt.",
    ),
    "stability.tidy": JobSpec(
        handler=delete_old_quotes,
        title="Remove quotes that are no longer used",
        every=HOUR,
        retries=(),
        stops="Expired quotes are kept, and the database grows.",
    ),
}
