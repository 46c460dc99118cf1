"""Settlements as their callers read them: an institution's own, and rehearsals by their id."""

from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.payments.settlement.integrity import verify_settlement
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.presenters import serialize_settlement
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def read_settlement(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a settlement: the institution's own, or a rehearsal by its unguessable id."""
    return serialize_settlement(load_own_settlement(asked, caller), now)


def load_own_settlement(asked: dict[str, Any], caller: Caller) -> Settlement:
    """Return a settlement that the caller may see; NotFound for another's or an unknown one."""
    row = Settlement.objects.filter(settlement_id=asked["settlement_id"]).first()
    own = row is not None and caller.kind == KeyKind.INSTITUTION and row.owner == caller.ref
    # the same answer for another's settlement as for none; a rehearsal's id is a secret of its own
    if row is None or not (row.sandbox or own):
        raise NotFound(NO_SUCH_ID)
    return verify_settlement(row)
