"""Refuse payments and sessions whose rows differ from their records."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.db.models import Sum

from apps.access.paywall.integrity import find_payment_faults, find_session_faults
from apps.access.paywall.models import PaymentClaim, PaymentStep, Receipt, StreamSession
from apps.access.paywall.problems import PaidCallIntegrityError
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.problems import Unavailable
from apps.platform.desk.proposal_records import snapshot_row
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class SessionIntegrityError(Unavailable):
    """Integrity check failed for the session: it was altered."""

    code, title = "session_unproved", "Session integrity check failed"


def require_paid(row: PaymentClaim) -> None:
    """Raise PaidCallIntegrityError (503) for a payment without an authentic receipt."""
    if any(
        find_payment_faults(row, filter_verified_records(Receipt.objects.filter(claim_id=row.pk)))
    ):
        raise PaidCallIntegrityError(
            "No valid record says that this payment was taken. Contact the operator."
        )


def record_session_step(
    *,
    session: StreamSession,
    step: PaymentStep.Step,
    amount: Decimal,
    now: datetime,
    tick: str = "",
) -> None:
    """Append a step with the session's state after it; call it in the step's transaction."""
    payload = {"stands": snapshot_row(session)} | ({"tick": tick} if tick else {})
    PaymentStep.write(
        payload=payload,
        now=now,
        claim_id=session.claim_id,
        session=session.pk,
        step=step,
        amount=from_micro(to_micro(amount)),  # as the database returns it
    )


def lock_recorded_session(session: StreamSession) -> StreamSession:
    """Return a session, locked and as last recorded; call it in a transaction.

    Raises SessionIntegrityError (503).
    """
    # credit taken from an altered row would be recorded, and our own record would then confirm it
    return require_recorded_session(StreamSession.objects.select_for_update().get(pk=session.pk))


def require_recorded_session(row: StreamSession) -> StreamSession:
    """Return a session that is as last recorded; SessionIntegrityError (503) otherwise."""
    _require_unaltered(not list(find_session_faults(row, _load_last_step(row))))
    return row


def _load_last_step(row: StreamSession) -> Sequence[PaymentStep]:
    # `step_of_session_no_copy` of PaymentStep keeps a copied step from being the last one
    of = PaymentStep.objects.filter(session=row.pk, step__in=PaymentStep.OF_SESSIONS)
    return filter_verified_records(of.order_by("-pk")[:1])


def compute_session_rest(row: StreamSession) -> Decimal:
    """Return the remaining credit according to the receipt and the ticks.

    Raises SessionIntegrityError (503) if the row says otherwise.
    """
    receipts = Receipt.objects.filter(claim_id=row.claim_id, kind=Receipt.Kind.PAYMENT)
    paid = sum((receipt.amount for receipt in filter_verified_records(receipts)), Decimal(0))
    # ticks are append-only in the database, and verify_ledger compares their sum with the credit
    taken = row.ticks.aggregate(taken=Sum("amount"))["taken"] or Decimal(0)
    left = paid - taken
    _require_unaltered(row.credit == paid and row.balance == left)
    return left


def _require_unaltered(holds: bool) -> None:
    if not holds:
        raise SessionIntegrityError(
            "Integrity check failed for this session. Contact the operator."
        )
