"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.insight.stability.fees.services.quotes import delete_old_quotes
from apps.insight.stability.oracle.services.model_notes import record_run_note
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
        stops="The oracle does not run: half an hour later it has no answer any more.",
        vital=True,
    ),
    "stability.narrate": JobSpec(
        handler=record_run_note,
        title="Ask a language model to comment on a run of the oracle",
        upstream=True,
        lease=2 * MINUTE,
        retries=(),
    ),
    "stability.resolve": JobSpec(
        handler=resolve_due_days,
        title="Resolve how the weeks after runs of the oracle turned out",
        every=DAY,
        stops="Nothing is learnt about the weights of the oracle's tiers.",
    ),
    "stability.tidy": JobSpec(
        handler=delete_old_quotes,
        title="Remove quotes that are no longer used",
        every=HOUR,
        retries=(),
        stops="Quotes that have expired stay, and the database grows.",
    ),
}
