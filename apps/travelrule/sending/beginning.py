"""Begins transmissions: what is PENDING has one, with the job of its first attempt."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from apps.core.jobs import enqueue_new
from apps.travelrule.models import Transmission, TravelRecord
from apps.travelrule.moving import move
from apps.travelrule.projection import faults

TRANSMIT = "travelrule.transmit"


class NotFailed(RuntimeError):
    """The record is not one that an officer can have sent again."""


def key_of(transmission: Transmission, attempt: int) -> str:
    """Return the key of the job of an attempt: each attempt has a job of its own."""
    return f"{transmission.pk}/{attempt}"


def begin(records: Iterable[TravelRecord], *, now: datetime) -> list[Transmission]:
    """Plan the first attempt for records that are PENDING, in the transaction that made them so."""
    made = Transmission.objects.bulk_create(
        Transmission(
            record=one, number=one.steps, lei=one.counterparty_lei, due_at=now, created_at=now
        )
        for one in records
        if one.status == "PENDING"
    )
    if made:
        enqueue_new(job=TRANSMIT, due={key_of(one, 1): now for one in made}, now=now)
    return made


@transaction.atomic
def send_again(record: TravelRecord, *, now: datetime) -> Transmission:
    """Have a record that FAILED sent again, as an officer decided.

    NotFailed for an inbound one, one that is not FAILED, or not as it was recorded.
    """
    if record.direction != "OUTBOUND" or record.status != "FAILED" or faults([record]):
        raise NotFailed(f"record {record.record_id} cannot be sent again")
    move(record, "SEND_AGAIN", now=now)
    return begin([record], now=now)[0]
