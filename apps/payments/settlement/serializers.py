"""Shapes of the settlement agent (document 2 section 2.4)."""

from decimal import Decimal

from apps.compliance.registry.serializers import WalletAddress
from apps.payments.payments.rules.assets import ASSETS
from apps.payments.settlement.rules.flow import CHECKS, DECISIONS, OUTCOMES
from apps.payments.settlement.rules.messages import STATUSES
from apps.platform.core.api.shapes import (
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

LEAST, MOST = Decimal("0.01"), Decimal(10**12 - 1)


class FlowQuery(Shape):
    """What is to be settled, and to whom."""

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
    source = Text(help_text="What it rests on.")  # type: ignore[assignment]
    checked_at = EpochSeconds()
    elapsed_ms = Whole()


class RouteOut(Shape):
    """In what it would settle."""

    asset = OneOf(choices=tuple(ASSETS))
    network = Text()
    fx = Flag(help_text="Currencies are crossed: the exchange fee is taken.")


class FlowOut(Shape):
    """Whether a settlement may proceed; `blockReason` is there when not."""

    decision = OneOf(choices=DECISIONS)
    block_reason = Text(required=False)
    checks = CheckOut(many=True)
    amount_usd = Number(required=False, help_text="Where a rate is held.")
    route = RouteOut(required=False)
    oracle_status = Text(required=False, help_text="Of the stability oracle.")
    oracle_score = Number(required=False)
    data_quality = OneOf(choices=("LIVE", "SAMPLE", "PARTIAL"))
    checked_at = EpochSeconds()


class SettleIn(Shape):
    """A settlement that is asked for (document 2 section 2.4); what is optional is ours."""

    amount = Number(min_value=LEAST, max_value=MOST, help_text="In `sourceCurrency`.")
    source_currency = Currency()
    destination_currency = Currency()
    recipient_address = WalletAddress(help_text="The wallet that is paid.")
    sandbox = Flag(help_text="true: the whole stack, and nothing on a chain; no key is needed.")
    quote_id = Identifier(required=False, help_text="A quote for it, which is taken once.")
    reference_id = Text(
        required=False,
        max_length=140,
        help_text="Your own: the same again is the same settlement, and a held one is resubmitted.",
    )
    settlement_wallet = WalletAddress(
        required=False,
        help_text="The whitelisted wallet that pays; needed where you have several.",
    )


class FeesTakenOut(Shape):
    """What the quote took, in USD."""

    core = Text()
    fx = Text()
    esg = Text()
    license = Text()


class QuoteTakenOut(Shape):
    """The quote that a settlement took, and what it comes to."""

    quote_id = Text()
    fees_usd = FeesTakenOut()
    total_fee_usd = Text()
    fee = Text(help_text="In `sourceCurrency`.")
    net = Text(help_text="What is paid, in `sourceCurrency`.")
    exchange_rate = Text(help_text="USD for one unit of `sourceCurrency`.")
    destination_rate = Text(
        required=False, help_text="USD for one unit of `destinationCurrency`, where exchanged."
    )


class ExecutionOut(Shape):
    """What executes the transfer; `reference` is for the nonce of EIP-3009: it binds the order."""

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
    """How far its transfer is."""

    tx_hash = Text(required=False)
    confirmations = Whole()
    needed = Whole()
    note = Text(required=False)


class SettleOut(Shape):
    """A settlement. `reasoning` and `oracleScore` are there while it is held.

    `execution` and `confirmation` are there in production once nothing stands against it.
    """

    settlement_id = Text(help_text="SANDBOX-… where nothing is transferred.")
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
