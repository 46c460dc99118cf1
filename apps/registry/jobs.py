"""Background work on registrations: look at their LEIs once a day."""

import logging
from datetime import datetime

from django.db import transaction

from apps.core.batches import chunks
from apps.lei.lookups import mark_all_used
from apps.lei.models import LeiRecord
from apps.lei.values import Held
from apps.registry.models import Action, Registration, RegistrationEvent
from apps.registry.proof import RegistrationUnproved, locked
from apps.registry.reads import status_now

BATCH = 500
logger = logging.getLogger(__name__)


def look_again(key: str, now: datetime) -> None:
    """Mark where the LEI of an active registration stands otherwise than at the last look.

    What is in use stays so, and is asked of GLEIF by `lei.refresh_in_use`. Again is harmless.
    """
    rows = Registration.objects.active().exclude(lei="").order_by("pk")
    for batch in chunks(rows.iterator(BATCH), BATCH):
        mark_all_used(leis=[row.lei for row in batch], now=now)
        held = LeiRecord.objects.held([row.lei for row in batch])
        for row in batch:
            if _differs(row, held, now):
                _seen(row.pk, held, now)


def _differs(row: Registration, held: dict[str, Held], now: datetime) -> bool:
    return row.lei_status != status_now(row, held, now=now)


@transaction.atomic
def _seen(pk: int, held: dict[str, Held], now: datetime) -> None:
    """Record the state of an LEI, if the registration still stands and it is still another."""
    try:
        row = locked(pk=pk)
    except RegistrationUnproved:  # the check of the ledgers tells of it; others are looked at
        logger.exception("registration %s is not as recorded: its LEI is not looked at", pk)
        return
    if row is None or row.lei not in held or not _differs(row, held, now):
        return
    was = row.lei_status
    row.lei_stands(status_now(row, held, now=now), now=now)
    row.gleif_name = held[row.lei].entity.legal_name[:500]
    row.lei_seen_at = now
    said = {"reason": f"LEI {row.lei} was {was} and is {row.lei_status}."}
    RegistrationEvent.keep(row, Action.LEI_SEEN, now=now, said=said)
