"""Stream sessions: opened by a payment, used by the holder of the secret, never overdrawn."""

import logging
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import F

from apps.access.paywall import record_guards
from apps.access.paywall.models import PaymentClaim, PaymentStep, StreamSession, Tick
from apps.access.paywall.models.sessions import LOOKUP_LENGTH
from apps.access.paywall.problems import CreditSpent
from apps.access.paywall.record_guards import SessionIntegrityError
from apps.access.paywall.services.payment_claims import write_refund_receipt
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.crypto.random_secrets import SECRET_LENGTH, generate_random_text, hash_secret
from config.prices import STREAM_UNITS

logger = logging.getLogger(__name__)
PREFIX = "svc_str_"
CALL = "call"
State = StreamSession.State
Step = PaymentStep.Step


class SessionEnded(Conflict):
    """The session is closed or expired."""

    code, title = "session_ended", "The session has ended"


class TickMismatch(Conflict):
    """The tick id was used before with another unit or count."""

    code, title = "tick_id_reused", "Tick id already used"


class WrongUnit(DomainError):
    """The session counts a different unit."""

    status, code, title = 422, "wrong_unit", "Different unit"


@dataclass(frozen=True, slots=True)
class CreditUse:
    """One withdrawal from a session: `tick_id` identifies the use."""

    tick_id: str
    unit: str
    count: int
    amount: Decimal
    resource: str = ""


@transaction.atomic
def open_session(
    *, claim: PaymentClaim, unit: str, lasts: timedelta, reference: str, now: datetime
) -> tuple[StreamSession, str]:
    """Open a session with the credit that a payment bought; returns it and its secret, once."""
    lookup = generate_random_text(LOOKUP_LENGTH)
    secret = f"{PREFIX}{lookup}{generate_random_text(SECRET_LENGTH)}"
    session = StreamSession.objects.create(
        claim=claim,
        lookup=lookup,
        digest=hash_secret(secret),
        payer=claim.payer,
        unit_type=unit,
        unit_price=from_micro(STREAM_UNITS[unit]),
        # what was settled, not what the request says
        credit=claim.amount,
        balance=claim.amount,
        reference=reference,
        opened_at=now,
        expires_at=now + lasts,
    )
    record_guards.record_session_step(
        session=session, step=Step.OPENED, amount=session.credit, now=now
    )
    return session, secret


def find_session_by_secret(secret: str) -> StreamSession | None:
    """Return the session of a secret, open or not; None for an unknown secret."""
    lookup = secret[len(PREFIX) : len(PREFIX) + LOOKUP_LENGTH]
    known = secret.startswith(PREFIX) and secret.isascii()
    session = StreamSession.objects.filter(lookup=lookup).first() if known else None
    # an unknown secret costs the same work as a known one
    proved = (session or StreamSession(digest="0" * 64)).matches(hash_secret(secret))
    return session if session is not None and proved else None


def record_tick(
    *, session: StreamSession, tick_id: str, unit: str, count: int, now: datetime
) -> tuple[Tick, bool]:
    """Take units from a session once; returns the tick, and whether it had been taken before.

    Raises WrongUnit (422), CreditSpent (402), SessionEnded and TickMismatch (409). A tick is taken
    completely or not at all.
    """
    # before the look-up of the tick, so that a wrong unit is reported as such and not as a mismatch
    if unit != session.unit_type:
        raise WrongUnit(f"This session counts the unit {session.unit_type}.")
    use = CreditUse(tick_id, unit, count, session.unit_price * count)
    before = _find_same_tick(session, use)
    if before is not None:
        return before, True
    try:
        with transaction.atomic():
            return take_credit(session=session, use=use, now=now), False
    except IntegrityError:  # the same tick came twice at once, and the other one was faster
        same_tick = _find_same_tick(session, use)
        if same_tick is None:
            raise
        return same_tick, True


def _find_same_tick(session: StreamSession, use: CreditUse) -> Tick | None:
    tick = session.ticks.filter(tick_id=use.tick_id).first()
    if tick is not None and (tick.unit, tick.count) != (use.unit, use.count):
        raise TickMismatch("This tick id was already used with another count.")
    return tick


def charge_call(*, session: StreamSession, amount: Decimal, resource: str, now: datetime) -> Tick:
    """Take the price of a call in the call's own transaction: CreditSpent rolls the call back."""
    # never repeated: a repeat of the call is answered from its Idempotency-Key
    use = CreditUse(f"call-{uuid.uuid4()}", CALL, 1, amount, resource)
    return take_credit(session=session, use=use, now=now)


@transaction.atomic
def take_credit(*, session: StreamSession, use: CreditUse, now: datetime) -> Tick:
    """Take an amount by compare-and-set: the row is locked until the transaction ends.

    Raises SessionIntegrityError (503) for a session that was altered.
    """
    # the lock serializes on PostgreSQL; SQLite has one writer at a time, and the update below is
    # right on both
    row = record_guards.lock_recorded_session(session)
    open_now = StreamSession.objects.filter(pk=session.pk, state=State.OPEN, expires_at__gt=now)
    if not open_now.filter(balance__gte=use.amount).update(
        # in an F() expression a bare number is micro-units (MoneyField)
        balance=F("balance") - to_micro(use.amount)
    ):
        # which of the two conditions failed
        if not open_now.exists():
            raise SessionEnded("The session is closed or expired.")
        session.refresh_from_db(fields=["balance"])
        raise CreditSpent(f"The session has {session.balance} USDC left, less than this costs.")
    row.balance -= use.amount
    tick = Tick.objects.create(
        session=row,
        tick_id=use.tick_id,
        unit=use.unit,
        count=use.count,
        amount=use.amount,
        balance=row.balance,
        resource=use.resource,
        at=now,
    )
    record_guards.record_session_step(
        session=row, step=Step.USED, amount=use.amount, now=now, tick=use.tick_id
    )
    return tick


@transaction.atomic
def close_session(
    *, session: StreamSession, now: datetime, state: State = State.CLOSED
) -> StreamSession:
    """End a session and record the refund; a session that has ended stays as it was.

    A refund is never based on the row alone: SessionIntegrityError (503) unless the remaining
    credit is the paid amount less the ticks.
    """
    row = record_guards.lock_recorded_session(session)
    if row.state != State.OPEN:
        return row
    row.refundable = record_guards.compute_session_rest(row)
    row.state, row.closed_at = state, now
    row.save(update_fields=["state", "closed_at", "refundable"])
    record_guards.record_session_step(session=row, step=Step.ENDED, amount=row.refundable, now=now)
    # no receipt over 0 USDC
    if row.refundable:
        write_refund_receipt(row.claim, row.refundable, now=now, sessionId=str(row.session_id))
    return row


def expire_sessions(*, now: datetime, most: int = 500) -> int:
    """Close expired sessions; returns how many."""
    over = StreamSession.objects.filter(state=State.OPEN, expires_at__lte=now)
    ended = 0
    # each in a transaction of its own, so that one altered session holds up no other
    for session in over.order_by("expires_at")[:most]:
        try:
            close_session(session=session, now=now, state=State.EXPIRED)
            ended += 1
        # it stays open for a person to check; the others are closed
        except SessionIntegrityError as error:
            logger.error("session %s is not closed: %s", session.pk, error)
    return ended
