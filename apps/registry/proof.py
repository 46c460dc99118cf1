"""Registrations are read and changed only as they were recorded: an altered row is refused.

Whoever can write the database can put another name behind a wallet, but not record that. Were such
a row changed once more by us, its next event would bear the altered name out.
"""

from collections.abc import Sequence

from django.db.models import Max

from apps.core.chain import proven
from apps.core.problems import Unavailable
from apps.registry.models import Registration, RegistrationEvent
from apps.registry.projection import faults


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
            raise RegistrationUnproved("The registration of this wallet is not as it was recorded.")
    return rows


def standing(wallet: str) -> Registration | None:
    """Return the active registration of an address in its one form, as recorded, or None.

    Where none is active, those that have ended must be recorded as ended: who ends one in the
    database would lift what stops a payment. Three queries then. Raises as `proved`.
    """
    row = Registration.objects.of(wallet)
    if row is not None:
        return proved([row])[0]
    if ended := Registration.objects.before(wallet):
        proved(ended)
    return None


def locked(*, wallet: str = "", pk: int | None = None) -> Registration | None:
    """Return the active registration of an address or number, locked and as recorded, or None.

    Call it inside a transaction, before anything of the row is changed; raises as `proved`.
    """
    asked = {"wallet": wallet} if pk is None else {"pk": pk}
    row = Registration.objects.select_for_update().active().filter(**asked).first()
    return proved([row])[0] if row else None
