"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.access.keys.usage_integrity import record_usage
from apps.platform.jobs.registry import HOUR, JobSpec

JOBS = {
    "access.record_usage": JobSpec(
        handler=record_usage,
        title="Record how many calls were counted",
        every=HOUR,
        stops="Counts of billed calls are not recorded: removed calls could not be detected.",
    ),
}
