"""Stream sessions: opened by a payment, used by who holds the secret, never below zero."""

import hashlib
import logging
import secrets
import string
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import F

from apps.access.paywall import record_guards
from apps.access.paywall.models import PaymentClaim, PaymentStep, Receipt, StreamSession, Tick
from apps.access.paywall.models.sessions import LOOKUP_LENGTH
from apps.access.paywall.problems import CreditSpent
from apps.access.paywall.record_guards import SessionIntegrityError
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.problems import Conflict, DomainError
from config.prices import STREAM_UNITS

logger = logging.getLogger(__name__)
PREFIX = "svc_str_"
ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 43  # 62^43 is just over 2^256
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
    """What is taken from a session at once: `tick_id` says which use it is."""

    tick_id: str
    unit: str
    count: int
    amount: Decimal
    resource: str = ""


def _generate_random_text(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _hash_secret(secret: str) -> str:
    """Return a secret's SHA-256; secrets are random, so no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def open_session(
    *, claim: PaymentClaim, unit: str, lasts: timedelta, reference: str, now: datetime
) -> tuple[StreamSession, str]:
    """Open a session with the credit that a payment bought; returns it and its secret, once."""
    lookup = _generate_random_text(LOOKUP_LENGTH)
    secret = f"{PREFIX}{lookup}{_generate_random_text(SECRET_LENGTH)}"
    session = StreamSession.objects.create(
        claim=claim,
        lookup=lookup,
        digest=_hash_secret(secret),
        payer=claim.payer,
        unit_type=unit,
        unit_price=from_micro(STREAM_UNITS[unit]),
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
    """Return the session that a secret proves, open or not; None for a secret of none."""
    lookup = secret[len(PREFIX) : len(PREFIX) + LOOKUP_LENGTH]
    known = secret.startswith(PREFIX) and secret.isascii()
    session = StreamSession.objects.filter(lookup=lookup).first() if known else None
    # an unknown secret costs the same work as a known one
    proved = (session or StreamSession(digest="0" * 64)).matches(_hash_secret(secret))
    return session if session is not None and proved else None


def record_tick(
    *, session: StreamSession, tick_id: str, unit: str, count: int, now: datetime
) -> tuple[Tick, bool]:
    """Take units from a session once; returns the tick, and whether it had been taken before.

    Raises WrongUnit (422), CreditSpent (402), SessionEnded and TickMismatch (409). A tick is taken
    whole or not at all.
    """
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
    found = session.ticks.filter(tick_id=use.tick_id).first()
    if found is not None and (found.unit, found.count) != (use.unit, use.count):
        raise TickMismatch("This tick id was already used with another count.")
    return found


def charge_call(*, session: StreamSession, amount: Decimal, resource: str, now: datetime) -> Tick:
    """Take the price of a call, in the call's own transaction: CreditSpent undoes the call."""
    use = CreditUse(f"call-{uuid.uuid4()}", CALL, 1, amount, resource)
    return take_credit(session=session, use=use, now=now)


@transaction.atomic
def take_credit(*, session: StreamSession, use: CreditUse, now: datetime) -> Tick:
    """Take an amount by compare-and-set: the row's lock holds until the transaction ends.

    Raises SessionIntegrityError (503) for a session that somebody altered.
    """
    row = record_guards.lock_recorded_session(session)
    open_now = StreamSession.objects.filter(pk=session.pk, state=State.OPEN, expires_at__gt=now)
    if not open_now.filter(balance__gte=use.amount).update(
        balance=F("balance") - to_micro(use.amount)
    ):
        raise _build_refusal(session, open_now.exists())
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


def _build_refusal(session: StreamSession, is_open: bool) -> DomainError:
    if not is_open:
        return SessionEnded("The session is closed or expired.")
    session.refresh_from_db(fields=["balance"])
    return CreditSpent(f"The session has {session.balance} USDC left, less than this costs.")


@transaction.atomic
def close_session(
    *, session: StreamSession, now: datetime, state: State = State.CLOSED
) -> StreamSession:
    """End a session and record what is owed back; one that has ended stays as it was.

    Nothing is owed on the row's own word: SessionIntegrityError (503) unless what is left is what
    was paid, less what the ticks took.
    """
    row = record_guards.lock_recorded_session(session)
    if row.state != State.OPEN:
        return row
    row.refundable = record_guards.compute_session_rest(row)
    row.state, row.closed_at = state, now
    row.save(update_fields=["state", "closed_at", "refundable"])
    record_guards.record_session_step(session=row, step=Step.ENDED, amount=row.refundable, now=now)
    if row.refundable:
        claim = row.claim
        Receipt.write(
            payload={"payer": claim.payer, "sessionId": str(row.session_id)},
            now=now,
            kind=Receipt.Kind.REFUND_DUE,
            claim_id=claim.pk,
            resource=claim.resource,
            amount=row.refundable,
            network=f"eip155:{claim.chain_id}",
            facilitator=claim.facilitator,
            transaction="",
        )
    return row


def expire_sessions(*, now: datetime, most: int = 500) -> int:
    """Close sessions whose time is over; returns how many."""
    over = StreamSession.objects.filter(state=State.OPEN, expires_at__lte=now)
    ended = 0
    for session in over.order_by("expires_at")[:most]:
        try:
            close_session(session=session, now=now, state=State.EXPIRED)
            ended += 1
        except SessionIntegrityError as error:  # it stays open for a person: the others end
            logger.error("session %s is not closed: %s", session.pk, error)
    return ended
