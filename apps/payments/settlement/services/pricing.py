"""Price a settlement: its fees, the quote that binds them, and the recipient's amount.

A quote that a caller brings is compared with our own data: its amount, the exchange, the live ESG
score and the volume of the month. One that was given for better figures belongs to another payment.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_DOWN, Decimal
from typing import Any

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.stability.fees.rules.fees import Fees, PricedPayment, compute_fees
from apps.insight.stability.fees.services import quotes
from apps.insight.stability.models import Quote
from apps.payments.payments.models import MonthVolume
from apps.payments.payments.rules.assets import ASSETS
from apps.payments.payments.selectors import esg_score
from apps.payments.payments.services.pricing import MONTH_VOLUME_KEY, UNIT, first_day_of_month
from apps.payments.settlement.rules.payout_stablecoins import Route
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.problems import Unavailable
from apps.platform.crypto.canonical import canonical_json
from apps.platform.db.compiled_queries import fetch_first, update_where
from apps.platform.db.compiled_statements import insert_if_absent
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.exchange_rates import UsdAmount, convert_to_usd, describe_missing_rate


class RateNotHeld(Unavailable):
    """There is no rate for a currency of the settlement."""

    code, title = "rate_unavailable", "No rate available"


@dataclass(frozen=True, slots=True)
class PricedSettlement:
    """What a settlement costs and pays: the quote that it took, and the record of its price."""

    quote_id: uuid.UUID
    price: Mapping[str, Any]

    @property
    def asset_amount(self) -> Decimal:
        """What the recipient is paid, in the asset."""
        return Decimal(self.price["assetAmount"])


def take_quote(
    *,
    amount: Decimal,
    converted: UsdAmount,
    route: Route,
    owner: str,
    by: str,
    sandbox: bool,
    now: datetime,
    quote_id: uuid.UUID | None = None,
) -> PricedSettlement:
    """Take a quote for a settlement, the caller's or a new one, and price it.

    Part of the settlement's transaction: what rolls back frees the quote. Raises QuoteUnknown,
    QuoteExpired, QuoteUsed, QuoteOfAnother and RateNotHeld (503).
    """
    volume = fetch_first(MonthVolume, where={"owner": owner, "month": first_day_of_month(now)})
    payment = PricedPayment(
        # an amount below a millionth of a dollar still has a price
        amount=max(1, to_micro(converted.amount_usd)),
        fx=route.fx,
        # document 3 section 2.4: the live score sets the ESG fee
        score=to_micro(esg_score.load_live_esg_score(now).points),
        monthly_volume=to_micro(volume.settled_usd) if volume else 0,
    )
    quote_request = quotes.QuoteRequest(payment, sandbox)
    if quote_id is not None:
        quote_request = _bind_to_quote(quote_id, quote_request)
    fees = compute_fees(quote_request.payment)
    if quote_id is None:
        quote_id = quotes.create_quote(asked=quote_request, priced=fees, now=now).quote_id
    quotes.consume_quote(quote_id=quote_id, asked=quote_request, by=by, now=now)
    fee_usd = from_micro(fees.total)
    # rounded in the payer's favour; the recipient's amount below in ours, never above its value
    fee = (fee_usd / converted.rate).quantize(UNIT, ROUND_DOWN)
    net = amount - fee
    unit = _usd_rate_of(ASSETS[route.asset].money, now) if route.fx else None
    price = {
        "quoteId": str(quote_id),
        "rate": _format_amount(converted.rate),
        "amountUsd": _format_amount(converted.amount_usd),
        "feeUsd": _format_amount(fee_usd),
        "fee": _format_amount(fee),
        "net": _format_amount(net),
        "assetAmount": _format_amount(_amount_in_asset(net, converted, unit)),
        "parts": {part.name: _format_amount(from_micro(part.units)) for part in fees.listed},
        "esgScore": _format_amount(from_micro(quote_request.payment.score)),
        "volume": quote_request.payment.monthly_volume,
        "sandbox": quote_request.sandbox,
    } | ({"assetRate": _format_amount(unit)} if unit is not None else {})
    return PricedSettlement(quote_id, price)


def _bind_to_quote(quote_id: uuid.UUID, ours: quotes.QuoteRequest) -> quotes.QuoteRequest:
    """Return what a caller's quote is bound to, if it may be used for this settlement.

    A rehearsal uses the figures of its quote.
    """
    quote = Quote.objects.filter(quote_id=quote_id).first()
    if quote is None:
        return ours  # consume raises the error
    volume, score = to_micro(quote.monthly_volume), int(quote.score)
    # A quote is open to everybody and takes these figures as stated: ones that are better than ours
    # would lower the fee. The live score may have changed since the quote was issued.
    if not ours.sandbox and (
        volume > ours.payment.monthly_volume
        or (score > ours.payment.score and score > _live_score_at(quote.quoted_at))
    ):
        raise quotes.QuoteOfAnother("The quote was given for a different ESG score or volume.")
    payment = PricedPayment(ours.payment.amount, ours.payment.fx, score, volume)
    if not _is_quote_consistent(quote, compute_fees(payment)):
        raise quotes.QuoteOfAnother("The fees of the quote differ from those that apply here.")
    return quotes.QuoteRequest(payment, ours.sandbox)


def _live_score_at(moment: datetime) -> int:
    """Return the live score at a moment, in micro-points; zero if there was none."""
    run = EsgRun.objects.filter(recorded_at__lte=moment).order_by("-slot").first()
    known = run is not None and filter_verified_records([run]) and run.points is not None
    return to_micro(run.points) if known and run and run.points is not None else 0


def _is_quote_consistent(quote: Quote, fees: Fees) -> bool:
    """Tell whether a stored quote matches its own figures; a different amount is reported later."""
    # consume_quote refuses the quote of another payment, with a better message
    if to_micro(quote.amount) != fees.payment.amount or quote.fx != fees.payment.fx:
        return True
    stored = {"core": quote.core, "fx": quote.fx_fee, "esg": quote.esg, "license": quote.license}
    return all(to_micro(amount) == fees.of(name).units for name, amount in stored.items())


def _amount_in_asset(net: Decimal, usd: UsdAmount, unit: Decimal | None) -> Decimal:
    """Return the amount paid, in the asset: the net amount, exchanged by its `unit` if crossed."""
    if unit is None:
        return net
    return (net * usd.rate / unit).quantize(UNIT, ROUND_DOWN)


def _usd_rate_of(money: str, now: datetime) -> Decimal:
    """Return the value of one unit of a currency in USD; RateNotHeld (503)."""
    if money == "USD":
        return Decimal(1)
    usd_amount = convert_to_usd(amount=Decimal(1), currency=money, now=now)
    if usd_amount is None:
        raise RateNotHeld(describe_missing_rate(money, now=now))
    return usd_amount.rate


def _format_amount(amount: Decimal) -> str:
    """Format an amount for a record: no exponent, no trailing zeros."""
    return canonical_json(amount).decode().strip('"')


def add_month_volume(*, owner: str, usd: Decimal, now: datetime) -> None:
    """Add a settled amount to its institution's month.

    Call it as the last write of a transaction: all settlements of an institution wait for this row.
    """
    month_key, more = (
        {"owner": owner, "month": first_day_of_month(now)},
        {"settled_usd": to_micro(usd)},
    )
    if update_where(MonthVolume, where=month_key, change={}, add=more):
        return
    new = MonthVolume(owner=owner, month=first_day_of_month(now), settled_usd=usd)
    # the first of a month: two may find no row, and the slower one adds to that of the other
    if not insert_if_absent(new, unique=MONTH_VOLUME_KEY):
        update_where(MonthVolume, where=month_key, change={}, add=more)
