"""Begin transmissions: each PENDING record has one, with the job of its first attempt."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from apps.payments.travelrule.integrity import find_record_faults
from apps.payments.travelrule.models import Transmission, TravelRecord
from apps.payments.travelrule.record_transition import record_transition
from apps.platform.jobs.job_queue import enqueue_new_jobs

TRANSMIT_JOB = "travelrule.transmit"


class RecordNotResendable(RuntimeError):
    """The record is not one that an officer can have sent again."""


def attempt_job_key(transmission: Transmission, attempt: int) -> str:
    """Return the key of the job of an attempt: each attempt has a job of its own."""
    return f"{transmission.pk}/{attempt}"


def begin_transmissions(records: Iterable[TravelRecord], *, now: datetime) -> list[Transmission]:
    """Plan the first attempt for records that are PENDING, in the transaction that made them so."""
    transmissions = Transmission.objects.bulk_create(
        Transmission(
            record=record,
            # the step by which it became PENDING: unique, so that a step has one transmission
            number=record.steps,
            lei=record.counterparty_lei,
            due_at=now,
            created_at=now,
        )
        for record in records
        if record.status == "PENDING"
    )
    if transmissions:
        enqueue_new_jobs(
            job=TRANSMIT_JOB,
            due={attempt_job_key(transmission, 1): now for transmission in transmissions},
            now=now,
        )
    return transmissions


@transaction.atomic
def resend_record(record: TravelRecord, *, now: datetime) -> Transmission:
    """Have a record that FAILED sent again, as an officer decided.

    RecordNotResendable for an inbound one, one that is not FAILED, or not as it was recorded.
    """
    if record.direction != "OUTBOUND" or record.status != "FAILED" or find_record_faults([record]):
        raise RecordNotResendable(f"record {record.record_id} cannot be sent again")
    record_transition(record, "SEND_AGAIN", now=now)
    return begin_transmissions([record], now=now)[0]
