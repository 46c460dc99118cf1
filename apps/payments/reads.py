"""Reads of payments: an institution's own alone."""

from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.problems import NO_SUCH_ID, NotFound
from apps.payments.models import Payment
from apps.payments.result import result


def by_id(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a payment of the caller's; NotFound for another's, as for none."""
    found = Payment.objects.filter(payment_id=asked["payment_id"], owner=caller.ref).first()
    if found is None:
        raise NotFound(NO_SUCH_ID)
    return result(found)
