"""Background work on registrations: check their LEIs once a day."""

import logging
from datetime import datetime

from django.db import transaction

from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.compliance.payees.selectors.public_lookups import current_lei_status
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
    """Record each active registration whose LEI status has changed since the last check.

    Current LEIs are refreshed from GLEIF by `lei.refresh_in_use`. Safe to repeat.
    """
    # read without locks; what has changed is locked and verified one by one
    rows = Registration.objects.active().exclude(lei="").order_by("pk")
    for batch in iter_chunks(rows.iterator(BATCH), BATCH):
        mark_leis_used(leis=[row.lei for row in batch], now=now)
        held_records = LeiRecord.objects.held([row.lei for row in batch])
        for row in batch:
            if _has_lei_status_changed(row, held_records, now):
                _record_lei_status(row.pk, held_records, now)


def _has_lei_status_changed(
    row: Registration, held_entities: dict[str, HeldEntity], now: datetime
) -> bool:
    return row.lei_status != current_lei_status(row, held_entities, now=now)


@transaction.atomic
def _record_lei_status(pk: int, held_entities: dict[str, HeldEntity], now: datetime) -> None:
    """Record the status of an LEI, if the registration is still active and the status differs."""
    try:
        row = lock_active_registration(pk=pk)
    # the ledger's verification reports it; the others are checked
    except RegistrationIntegrityError:
        logger.exception("integrity check failed for registration %s: its LEI is not checked", pk)
        return
    if (
        row is None
        # read before the lock: the LEI may be another by now
        or row.lei not in held_entities
        or not _has_lei_status_changed(row, held_entities, now)
    ):
        return
    was = row.lei_status
    row.lei_stands(current_lei_status(row, held_entities, now=now), now=now)
    row.gleif_name = held_entities[row.lei].entity.legal_name[:500]
    row.lei_seen_at = now
    payload = {"reason": f"LEI {row.lei} was {was} and is {row.lei_status}."}
    RegistrationEvent.keep(row, Action.LEI_SEEN, now=now, payload=payload)
