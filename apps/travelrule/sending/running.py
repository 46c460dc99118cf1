"""Attempts at transmissions: claimed, posted outside any transaction, settled by compare-and-set.

An attempt is counted before anything is sent. One whose sender died is logged as interrupted, and
the next sends the same bytes: the receiver knows a message that it has.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from apps.callbacks.sending import Reply, post
from apps.core.clock import SKEW
from apps.core.clock import now as present
from apps.core.jobs import Again, enqueue
from apps.travelrule.models import Transmission, TravelAttempt
from apps.travelrule.moving import move
from apps.travelrule.rules import sending as rules
from apps.travelrule.sending import cases
from apps.travelrule.sending.answers import host_of, id_of
from apps.travelrule.sending.beginning import TRANSMIT, key_of
from apps.travelrule.sending.preparing import Ready, Unsendable, ready
from apps.upstreams import breaker

LEASE = timedelta(minutes=1)  # an attempt takes ten seconds at most
SWEPT = 500


@dataclass(frozen=True, slots=True)
class Claimed:
    """An attempt that is counted: `ready` is what it sends, or `word` why it sends nothing."""

    pk: int
    number: int
    lei: str
    ready: Ready | None
    word: str = ""


def transmit(key: str, now: datetime) -> None:
    """Make the attempt that is due at a transmission; the job `travelrule.transmit`.

    Run twice, or where nothing is due, it does nothing more. Again while another one sends.
    """
    claimed = claim(int(key.partition("/")[0]), now=now)
    if claimed is None:
        return
    reply = Reply(error=claimed.word)
    if claimed.ready is not None:
        reply = sent(claimed, now=now)
    settle(claimed, reply, sent_at=now, now=max(now, present()))


def sent(claimed: Claimed, *, now: datetime) -> Reply:
    """Post a message once, unless its receiver is left alone after failures in a row."""
    assert claimed.ready is not None
    name = f"vasp-{claimed.lei}"
    if breaker.is_open(name, now):
        return Reply(error="paused")
    one = claimed.ready
    reply = post(url=one.url, content=one.content, headers=one.headers)
    if reply.error and rules.word_of(reply.error, reply.status) != "refused":
        breaker.failed(name, reply.error, now)
    else:  # a refusal is an answer, not a fault of the counterparty's server
        breaker.succeeded(name, now)
    return reply


@transaction.atomic
def claim(pk: int, *, now: datetime) -> Claimed | None:
    """Count the attempt that is due; None where none is, or the last one was just settled as lost.

    Again where another sends at this moment.
    """
    rows = Transmission.objects.select_for_update(of=("self",)).select_related("record")
    row = rows.filter(pk=pk, due_at__isnull=False).first()
    if row is None or row.due_at is None:
        return None
    if row.due_at > now:
        if row.sending:
            raise Again(row.due_at)
        return None
    if row.sending:
        _settle(row, Reply(error="interrupted"), sent_at=row.due_at - LEASE, url="", now=now)
        return None
    row.tries, row.sending, row.due_at = row.tries + 1, True, now + LEASE
    made, word = None, ""
    try:
        made = ready(row, now=now)
    except Unsendable as error:
        word = error.word
    row.save()
    return Claimed(row.pk, row.tries, row.lei, made, word)


@transaction.atomic
def settle(claimed: Claimed, reply: Reply, *, sent_at: datetime, now: datetime) -> bool:
    """Log an attempt and plan what follows it; False when it was settled before."""
    rows = Transmission.objects.select_for_update(of=("self",)).select_related("record")
    row = rows.filter(pk=claimed.pk, tries=claimed.number, sending=True).first()
    if row is None:
        return False
    url = claimed.ready.url if claimed.ready else ""
    _settle(row, reply, sent_at=sent_at, url=url, now=now)
    return True


def _settle(row: Transmission, reply: Reply, *, sent_at: datetime, url: str, now: datetime) -> None:
    word = rules.word_of(reply.error, reply.status)
    attempt = TravelAttempt.objects.create(
        transmission=row,
        number=row.tries,
        at=sent_at,
        host=host_of(url),
        sha256=row.sha256 if reply.status or word not in _UNSENT else "",
        status=reply.status,
        latency_ms=reply.latency_ms if reply.status else None,
        error=word,
        receiver_id=id_of(reply.beginning) if not word else "",
    )
    row.sending, wait = False, rules.wait(tries=row.tries, word=word) if word else None
    row.due_at = now + wait if wait else None
    row.save()
    if row.due_at:
        enqueue(job=TRANSMIT, key=key_of(row, row.tries + 1), now=now, eta=row.due_at)
        return
    _end(row, attempt, now)


_UNSENT = frozenset({"paused", "unproved", "no_key", "not_listed", "erased", "incomplete"})


def _end(row: Transmission, attempt: TravelAttempt, now: datetime) -> None:
    """Move the record on: the counterparty took its message, or nobody tries any more."""
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
    kept = {name: one for name, one in facts.items() if one not in ("", None)}
    move(row.record, "GAVE_UP" if attempt.error else "DELIVERED", now=now, facts=kept)
    if attempt.error:
        cases.gave_up(row, attempt.error, now=now)


def sweep(key: str, now: datetime) -> None:
    """Plan what is due and was missed: a job is made for each attempt, and may have been lost."""
    recall(now=now)
    missed = Transmission.objects.filter(due_at__lte=now - LEASE).order_by("due_at")[:SWEPT]
    for row in missed:
        enqueue(job=TRANSMIT, key=key_of(row, row.tries + 1), now=now)


def recall(*, now: datetime) -> int:
    """Plan anew, from now, what is planned further ahead than it ever is; returns how many.

    The clock that chose its time has been set back. What is being sent keeps its lease.
    """
    found = Transmission.objects.filter(due_at__gt=now + LEASE + SKEW)
    moved = found.filter(sending=True).update(due_at=now + LEASE)
    for tries, wait in enumerate((timedelta(), *rules.WAITS)):
        late = found.filter(sending=False, tries=tries, due_at__gt=now + wait + SKEW)
        for row in late.order_by("due_at")[:SWEPT]:
            moved += _moved(row, now, now + wait)
    return moved


@transaction.atomic
def _moved(row: Transmission, now: datetime, due: datetime) -> int:
    same = Transmission.objects.filter(pk=row.pk, sending=False, due_at=row.due_at)
    if won := same.update(due_at=due):
        enqueue(job=TRANSMIT, key=key_of(row, row.tries + 1), now=now, eta=due)
    return won
