"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.access.paywall.tasks import reconcile_payment, sweep_payments
from apps.platform.jobs.registry import MINUTE, JobSpec

JOBS = {
    "paywall.reconcile": JobSpec(
        handler=reconcile_payment,
        title="Query the outcome of a payment",
        upstream=True,
        lease=2 * MINUTE,
    ),
    "paywall.sweep": JobSpec(
        handler=sweep_payments,
        title="Resolve interrupted payments, expired sessions and old answers",
        every=MINUTE,
        retries=(),
        stops="Interrupted payments stay open, and expired sessions are not closed.",
        vital=True,
    ),
}
