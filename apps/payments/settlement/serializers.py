"""Shapes of the settlement agent (document 2 section 2.4)."""

from decimal import Decimal

from apps.compliance.payees.serializers import WalletAddress
from apps.payments.payments.rules.assets import ASSETS
from apps.payments.settlement.rules.flow import CHECKS, DECISIONS, OUTCOMES
from apps.payments.settlement.rules.status_notes import STATUSES
from apps.platform.api.shapes import (
    Currency,
    EpochSeconds,
    Flag,
    Identifier,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
)

# of an amount; not shown in the specification. The largest fits into a column of micro-units.
LEAST, MOST = Decimal("0.01"), Decimal(10**12 - 1)


class FlowQuery(Shape):
    """What to settle, and to whom."""

    amount = Number(min_value=LEAST, max_value=MOST, help_text="In `from`.")
    from_ = Currency(help_text="The currency of the amount.")
    to = Currency(help_text="The currency in which the recipient is paid.")
    recipient_address = WalletAddress(help_text="The wallet that is paid.")


class CheckOut(Shape):
    """One check. HOLD and NOT_RUN hold the settlement, BLOCK blocks it."""

    name = OneOf(choices=CHECKS)
    outcome = OneOf(choices=OUTCOMES)
    rule = Text()
    rule_reference = Text()
    message = Text()
    source = Text(help_text="The basis of its result.")  # type: ignore[assignment]
    checked_at = EpochSeconds()
    elapsed_ms = Whole()


class RouteOut(Shape):
    """The asset in which it would settle."""

    asset = OneOf(choices=tuple(ASSETS))
    network = Text()
    fx = Flag(help_text="Currencies are crossed, so the exchange fee applies.")


class FlowOut(Shape):
    """Whether a settlement may proceed; `blockReason` is present if not."""

    decision = OneOf(choices=DECISIONS)
    block_reason = Text(required=False)
    checks = CheckOut(many=True)
    amount_usd = Number(required=False, help_text="If a rate is available.")
    route = RouteOut(required=False)
    oracle_status = Text(required=False, help_text="Of the stability oracle.")
    oracle_score = Number(required=False)
    data_quality = OneOf(choices=("LIVE", "SAMPLE", "PARTIAL"))
    checked_at = EpochSeconds()


class SettleIn(Shape):
    """A requested settlement (document 2 section 2.4); the optional fields are ours."""

    amount = Number(min_value=LEAST, max_value=MOST, help_text="In `sourceCurrency`.")
    source_currency = Currency()
    destination_currency = Currency()
    recipient_address = WalletAddress(help_text="The wallet that is paid.")
    sandbox = Flag(
        help_text="true: the complete process, but nothing on a chain; no key is needed."
    )
    quote_id = Identifier(required=False, help_text="A quote for it, which can be used once.")
    reference_id = Text(
        required=False,
        max_length=140,
        help_text="Your own: the same reference again is the same settlement, and resubmits a "
        "held one.",
    )
    settlement_wallet = WalletAddress(
        required=False,
        help_text="The whitelisted wallet that pays; required if you have several.",
    )


class FeesTakenOut(Shape):
    """The fees of the quote, in USD."""

    core = Text()
    fx = Text()
    esg = Text()
    license = Text()


class QuoteTakenOut(Shape):
    """The quote that a settlement used, and its amounts."""

    quote_id = Text()
    fees_usd = FeesTakenOut()
    total_fee_usd = Text()
    fee = Text(help_text="In `sourceCurrency`.")
    net = Text(help_text="Amount paid, in `sourceCurrency`.")
    exchange_rate = Text(help_text="USD for one unit of `sourceCurrency`.")
    destination_rate = Text(
        required=False, help_text="USD for one unit of `destinationCurrency`, if exchanged."
    )


class ExecutionOut(Shape):
    """What executes the transfer; use `reference` as the nonce of EIP-3009: it binds the order."""

    chain_id = Whole()
    network = Text()
    asset = OneOf(choices=tuple(ASSETS))
    asset_address = Text()
    recipient = Text()
    amount = Text()
    amount_minor = Text(help_text="In the smallest unit of the asset.")
    reference = Text()
    deadline = EpochSeconds()


class ConfirmationOut(Shape):
    """The progress of its transfer."""

    tx_hash = Text(required=False)
    confirmations = Whole()
    needed = Whole()
    note = Text(required=False)


class SettleOut(Shape):
    """A settlement. `reasoning` and `oracleScore` are present while it is held.

    `execution` and `confirmation` are present in production once no check objects to it.
    """

    settlement_id = Text(help_text="SANDBOX-… if nothing is transferred.")
    status = OneOf(choices=STATUSES)
    sandbox = Flag()
    reference_id = Text(required=False)
    amount = Number(max_value=MOST)
    source_currency = Text()
    destination_currency = Text()
    recipient_address = Text()
    asset = OneOf(choices=tuple(ASSETS))
    network = Text()
    decision = OneOf(choices=DECISIONS)
    block_reason = Text(required=False)
    reasoning = Text(required=False)
    oracle_status = Text(required=False)
    oracle_score = Number(required=False)
    quote = QuoteTakenOut(required=False)
    execution = ExecutionOut(required=False)
    confirmation = ConfirmationOut(required=False)
    checks = CheckOut(many=True)
    note = Text(required=False)
    submitted_at = EpochSeconds()
    settled_at = EpochSeconds(required=False)


class TransactionIn(Shape):
    """The transaction that executes a settlement."""

    tx_hash = Text(max_length=66, help_text="0x and 64 hexadecimal digits.")
