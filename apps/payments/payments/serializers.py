"""Shapes of payments (document 2 sections 2.1 and 2.2)."""

from apps.compliance.payees.rules.payee_check import RESULTS
from apps.compliance.payees.vop.serializers import RESOLVED
from apps.payments.callbacks.selectors.feed import LARGEST_PAGE
from apps.payments.chain.rules.transitions import STATES as TRANSFER_STATES
from apps.payments.payments.instructions import LONGEST_REFERENCE
from apps.payments.payments.rules.transitions import STATES
from apps.platform.api.shapes import EpochSeconds, Flag, FreeObject, OneOf, Shape, Text, Whole


class SettlementOut(Shape):
    """How a payment settled; `amount` and `fee` add up to the instructed amount."""

    tx_hash = Text(help_text="SANDBOX-… if nothing was transferred.")
    amount = Text(help_text="What the creditor receives, in `currency`.")
    currency = Text()
    asset = Text()
    network = Text()
    exchange_rate = Text(
        help_text="USD for one unit of `currency`, fixed when the payment was priced."
    )
    fee = Text(help_text="In `currency`.")


class PayeeCheckOut(Shape):
    """The result of the payee check (document 1 section 2.2)."""

    request_id = Text()
    result = OneOf(choices=RESULTS)
    proceed_safe = Flag()
    score = Whole()
    resolved_by = OneOf(choices=RESOLVED)
    message = Text()


class ComplianceOut(Shape):
    """The results of the checks; all false for a payment that is BLOCKED, whatever blocked it.

    `micaCompliant`: no check objects to the payment. `geniusCompliant`: in addition, FATF R.16 is
    satisfied.
    """

    fatf_r16_compliant = Flag()
    mica_compliant = Flag()
    genius_compliant = Flag()
    regulatory_note = Text()


class TransferOut(Shape):
    """The progress of a payment's transfer; the payment settles when it is FINAL."""

    state = OneOf(choices=TRANSFER_STATES)
    tx_hash = Text(required=False)
    confirmations = Whole()
    needed = Whole(help_text="In blocks; only indicative if `until` says what decides.")
    until = Text(required=False, help_text="safe or finalized: the chain's own mark of the block.")
    why = Text(required=False, help_text="Why a transfer does not count, or no longer counts.")


class ExecutionOut(Shape):
    """The transfer for you to execute, exactly as given, before the deadline."""

    chain_id = Whole()
    network = Text()
    asset = Text()
    asset_address = Text(help_text="The token's contract.")
    sender = Text(required=False, help_text="The address it must come from.")
    recipient = Text()
    amount = Text(help_text="In the asset.")
    amount_minor = Text(help_text="In the asset's smallest units, as the contract expects it.")
    reference = Text(
        help_text="Use it as the nonce of transferWithAuthorization (EIP-3009): the transfer is "
        "then bound to this payment, even if others pay the same amount."
    )
    deadline = EpochSeconds()
    transfer = TransferOut()


class PaymentOut(Shape):
    """A payment; the body of a callback is the same.

    `vop` is present once the checks ran, `statusDetail` while the payment is HELD for review,
    `compliance` and `settledAt` at the end, `execution` while it is AWAITING_SETTLEMENT on a chain.
    """

    svc_payment_id = Text()
    tms_reference = Text()
    status = OneOf(choices=STATES)
    status_detail = Text(
        required=False,
        help_text="If it is HELD: what that means for you. The same whatever the reason.",
    )
    submitted_at = EpochSeconds()
    settled_at = EpochSeconds(required=False)
    settlement = SettlementOut(required=False)
    vop = PayeeCheckOut(required=False)
    compliance = ComplianceOut(required=False)
    error = Text(required=False, help_text="If it is BLOCKED or FAILED.")
    execution = ExecutionOut(required=False)


class ReferenceQuery(Shape):
    """The payment, by your reference."""

    tms_reference = Text(max_length=LONGEST_REFERENCE, help_text="As you sent it.")


class TransactionIn(Shape):
    """The transaction that carries the payment."""

    tx_hash = Text(max_length=66, help_text="0x and 64 hexadecimal digits.")


class EventsQuery(Shape):
    """From where, and how many."""

    cursor = Text(required=False, max_length=20, help_text="`cursor` of an earlier answer.")
    limit = Whole(required=False, min_value=1, max_value=LARGEST_PAGE, help_text="50 by default.")


class EventOut(Shape):
    """One thing that happened to a payment or a settlement; `data` is the body of the callback."""

    number = Whole(help_text="Increases by one for your institution.")
    event_id = Text()
    event = Text(
        help_text="payment.settled, payment.blocked, payment.failed, payment.held, or "
        "payment.awaiting_settlement: its transfer is for you to execute. For a "
        "settlement `settlement.` and its status; bank.routed for a bank payment with `svcRoute`."
    )
    svc_payment_id = Text(help_text="The settlementId for a settlement.")
    at = EpochSeconds()
    data = FreeObject(  # type: ignore[assignment]
        required=False,
        help_text="The object at that time, in the form that GET returns; omitted once purged.",
    )


class EventsOut(Shape):
    """Events in their order. `next` leads to more; call again later with `cursor`."""

    items = EventOut(many=True)
    next = Text(required=False)
    cursor = Text(required=False)
