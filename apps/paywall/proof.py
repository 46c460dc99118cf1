"""Payments and sessions count only as they were recorded: an altered row is refused.

Were credit taken from such a row, or its rest owed back, our own record would bear it out.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.db.models import Sum

from apps.core.chain import proven
from apps.core.money import from_micro, to_micro
from apps.core.problems import Unavailable
from apps.desk.records import stands
from apps.paywall.models import PaymentClaim, PaymentStep, Receipt, StreamSession
from apps.paywall.problems import PaymentUnproved
from apps.paywall.projection import of_payment, of_session


class SessionUnproved(Unavailable):
    """The session is not as it was recorded: somebody altered it."""

    code, title = "session_unproved", "The session cannot be relied on"


def insist_paid(row: PaymentClaim) -> None:
    """Raise PaymentUnproved (503) for a payment that no receipt of ours bears out."""
    if any(of_payment(row, proven(Receipt.objects.filter(claim_id=row.pk)))):
        raise PaymentUnproved("That this payment was taken is not recorded so: ask the operator.")


def record(
    *,
    session: StreamSession,
    step: PaymentStep.Step,
    amount: Decimal,
    now: datetime,
    tick: str = "",
) -> None:
    """Append a step with how the session stands after it; call it in the step's transaction."""
    said = {"stands": stands(session)} | ({"tick": tick} if tick else {})
    PaymentStep.write(
        payload=said,
        now=now,
        claim_id=session.claim_id,
        session=session.pk,
        step=step,
        amount=from_micro(to_micro(amount)),  # as the database gives it back
    )


def locked(session: StreamSession) -> StreamSession:
    """Return a session, locked and as last recorded; call it in a transaction.

    Raises SessionUnproved (503).
    """
    return proved(StreamSession.objects.select_for_update().get(pk=session.pk))


def proved(row: StreamSession) -> StreamSession:
    """Return a session that is as last recorded; SessionUnproved (503) otherwise."""
    _insist(not list(of_session(row, _last(row))))
    return row


def _last(row: StreamSession) -> Sequence[PaymentStep]:
    of = PaymentStep.objects.filter(session=row.pk, step__in=PaymentStep.OF_SESSIONS)
    return proven(of.order_by("-pk")[:1])


def rest(row: StreamSession) -> Decimal:
    """Return what is left of what was paid, as the receipt and the ticks say.

    Raises SessionUnproved (503) where the row says otherwise.
    """
    came = Receipt.objects.filter(claim_id=row.claim_id, kind=Receipt.Kind.PAYMENT)
    paid = sum((one.amount for one in proven(came)), Decimal(0))
    taken = row.ticks.aggregate(taken=Sum("amount"))["taken"] or Decimal(0)
    left = paid - taken
    _insist(row.credit == paid and row.balance == left)
    return left


def _insist(holds: bool) -> None:
    if not holds:
        raise SessionUnproved("The session is not as it was recorded: ask the operator.")
