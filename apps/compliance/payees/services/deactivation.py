"""Deactivate a registration."""

from datetime import datetime

from django.db import transaction

from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.compliance.payees.registration_requests import RegistrationActor
from apps.compliance.payees.selectors.registrations import lock_active_registration
from apps.platform.common.problems import NotFound


@transaction.atomic
def deactivate_registration(
    *,
    wallet: str,
    who: RegistrationActor,
    now: datetime,
    reason: str = "",
    number: int | None = None,
) -> Registration:
    """End the active registration of an address in its one form; NotFound when there is none.

    With a `number` only that registration. Its open cases stay with the officers.
    """
    row = lock_active_registration(wallet=wallet)
    # by number: the wallet may have another registration since
    if row is None or number not in (None, row.pk):
        raise NotFound("This wallet has no registration.")
    row.end(now=now)
    payload = {"reason": reason} if reason else {}
    RegistrationEvent.keep(
        row, Action.DEACTIVATED, now=now, by=who.by, caller=who.caller, payload=payload
    )
    return row
