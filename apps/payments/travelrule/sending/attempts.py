"""Attempts at transmissions: claimed, posted outside any transaction, settled by compare-and-set.

An attempt is counted before anything is sent. One whose sender died is logged as interrupted.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from apps.payments.callbacks.clients.webhook_client import AttemptResult, post_callback
from apps.payments.travelrule import cases
from apps.payments.travelrule.models import Transmission, TravelAttempt
from apps.payments.travelrule.record_transition import record_transition
from apps.payments.travelrule.rules import transmissions as transmission_rules
from apps.payments.travelrule.sending.answers import endpoint_host_of, parse_receiver_id
from apps.payments.travelrule.sending.prepared_message import (
    PreparedMessage,
    UnsendableMessage,
    prepare_message,
)
from apps.payments.travelrule.sending.services import TRANSMIT_JOB, attempt_job_key
from apps.platform.common import clock
from apps.platform.common.clock import SKEW
from apps.platform.jobs.job_queue import RetryLater, enqueue_job
from apps.platform.upstreams import breaker

# how long an attempt may be on its way before it counts as lost; it takes ten seconds at most
LEASE = timedelta(minutes=1)
SWEEP_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class ClaimedAttempt:
    """An attempt that is counted: `ready` is what it sends, or `word` why it sends nothing."""

    pk: int
    number: int
    lei: str
    ready: PreparedMessage | None
    word: str = ""


def transmit_message(key: str, now: datetime) -> None:
    """Make the attempt that is due at a transmission; the job `travelrule.transmit`.

    Does nothing where nothing is due. Raises RetryLater while another process sends.
    """
    # the rest of the key is the number of the attempt (attempt_job_key)
    claimed = claim_attempt(int(key.partition("/")[0]), now=now)
    if claimed is None:
        return
    reply = AttemptResult(error=claimed.word)
    if claimed.ready is not None:
        reply = post_message(claimed, now=now)
    # the call took its time; never earlier than `now`, if the clock was set back meanwhile
    settle_attempt(claimed, reply, sent_at=now, now=max(now, clock.now()))


def post_message(claimed: ClaimedAttempt, *, now: datetime) -> AttemptResult:
    """Post a message once, unless its receiver is left alone after failures in a row."""
    assert claimed.ready is not None
    name = f"vasp-{claimed.lei}"
    if breaker.is_breaker_open(name, now):
        return AttemptResult(error="paused")
    ready = claimed.ready
    reply = post_callback(url=ready.url, content=ready.content, headers=ready.headers)
    if reply.error and transmission_rules.failure_word_of(reply.error, reply.status) != "refused":
        breaker.record_failure(name, reply.error, now)
    else:  # a refusal is an answer, not a fault of the counterparty's server
        breaker.record_success(name, now)
    return reply


@transaction.atomic
def claim_attempt(pk: int, *, now: datetime) -> ClaimedAttempt | None:
    """Count the attempt that is due; None where none is, or the last one was just logged as lost.

    Raises RetryLater while another process sends.
    """
    # only the transmission is locked: its record is changed by compare-and-set
    rows = Transmission.objects.select_for_update(of=("self",)).select_related("record")
    row = rows.filter(pk=pk, due_at__isnull=False).first()
    if row is None or row.due_at is None:
        return None
    if row.due_at > now:
        if row.sending:
            raise RetryLater(row.due_at)
        return None
    # its lease is over: the sender died, and whether the message arrived is not known
    if row.sending:
        _record_attempt(
            row, AttemptResult(error="interrupted"), sent_at=row.due_at - LEASE, url="", now=now
        )
        return None
    row.tries, row.sending, row.due_at = row.tries + 1, True, now + LEASE
    transmission, word = None, ""
    try:
        transmission = prepare_message(row, now=now)
    except UnsendableMessage as error:
        word = error.word
    # also the bytes, which the first attempt makes: they are stored before they are sent
    row.save()
    return ClaimedAttempt(row.pk, row.tries, row.lei, transmission, word)


@transaction.atomic
def settle_attempt(
    claimed: ClaimedAttempt, reply: AttemptResult, *, sent_at: datetime, now: datetime
) -> bool:
    """Log an attempt and plan what follows it; False if it was settled before."""
    rows = Transmission.objects.select_for_update(of=("self",)).select_related("record")
    # compare-and-set: an answer that came after the lease must not settle the attempt that follows
    row = rows.filter(pk=claimed.pk, tries=claimed.number, sending=True).first()
    if row is None:
        return False
    url = claimed.ready.url if claimed.ready else ""
    _record_attempt(row, reply, sent_at=sent_at, url=url, now=now)
    return True


def _record_attempt(
    row: Transmission, reply: AttemptResult, *, sent_at: datetime, url: str, now: datetime
) -> None:
    word = transmission_rules.failure_word_of(reply.error, reply.status)
    attempt = TravelAttempt.objects.create(
        transmission=row,
        number=row.tries,
        at=sent_at,
        host=endpoint_host_of(url),
        # no digest where no byte left us
        sha256=row.sha256 if reply.status or word not in _UNSENT_FAILURES else "",
        status=reply.status,
        latency_ms=reply.latency_ms if reply.status else None,
        error=word,
        receiver_id=parse_receiver_id(reply.beginning) if not word else "",
    )
    row.sending, wait = (
        False,
        transmission_rules.retry_delay(tries=row.tries, word=word) if word else None,
    )
    row.due_at = now + wait if wait else None
    row.save()
    if row.due_at:
        enqueue_job(
            job=TRANSMIT_JOB, key=attempt_job_key(row, row.tries + 1), now=now, eta=row.due_at
        )
        return
    # advance the record: the counterparty accepted its message, or attempts have ended
    facts = {
        "lei": row.lei,
        "host": attempt.host,
        "attempts": row.tries,
        "status": attempt.status,
        "latencyMs": attempt.latency_ms,
        "receiverId": attempt.receiver_id,
        "sha256": row.sha256,
        "error": attempt.error,
    }
    event_facts = {name: value for name, value in facts.items() if value not in ("", None)}
    record_transition(
        row.record, "GAVE_UP" if attempt.error else "DELIVERED", now=now, facts=event_facts
    )
    if attempt.error:
        cases.open_undelivered_case(row, attempt.error, now=now)


# failures before anything was sent (rules/transmissions.py)
_UNSENT_FAILURES = frozenset({"paused", "unproved", "no_key", "not_listed", "erased", "incomplete"})


def enqueue_missed_attempts(key: str, now: datetime) -> None:
    """Plan the attempts that are overdue: their jobs were lost; the job `travelrule.sweep`."""
    reschedule_transmissions_after_clock_rollback(now=now)
    # what is due for less than that may still have a job that waits for a worker
    missed = Transmission.objects.filter(due_at__lte=now - LEASE).order_by("due_at")[
        :SWEEP_BATCH_SIZE
    ]
    for row in missed:
        enqueue_job(job=TRANSMIT_JOB, key=attempt_job_key(row, row.tries + 1), now=now)


def reschedule_transmissions_after_clock_rollback(*, now: datetime) -> int:
    """Reschedule attempts that lie further ahead than any delay, from now; returns how many."""
    # the clock that set their time has been set back since: they would wait for hours or years
    transmissions = Transmission.objects.filter(due_at__gt=now + LEASE + SKEW)
    # what is being sent keeps its lease
    moved = transmissions.filter(sending=True).update(due_at=now + LEASE)
    for tries, wait in enumerate((timedelta(), *transmission_rules.RETRY_DELAYS)):
        late = transmissions.filter(sending=False, tries=tries, due_at__gt=now + wait + SKEW)
        for row in late.order_by("due_at")[:SWEEP_BATCH_SIZE]:
            moved += _reschedule_attempt(row, now, now + wait)
    return moved


@transaction.atomic
def _reschedule_attempt(row: Transmission, now: datetime, due: datetime) -> int:
    # compare-and-set: a worker may have claimed it meanwhile
    same = Transmission.objects.filter(pk=row.pk, sending=False, due_at=row.due_at)
    if won := same.update(due_at=due):
        enqueue_job(job=TRANSMIT_JOB, key=attempt_job_key(row, row.tries + 1), now=now, eta=due)
    return won
