"""The caller's own outgoing bank payments."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.payments.banking.integrity import find_row_faults, verify_rows
from apps.payments.banking.models import Send
from apps.payments.banking.services.routed_sends import serialize_routed_sends
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def load_own_send(
    *, asked: Mapping[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a payment of the caller in its current state; see SendOut."""
    # another institution's id answers 404, as an unknown one does (DESIGN section 4, Keys)
    rows = Send.objects.select_related("recipient").filter(owner=caller.ref)
    send = rows.filter(send_id=asked["payment_id"]).first()
    if send is None:
        raise NotFound(NO_SUCH_ID)
    return serialize_routed_sends(verify_rows([send]), owner=caller.ref)[0]


def select_sends(*, asked: Mapping[str, Any], caller: Caller, now: datetime) -> QuerySet[Send]:
    """Return the caller's payments, newest first."""
    return Send.objects.select_related("recipient").filter(owner=caller.ref)


def serialize_verified_sends(page: Sequence[Send], *, owner: str) -> list[dict[str, Any]]:
    """Return a page of an owner's verified payments; see SendsOut."""
    broken = find_row_faults(page)
    return serialize_routed_sends([send for send in page if send.pk not in broken], owner=owner)
