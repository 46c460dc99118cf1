"""Verify payments and sessions against their records: money moves only with a record.

An attacker who can write the database can raise a balance, reopen a session or undo that a payment
was answered, but cannot record that it happened.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Sum
from django.db.models.functions import Coalesce

from apps.access.paywall.models import PaymentClaim, PaymentStep, Receipt, State, StreamSession
from apps.platform.common.batches import iter_chunks
from apps.platform.common.money import MoneyField
from apps.platform.desk.proposal_records import snapshot_row
from apps.platform.ledger.verification.projection_checks import (
    BATCH,
    Projection,
    describe_difference,
)

# states of a payment whose money arrived, and so must have a receipt
CAME = (State.SETTLED, State.OWED)
COLUMNS = ("amount", "resource", "facilitator", "transaction")
# members of a receipt's payload, and the columns that they repeat
STATED = {"payer": "payer", "payTo": "pay_to", "asset": "asset", "nonce": "nonce",
          "chainId": "chain_id", "fingerprint": "fingerprint"}  # fmt: skip
Progress = Callable[[int], None]


def find_payment_faults(row: PaymentClaim, receipts: Sequence[Receipt]) -> Iterator[str]:
    """Yield in words where a payment differs from its receipts."""
    paid = next((receipt for receipt in receipts if receipt.kind == Receipt.Kind.PAYMENT), None)
    if (row.state in CAME) != (paid is not None):
        yield f"it is {row.state}, but the receipt of money is {'' if paid else 'not '}recorded"
    if paid is not None:
        for name in COLUMNS:
            if getattr(row, name) != getattr(paid, name):
                yield f"its {name} differs from the record"
        for name, column in STATED.items():
            if not paid.purged and paid.data[name] != getattr(row, column):
                yield f"its {column} differs from the record"
    backs = [receipt for receipt in receipts if receipt.kind == Receipt.Kind.REFUND_DUE]
    # a refund with a session is the rest of its credit: the payment itself stays SETTLED
    owed = any("sessionId" not in back.data for back in backs)
    # a purged receipt no longer says whether it was of a session
    if owed != (row.state == State.OWED) and not any(back.purged for back in backs):
        yield f"it is {row.state}, but a refund due is {'' if owed else 'not '}recorded"


PAYMENTS = Projection(
    name="payment",
    rows=PaymentClaim.objects.all(),
    records=Receipt.objects.all(),
    of="claim_id",
    faults=find_payment_faults,
)


def find_answer_faults(progress: Progress) -> Iterator[str]:
    """Yield payments that are answered without a record of it, or recorded as answered but not."""
    step = PaymentStep.objects.filter(claim_id=OuterRef("pk"), step=PaymentStep.Step.ANSWERED)
    for recorded, rows in (
        (False, PaymentClaim.objects.filter(answered_at__isnull=False)),
        (True, PaymentClaim.objects.filter(answered_at=None)),
    ):
        odd = rows.filter(Exists(step) if recorded else ~Exists(step)).order_by("pk")
        for batch in iter_chunks(odd.values_list("pk", flat=True).iterator(BATCH), BATCH):
            for pk in batch:
                how = "recorded, but not in its row" if recorded else "not recorded"
                yield f"payment {pk}: its answer is {how}"
    progress(PaymentClaim.objects.count())


def find_session_faults(row: StreamSession, steps: Sequence[PaymentStep]) -> Iterator[str]:
    """Yield in words where a session differs from its last step."""
    if not steps:
        yield "its opening is not recorded"
        return
    if steps[-1].purged:
        return
    shown, recorded = snapshot_row(row), steps[-1].data["stands"]
    for name in recorded:
        if name in shown and shown[name] != recorded[name]:
            yield describe_difference(name, shown[name], recorded[name])


_STEPS = PaymentStep.objects.filter(step__in=PaymentStep.OF_SESSIONS)
# only the last step of a session has its state: one record a session is read, not all
_LATER = _STEPS.filter(session=OuterRef("session"), pk__gt=OuterRef("pk"))
SESSIONS = Projection(
    name="session",
    rows=StreamSession.objects.all(),
    records=_STEPS.filter(~Exists(_LATER)),
    of="session",
    faults=find_session_faults,
)


def find_tick_faults(progress: Progress) -> Iterator[str]:
    """Yield sessions whose ticks do not add up to the spent credit; one statement."""
    taken = Coalesce(Sum("ticks__amount"), Decimal(0), output_field=MoneyField())
    # in whole micro-units, so that the database's sums are exact
    odd = StreamSession.objects.annotate(taken=taken).exclude(taken=F("credit") - F("balance"))
    for pk in odd.order_by("pk").values_list("pk", flat=True).iterator(BATCH):
        yield f"session {pk}: its balance differs from its credit less its ticks"
    progress(StreamSession.objects.count())


def verify_payments(progress: Progress) -> Iterator[str]:
    """Yield where payments differ from their receipts."""
    yield from PAYMENTS.compare(progress)


def verify_payment_steps(progress: Progress) -> Iterator[str]:
    """Yield where answers and sessions differ from their steps."""
    yield from find_answer_faults(progress)
    yield from SESSIONS.compare(progress)
    yield from find_tick_faults(progress)
