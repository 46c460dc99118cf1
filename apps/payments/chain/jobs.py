"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.chain.notifications import notify_order_status
from apps.payments.chain.tasks import enqueue_chain_watches, watch_chain
from apps.platform.jobs.registry import HOUR, MINUTE, JobSpec

JOBS = {
    "chain.watch": JobSpec(
        handler=watch_chain,
        title="Read a chain for expected transfers",
        upstream=True,
        lease=5 * MINUTE,
        retries=(MINUTE, MINUTE, 5 * MINUTE),
    ),
    "chain.sweep": JobSpec(
        handler=enqueue_chain_watches,
        title="Resume reading chains with expected transfers",
        every=MINUTE,
        retries=(),
        stops="A chain whose reading was interrupted is not read again until the next order.",
        vital=True,
    ),
    "chain.tell": JobSpec(
        handler=notify_order_status,
        title="Report the status of expected transfers",
        retries=(MINUTE, 5 * MINUTE, HOUR),
    ),
}
