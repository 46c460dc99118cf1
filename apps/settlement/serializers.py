"""Shapes of the settlement agent (document 2 section 2.4)."""

from decimal import Decimal

from apps.core.shapes import Currency, EpochSeconds, Flag, Number, OneOf, Shape, Text, Whole
from apps.payments.rules.assets import ASSETS
from apps.registry.serializers import WalletAddress
from apps.settlement.rules.flow import CHECKS, DECISIONS, OUTCOMES

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
