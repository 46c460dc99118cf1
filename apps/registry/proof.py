"""Registrations are read and changed only as they were recorded: an altered row is refused.

Whoever can write the database can put another name behind a wallet, but not record that. Were such
a row changed once more by us, its next event would bear the altered name out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from apps.core.chain import proven
from apps.core.keyed import first
from apps.core.problems import Unavailable
from apps.registry.models import Action, Registration, RegistrationEvent
from apps.registry.projection import faults

NOT_RECORDED = "The registration of this wallet is not as it was recorded."


class RegistrationUnproved(Unavailable):
    """The registration of this wallet is not as it was recorded: somebody altered it."""

    code, title = "registration_unproved", "The registration cannot be relied on"


def proved(rows: Sequence[Registration]) -> Sequence[Registration]:
    """Return registrations that are as last recorded; two queries, however many.

    Raises RegistrationUnproved (503) when one is not.
    """
    pks = [row.pk for row in rows]
    last = RegistrationEvent.objects.filter(registration__in=pks).values("registration_id")
    newest = last.order_by().annotate(newest=Max("pk")).values_list("newest", flat=True)
    events = {
        one.registration_id: one
        for one in proven(RegistrationEvent.objects.filter(pk__in=list(newest)).order_by("pk"))
    }
    for row in rows:
        held = [events[row.pk]] if row.pk in events else []
        if any(faults(row, held)):
            raise RegistrationUnproved(NOT_RECORDED)
    return rows


def standing(wallet: str) -> Registration | None:
    """Return the active registration of an address in its one form, as recorded, or None.

    Where none is active, the last event of the wallet must have ended one: who ends, moves or
    deletes a row in the database would lift what stops a payment. Two queries then, three where
    one has ended. Raises as `proved`.
    """
    return _standing(wallet, _active)


@dataclass(frozen=True, slots=True)
class Known:
    """The active registration of a wallet, None where there is none, and its proved events."""

    row: Registration | None = None
    events: tuple[RegistrationEvent, ...] = ()


def known(wallet: str) -> Known:
    """Return what `standing` returns, and all events of it that are ours, the oldest first.

    Two queries, three where a registration has ended. Raises as `proved`.
    """
    row = _there(wallet, _active)
    if row is None:
        return Known()
    found = list(RegistrationEvent.objects.filter(registration=row).order_by("pk"))
    ours = proven(found)
    if any(faults(row, [one for one in ours if one is found[-1]])):
        raise RegistrationUnproved(NOT_RECORDED)
    return Known(row, tuple(ours))


def _active(wallet: str) -> Registration | None:
    """Look up the active registration of an address, as `Registration.objects.of` does."""
    found: Registration | None = first(
        Registration, where={"active": True, "wallet": wallet}, order=("-pk",)
    )
    return found


def _standing(wallet: str, of: Callable[[str], Registration | None]) -> Registration | None:
    row = _there(wallet, of)
    return proved([row])[0] if row else None


def _there(wallet: str, of: Callable[[str], Registration | None]) -> Registration | None:
    row = of(wallet)
    if row is None and not _ended(wallet):
        row = of(wallet)  # it may have been registered between the two looks
        if row is None:
            raise RegistrationUnproved("A registration of this wallet is gone, and was not ended.")
    return row


def _ended(wallet: str) -> bool:
    """Tell whether the last that is recorded of a wallet is an end, or nothing is."""
    last = first(RegistrationEvent, where={"wallet": wallet}, order=("-pk",))
    return last is None or (last.action == Action.DEACTIVATED and bool(proven([last])))


def locked(*, wallet: str = "", pk: int | None = None) -> Registration | None:
    """Return the active registration of an address or number, locked and as recorded, or None.

    Call it inside a transaction, before anything of the row is changed; raises as `standing`.
    """
    rows = Registration.objects.select_for_update()
    if pk is None:
        return _standing(wallet, rows.of)
    row = rows.active().filter(pk=pk).first()
    return proved([row])[0] if row else None
