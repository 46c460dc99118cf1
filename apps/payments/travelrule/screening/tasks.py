"""Screen the parties of a counterparty's message after it was answered.

Nothing of it reaches the counterparty, and the record's status does not change: findings become
cases, and a step of the record says only that its parties were screened.
"""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from django.db import transaction

from apps.backoffice.review.models import Case
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.record_transition import record_transition
from apps.payments.travelrule.rules.record_status import INBOUND
from apps.payments.travelrule.screening.cases import (
    open_altered_case,
    open_hit_cases,
    open_not_screened_case,
    screening_owner_of,
)
from apps.payments.travelrule.screening.screens import screen_parties
from apps.payments.travelrule.screening.subjects import ScreeningSubjects, list_subjects
from apps.payments.travelrule.selectors.verified_records import (
    Event,
    RecordIntegrityError,
    decrypt_message,
    is_record_verified,
    load_verified_events,
)
from apps.platform.common.days import start_of_day
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.jobs import job_queue
from apps.platform.jobs.job_context import CURRENT_RUN
from apps.platform.ledger.verification.verified_reads import filter_verified_records

logger = logging.getLogger(__name__)
SCREEN_JOB = "travelrule.screen_parties"
SCREENED = "SCREENED"
NOT_SCREENED = "NOT_SCREENED"  # decision in the ledger: an officer was given the message
ERASED = "ERASED"
LATE_AFTER = timedelta(hours=6)  # longer than all tries of a job take
SWEEP_PERIOD = timedelta(days=30)
SWEEP_BATCH_SIZE = 500


def plan_screening(record: TravelRecord, *, now: datetime) -> None:
    """Have the parties of a message screened; in the transaction that records it."""
    job_queue.enqueue_job(job=SCREEN_JOB, key=str(record.pk), now=now)


def screen_message_parties(key: str, now: datetime) -> None:
    """Screen the parties of one message; the job `travelrule.screen_parties`.

    If every run failed, the last one gives the message to an officer instead.
    """
    record = TravelRecord.objects.filter(pk=int(key or 0), direction=INBOUND).first()
    if record is None:
        return
    events = load_verified_events([record])[record.pk]
    # repeatable: a message that was screened is done, unless an officer has it screened again
    steps = [event for event in events if event.event == SCREENED]
    if bool(steps) and not is_unscreened_step(steps[-1]):
        return
    # without another attempt: screening this message may have taken the process down each time
    run = CURRENT_RUN.get()
    if run is not None and run.job.failures >= len(run.work.retries):
        _refer_to_officer(record, events, run.job.last_error, now)
        return
    subjects = _load_subjects(record, events)
    if subjects is None:
        with transaction.atomic():
            record_transition(record, SCREENED, now=now, facts={"screened": {"decision": ERASED}})
        return
    parties = screen_parties(subjects, owner=screening_owner_of(record), now=now)
    with transaction.atomic():
        # cases are locked before the record that they are about, as a decision locks them
        cases = open_hit_cases(record, parties, now=now)
        facts = parties.recorded() | ({"cases": cases} if cases else {})
        record_transition(record, SCREENED, now=now, facts={"screened": facts})


def is_unscreened_step(step: Event) -> bool:
    """Tell whether a step says that the parties could not be screened."""
    if step.purged or step.event != SCREENED:
        return False
    return bool(step.data["screened"]["decision"] == NOT_SCREENED)


def _load_subjects(record: TravelRecord, events: Sequence[Event]) -> ScreeningSubjects | None:
    """Return the parties that a message names; None once it was erased.

    Raises RecordIntegrityError (503), and DecryptionFailed for a key that we lack.
    """
    if not is_record_verified(record, events):
        raise RecordIntegrityError("The record failed its integrity check.")
    message = decrypt_message(record, events[0], RecordKey.objects.filter(record=record).first())
    return None if message is None else list_subjects(message)


def _refer_to_officer(
    record: TravelRecord, events: Sequence[Event], why: str, now: datetime
) -> None:
    logger.warning("parties of travel-rule record %s were not screened", record.record_id)
    try:
        named = _load_subjects(record, events)
        party = named.parties[0].asked.name if named and named.parties else ""
    except (RecordIntegrityError, DecryptionFailed):
        party = ""
    with transaction.atomic():
        # a further event would make the altered row authentic: the case reports it instead
        if not is_record_verified(record, events):
            open_altered_case(record, party=party, why=why, now=now)
            return
        ref = open_not_screened_case(record, party=party, why=why, now=now)
        facts = {"screened": {"decision": NOT_SCREENED, "cases": [ref]}}
        record_transition(record, SCREENED, now=now, facts=facts)


def load_records_of_case(case: Case) -> list[TravelRecord]:
    """Return the records whose messages a case is about, the first before those that joined it.

    The sealed event of a message's screen names the case that it joined.
    """
    number = case.evidence.get("record", {}).get("id")
    first = TravelRecord.objects.filter(record_id=number).first() if number else None
    if first is None:
        return []
    # A message joins only a case of its own day (UTC): references of cases contain it. Without the
    # upper bound, every later message of the sender would be read.
    day = case.opened_at.astimezone(UTC).date()
    steps = TravelEvent.objects.filter(
        event=SCREENED,
        recorded_at__gte=case.opened_at,
        recorded_at__lt=start_of_day(day + timedelta(days=1)),
        record__sender=first.sender,
        record__direction=INBOUND,
    )
    record_ids = [
        step.record_id
        for step in filter_verified_records(steps.order_by("pk"))
        if not step.purged and case.ref in step.data["screened"].get("cases", ())
    ]
    rest = TravelRecord.objects.filter(pk__in=record_ids).exclude(pk=first.pk).order_by("pk")
    return [first, *rest]


def plan_screening_again(case: Case, *, now: datetime) -> None:
    """Have the parties screened again that could not be; part of the transaction that decides."""
    numbers = [travel_record.pk for travel_record in load_records_of_case(case)]
    for record in TravelRecord.objects.select_for_update().filter(pk__in=numbers).order_by("pk"):
        last = TravelEvent.objects.filter(record=record, number=record.steps).first()
        if last is not None and is_unscreened_step(last):
            plan_screening(record, now=now)


def plan_lost_screenings(key: str, now: datetime) -> None:
    """Plan screens of messages whose job was lost; the job `travelrule.sweep_screens`."""
    # one step: an inbound record gets its second by being screened
    late = TravelRecord.objects.filter(
        direction=INBOUND,
        steps=1,
        created_at__gt=now - SWEEP_PERIOD,
        created_at__lt=now - LATE_AFTER,
    )
    for travel_record in late.order_by("created_at")[:SWEEP_BATCH_SIZE]:
        plan_screening(travel_record, now=now)
