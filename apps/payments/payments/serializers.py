"""Shapes of payments (document 2 sections 2.1 and 2.2)."""

from apps.compliance.vop.rules import RESULTS
from apps.compliance.vop.serializers import RESOLVED
from apps.payments.chain.rules.lifecycle import STATES as TRANSFER_STATES
from apps.payments.payments.rules.lifecycle import STATES
from apps.platform.core.api.shapes import EpochSeconds, Flag, OneOf, Shape, Text, Whole


class SettlementOut(Shape):
    """How a payment settled; `amount` and `fee` together are what was instructed."""

    tx_hash = Text(help_text="SANDBOX-… where nothing was transferred.")
    amount = Text(help_text="What the creditor receives, in `currency`.")
    currency = Text()
    asset = Text()
    network = Text()
    exchange_rate = Text(help_text="USD for one unit of `currency`, locked as it was priced.")
    fee = Text(help_text="In `currency`.")


class PayeeCheckOut(Shape):
    """What the payee check found (document 1 section 2.2)."""

    request_id = Text()
    result = OneOf(choices=RESULTS)
    proceed_safe = Flag()
    score = Whole()
    resolved_by = OneOf(choices=RESOLVED)
    message = Text()


class ComplianceOut(Shape):
    """What the checks came to; all false for a payment that is BLOCKED, whatever blocked it.

    `micaCompliant`: no check stands against the payment.
    `geniusCompliant`: besides, FATF R.16 is satisfied.
    """

    fatf_r16_compliant = Flag()
    mica_compliant = Flag()
    genius_compliant = Flag()
    regulatory_note = Text()


class TransferOut(Shape):
    """How far the transfer of a payment is; it settles when it is FINAL."""

    state = OneOf(choices=TRANSFER_STATES)
    tx_hash = Text(required=False)
    confirmations = Whole()
    needed = Whole(help_text="Blocks; as a rule, where `until` says what decides.")
    until = Text(required=False, help_text="safe or finalized: the chain's own mark of the block.")
    why = Text(required=False, help_text="Why a transfer does not count, or no more.")


class ExecutionOut(Shape):
    """The transfer that you execute, exactly so, before the deadline."""

    chain_id = Whole()
    network = Text()
    asset = Text()
    asset_address = Text(help_text="The token's contract.")
    sender = Text(required=False, help_text="From whom it must come.")
    recipient = Text()
    amount = Text(help_text="In the asset.")
    amount_minor = Text(help_text="In the asset's smallest units, as the contract takes it.")
    reference = Text(
        help_text="Use it as the nonce of transferWithAuthorization (EIP-3009): the transfer is "
        "then bound to this payment, whoever else pays the same."
    )
    deadline = EpochSeconds()
    transfer = TransferOut()


class PaymentOut(Shape):
    """A payment; a callback's body is the same.

    `vop` is there once the checks ran, `statusDetail` while it is HELD for review, `compliance` and
    `settledAt` at the end, `execution` while it is AWAITING_SETTLEMENT on a chain.
    """

    svc_payment_id = Text()
    tms_reference = Text()
    status = OneOf(choices=STATES)
    status_detail = Text(
        required=False,
        help_text="Where it is HELD: what that means for you. The same whatever the reason.",
    )
    submitted_at = EpochSeconds()
    settled_at = EpochSeconds(required=False)
    settlement = SettlementOut(required=False)
    vop = PayeeCheckOut(required=False)
    compliance = ComplianceOut(required=False)
    error = Text(required=False, help_text="Where it is BLOCKED or FAILED.")
    execution = ExecutionOut(required=False)
