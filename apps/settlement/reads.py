"""Reads of settlements, and the hash that their callers tell."""

from datetime import datetime
from typing import Any

from apps.access.models import Kind
from apps.chain import orders
from apps.chain.projection import UNPROVED, OrderUnproved
from apps.core.callers import Caller
from apps.core.problems import NO_SUCH_ID, Conflict, DomainError, NotFound
from apps.settlement.models import Settlement
from apps.settlement.projection import proved
from apps.settlement.result import result


class NothingExpected(Conflict):
    """No transfer is expected of this settlement: it is not let go, or it ended."""

    code, title = "nothing_expected", "No transfer is expected"


class BadHash(DomainError):
    """The text is no hash of a transaction."""

    code, title = "bad_tx_hash", "This is no hash of a transaction"


def by_id(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a settlement: the institution's own, or a rehearsal by its unguessable id."""
    return result(_found(asked, caller), now)


def transaction(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Note which transaction executes a settlement; of a rehearsal nothing is looked for."""
    row = _found(asked, caller)
    if row.sandbox:
        return result(row, now)
    if not row.price:
        raise NothingExpected("This settlement was not let go: no transfer is expected of it.")
    try:
        if orders.standing(row.order_id).closed:
            raise NothingExpected("No transfer of this settlement is expected any more.")
        orders.reported(row.order_id, asked["tx_hash"], now=now)
    except orders.BadHash as error:
        said = str(error)
        raise BadHash(said, errors=[{"field": "txHash", "message": said}]) from None
    except orders.NoOrder:
        raise OrderUnproved(UNPROVED) from None
    return result(row, now)


def _found(asked: dict[str, Any], caller: Caller) -> Settlement:
    row = Settlement.objects.filter(settlement_id=asked["settlement_id"]).first()
    own = row is not None and caller.kind == Kind.INSTITUTION and row.owner == caller.ref
    if row is None or not (row.sandbox or own):
        raise NotFound(NO_SUCH_ID)
    return proved(row)
