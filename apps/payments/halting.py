"""Halts settlement while the stability oracle says so (document 3 section 2.3, `status`)."""

from datetime import datetime, timedelta
from typing import Any

from apps.core import jobs
from apps.payments.models import Payment
from apps.stability.oracle import standing
from apps.stability.oracle.standing import OracleStale, OracleUnavailable

AGAIN = timedelta(minutes=2)  # it runs every ten
WHY = "Settlement halts: the stability oracle is UNSTABLE ({code}: {when})."


def oracle(payment: Payment, *, now: datetime) -> dict[str, Any]:
    """Return how the oracle stands, as the price of a payment keeps it.

    Raises jobs.Again while it is UNSTABLE: the payment waits, and no try of it is counted. An
    oracle without an answer halts nothing: its `status` is then NOT_KNOWN.
    """
    try:
        last = standing.last(now)
    except (OracleUnavailable, OracleStale):
        return {"status": "NOT_KNOWN"}
    row = last.decided(now)
    if row.status != "UNSTABLE":
        return {"status": row.status, "rule": row.code, "slot": last.run.slot}
    again = now + AGAIN
    same = Payment.objects.filter(pk=payment.pk, steps=payment.steps)
    same.update(due_at=again, trouble=WHY.format(code=row.code, when=row.when))
    raise jobs.Again(again)
