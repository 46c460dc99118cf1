"""Records that prove themselves, read many at once: a process looks at each of them once."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.core.ledger import LedgerRecord

AT_ONCE = 500
Told = TypeVar("Told")
_HELD: dict[str, dict[tuple[int, str | None], Any]] = {}


def records(
    model: type[LedgerRecord], now: datetime, told: Callable[[Any], Told], **having: Any
) -> list[Told]:
    """Return what is told of the records up to a moment whose MAC holds, the oldest first.

    One that is not ours counts for nothing, and neither does a copy of one that is.
    """
    made = model._default_manager.filter(recorded_at__lte=now, **having).order_by("pk")
    keys = list(made.values_list("pk", "mac"))
    held = _HELD.setdefault(model.LEDGER, {})
    for some in chunks([one for one in keys if one not in held], AT_ONCE):
        held.update(dict.fromkeys(some))
        rows = model._default_manager.filter(pk__in=[pk for pk, _ in some])
        held.update({(one.pk, one.mac): told(one) for one in proven(rows)})
    first: dict[str | None, Told] = {}
    for key in keys:
        if held[key] is not None:
            first.setdefault(key[1], held[key])
    return list(first.values())


def forget() -> None:
    """Empty this process's memory."""
    _HELD.clear()
