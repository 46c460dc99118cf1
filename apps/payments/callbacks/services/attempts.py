"""Record the results of attempts: delivered, retried or failed."""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from apps.payments.callbacks import rules
from apps.payments.callbacks.clients.webhook_client import AttemptResult
from apps.payments.callbacks.models import Attempt, Delivery, Endpoint, Pause, State
from apps.payments.callbacks.services.claim_deliveries import LEASE
from apps.payments.callbacks.services.endpoint_pauses import pause_endpoint
from apps.payments.callbacks.services.publish_event import (
    SEND,
    publish_to_feed,
)
from apps.platform.common.clock import SKEW
from apps.platform.jobs.job_queue import enqueue_job

# how often a success is written to its endpoint, which all its callbacks share
NOTED_EVERY = timedelta(minutes=1)
FAILED = "callback.failed"
LOST, ALTERED = "interrupted", "altered"
AT_ONCE = 200
logger = logging.getLogger(__name__)


@transaction.atomic
def record_attempt(
    *, delivery_id: int, number: int, sent_at: datetime, reply: AttemptResult, now: datetime
) -> bool:
    """Log the `number`-th attempt and plan what follows; False if it was settled before.

    After a failure the next attempt is due by document 2 section 6 counted from `now`, and its job
    exists when this commits. After the last one the delivery is FAILED and its owner is notified in
    the feed.
    """
    if not reply.error:
        return _record_success(delivery_id, number, sent_at, reply, now)
    # `number` and the state: an attempt whose lease ran out may have been settled as lost
    rows = Delivery.objects.select_for_update(of=("self",)).select_related("event", "endpoint")
    row = rows.filter(pk=delivery_id, state=State.SENDING, attempts=number).first()
    if row is None:
        return _warn_already_recorded(delivery_id, number)
    _write_attempt(delivery_id, number, sent_at, reply)
    gone = reply.error == "gone"
    _record_endpoint_failure(row.endpoint, reply, now)
    error = reply.error
    wait = rules.delay_before_next_attempt(tries=row.tries)
    if gone:
        # 410: no retry, and the callback waits until its owner resumes the endpoint
        _update_delivery(row, State.PAUSED, None, error)
    elif wait is None:
        _update_delivery(row, State.FAILED, now, error)
        failure_body = {
            "eventId": row.event.uid,
            "event": row.event.name,
            "webhook_status": State.FAILED.value,
        }
        body = failure_body | {"attempts": row.attempts, "error": error}
        # only in the feed: a callback about a failed callback would fail like it
        publish_to_feed(row.owner, FAILED, row.event.subject, body, now)
    else:
        # from the end of this attempt (document 2 section 6: delay after previous)
        due = now + wait
        _update_delivery(row, State.PENDING, None, error, due)
        # a key of its own: the job of this attempt may not have run yet
        enqueue_job(job=SEND, key=f"{row.event.uid}/{row.attempts + 1}", now=now, eta=due)
    if gone:
        pause_endpoint(endpoint=row.endpoint, why=Pause.GONE, now=now)
    return True


def _record_success(
    delivery_id: int, number: int, sent_at: datetime, reply: AttemptResult, now: datetime
) -> bool:
    """Record a success without reading anything: most attempts succeed."""
    mine = Delivery.objects.filter(pk=delivery_id, state=State.SENDING, attempts=number)
    if not mine.update(state=State.DELIVERED, ended_at=now, last_error="", due_at=None):
        return _warn_already_recorded(delivery_id, number)
    _write_attempt(delivery_id, number, sent_at, reply)
    rows = Endpoint.objects.filter(deliveries=delivery_id)
    # a change is noted at once, the mere time of a success once a minute
    stale = Q(last_ok_at=None) | Q(last_ok_at__lte=now - NOTED_EVERY)
    changed = Q(failures__gt=0) | Q(slow=True) | Q(failing_since__isnull=False)
    rows.filter(stale | changed).update(
        failing_since=None,
        failures=0,
        slow=False,
        last_error="",
        last_attempt_at=now,
        last_ok_at=now,
    )
    return True


def _warn_already_recorded(delivery_id: int, number: int) -> bool:
    logger.warning("attempt %s at callback %s was settled before", number, delivery_id)
    return False


def _write_attempt(delivery_id: int, number: int, sent_at: datetime, reply: AttemptResult) -> None:
    Attempt.objects.create(
        delivery_id=delivery_id,
        number=number,
        at=sent_at,
        status=reply.status,
        # nobody measured an attempt whose sender died
        latency_ms=reply.latency_ms if reply.error != LOST else None,
        error=reply.error,
        excerpt=reply.excerpt,
    )


def _update_delivery(
    row: Delivery,
    state: State,
    ended_at: datetime | None,
    error: str = "",
    due_at: datetime | None = None,
) -> None:
    Delivery.objects.filter(pk=row.pk).update(
        state=state, ended_at=ended_at, last_error=error, due_at=due_at
    )


def _record_endpoint_failure(endpoint: Endpoint, reply: AttemptResult, now: datetime) -> None:
    if reply.error in (LOST, ALTERED):
        return  # our own failure: it says nothing about the receiver
    rows = Endpoint.objects.filter(pk=endpoint.pk)
    # by the database: several attempts at one endpoint end at once
    rows.filter(failing_since=None).update(failing_since=now)
    rows.update(
        failures=F("failures") + 1,
        slow=reply.error == "timeout",
        last_error=reply.error,
        last_attempt_at=now,
    )
    endpoint.refresh_from_db()
    failing = rules.is_failing(
        since=endpoint.failing_since,
        resumed_at=endpoint.resumed_at,
        failures=endpoint.failures,
        now=now,
    )
    if failing:
        pause_endpoint(endpoint=endpoint, why=Pause.FAILING, now=now)


def reschedule_far_deliveries(*, now: datetime) -> int:
    """Plan deliveries again that are planned further ahead than possible; returns how many.

    The clock that chose their time has been set back.
    """
    # by the attempts made: none is due at once, others after the wait of document 2 section 6
    waits = {
        tries: rules.delay_before_next_attempt(tries=tries) or timedelta()
        for tries in range(rules.ATTEMPTS)
    }
    pending = Delivery.objects.filter(state=State.PENDING)
    moved = sum(
        pending.filter(tries=tries, due_at__gt=now + wait + SKEW).update(due_at=now + wait)
        for tries, wait in waits.items()
    )
    sending = Delivery.objects.filter(state=State.SENDING, due_at__gt=now + LEASE + SKEW)
    return moved + sending.update(due_at=now + LEASE)


def recover_lost_attempts(*, now: datetime) -> int:
    """Record attempts whose sender died as failed; returns how many.

    It is unknown whether they arrived, so they are repeated like any failed one: delivery is at
    least once.
    """
    rows = Delivery.objects.lapsed(now).order_by("due_at")
    lost = list(rows.values_list("pk", "attempts", "due_at")[:AT_ONCE])
    for pk, number, lapsed_at in lost:
        record_attempt(
            delivery_id=pk,
            number=number,
            # the lease began when it was claimed
            sent_at=(lapsed_at or now) - LEASE,
            reply=AttemptResult(error=LOST),
            now=now,
        )
    return len(lost)
