"""Background work on registrations: look at their LEIs once a day."""

import logging
from datetime import datetime

from django.db import transaction

from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.compliance.payees.registration.public_lookups import current_lei_status
from apps.compliance.payees.selectors.registrations import (
    RegistrationIntegrityError,
    lock_active_registration,
)
from apps.platform.common.batches import iter_chunks
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.services.lookups import mark_leis_used
from apps.reference.lei.values import HeldEntity

BATCH = 500
logger = logging.getLogger(__name__)


def refresh_lei_statuses(key: str, now: datetime) -> None:
    """Mark where the LEI of an active registration stands otherwise than at the last look.

    What is in use stays so, and is asked of GLEIF by `lei.refresh_in_use`. Again is harmless.
    """
    rows = Registration.objects.active().exclude(lei="").order_by("pk")
    for batch in iter_chunks(rows.iterator(BATCH), BATCH):
        mark_leis_used(leis=[row.lei for row in batch], now=now)
        held = LeiRecord.objects.held([row.lei for row in batch])
        for row in batch:
            if _has_lei_status_changed(row, held, now):
                _record_lei_status(row.pk, held, now)


def _has_lei_status_changed(row: Registration, held: dict[str, HeldEntity], now: datetime) -> bool:
    return row.lei_status != current_lei_status(row, held, now=now)


@transaction.atomic
def _record_lei_status(pk: int, held: dict[str, HeldEntity], now: datetime) -> None:
    """Record the state of an LEI, if the registration still stands and it is still another."""
    try:
        row = lock_active_registration(pk=pk)
    except RegistrationIntegrityError:  # the check of the ledgers tells of it; others are looked at
        logger.exception("registration %s is not as recorded: its LEI is not looked at", pk)
        return
    if row is None or row.lei not in held or not _has_lei_status_changed(row, held, now):
        return
    was = row.lei_status
    row.lei_stands(current_lei_status(row, held, now=now), now=now)
    row.gleif_name = held[row.lei].entity.legal_name[:500]
    row.lei_seen_at = now
    said = {"reason": f"LEI {row.lei} was {was} and is {row.lei_status}."}
    RegistrationEvent.keep(row, Action.LEI_SEEN, now=now, said=said)
