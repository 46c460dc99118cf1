"""Halts settlement while the stability oracle says so (document 3 section 2.3, `status`)."""

from datetime import datetime, timedelta
from typing import Any

from apps.insight.stability.oracle.selectors import latest_run
from apps.insight.stability.oracle.selectors.latest_run import OracleStale, OracleUnavailable
from apps.payments.payments.models import Payment
from apps.platform.jobs import job_queue

# the oracle runs every ten minutes
RETRY_AFTER = timedelta(minutes=2)
HALT_REASON = "Settlement is halted: the stability oracle is UNSTABLE ({code}: {when})."


def require_stable_oracle(payment: Payment, *, now: datetime) -> dict[str, Any]:
    """Return the oracle's status, as stored with the price of a payment.

    Raises RetryLater while it is UNSTABLE: the payment waits, and the attempt is not counted. If
    the oracle gives no answer, nothing is halted: `status` is then NOT_KNOWN.
    """
    try:
        last = latest_run.load_latest_run(now)
    except (OracleUnavailable, OracleStale):
        return {"status": "NOT_KNOWN"}
    row = last.decided(now)
    if row.status != "UNSTABLE":
        return {"status": row.status, "rule": row.code, "slot": last.run.slot}
    again = now + RETRY_AFTER
    # `tries` stays: a halt is no failed attempt, however long it lasts
    same = Payment.objects.filter(pk=payment.pk, steps=payment.steps)
    same.update(due_at=again, trouble=HALT_REASON.format(code=row.code, when=row.when))
    raise job_queue.RetryLater(again)
