"""Prices a payment: its rate is locked and its fee quoted (document 2 section 1)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any

from apps.insight.stability.fees.rules.fees import Fees, PricedPayment, compute_fees
from apps.insight.stability.fees.services import quotes
from apps.payments.payments.instructions import format_decimal
from apps.payments.payments.models import MonthVolume, Payment
from apps.payments.payments.rails import Rail
from apps.payments.payments.rules import assets
from apps.payments.payments.selectors import esg_score
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.problems import Unavailable
from apps.platform.db.compiled_queries import fetch_first, update_where
from apps.platform.db.compiled_statements import insert_if_absent
from apps.reference.signals.exchange_rates import UsdAmount, convert_to_usd, describe_missing_rate

# smallest unit of the assets, and of amounts in rows (micro-units)
UNIT = Decimal("0.000001")
MONTH_VOLUME_KEY = ("owner", "month")


class RateNotHeld(Unavailable):
    """There is no rate for the currency."""

    code, title = "rate_unavailable", "No rate available"


@dataclass(frozen=True, slots=True)
class QuotedPrice:
    """What a payment costs, before its quote is stored."""

    asked: quotes.QuoteRequest
    fees: Fees
    said: Mapping[str, Any]


def build_price(*, payment: Payment, rail: Rail, now: datetime) -> QuotedPrice:
    """Work out the price of a payment; RateNotHeld (503) where its currency cannot be valued."""
    pair = assets.asset_pair(payment.currency, payment.asset)
    usd = _convert_to_usd(payment.amount, payment.currency, now)
    volume = fetch_first(
        MonthVolume, where={"owner": payment.owner, "month": first_day_of_month(now)}
    )
    live = esg_score.load_live_esg_score(now)
    quote_request = quotes.QuoteRequest(
        PricedPayment(
            # a fraction of a micro-dollar still has a price
            amount=max(1, to_micro(usd.amount_usd)),
            fx=pair.fx,
            score=to_micro(live.points),
            monthly_volume=to_micro(volume.settled_usd) if volume else 0,
        ),
        sandbox=rail.name == "sandbox",
    )
    fees = compute_fees(quote_request.payment)
    fee_usd = from_micro(fees.total)
    # down: rounding favours the payer, and fee and net add up to the instructed amount
    fee = (fee_usd / usd.rate).quantize(UNIT, ROUND_DOWN)
    net = payment.amount - fee
    price_payload = {
        "rate": format_decimal(usd.rate),
        "rateOn": usd.rate_date.isoformat(),
        "rateSource": usd.source,
        "amountUsd": format_decimal(usd.amount_usd),
        "feeUsd": format_decimal(fee_usd),
        "fee": format_decimal(fee),
        "net": format_decimal(net),
        "assetAmount": format_decimal(_amount_in_asset(net, usd, pair, now)),
        "volume": quote_request.payment.monthly_volume,
        "esgScore": format_decimal(live.points),
        "esgSlot": live.slot,
        "sandbox": quote_request.sandbox,
    }
    return QuotedPrice(quote_request, fees, price_payload)


def _convert_to_usd(amount: Decimal, currency: str, now: datetime) -> UsdAmount:
    to_usd = convert_to_usd(amount=amount, currency=currency, now=now)
    if to_usd is None:
        raise RateNotHeld(describe_missing_rate(currency, now=now))
    return to_usd


def _amount_in_asset(
    net: Decimal, usd: UsdAmount, pair: assets.AssetPair, now: datetime
) -> Decimal:
    """Return what arrives, in the asset: the net amount, exchanged where currencies are crossed."""
    if not pair.fx:
        return net
    money = assets.ASSETS[pair.asset].money
    unit = Decimal(1) if money == "USD" else _convert_to_usd(Decimal(1), money, now).rate
    # down: what is promised must not be more than was paid in
    return (net * usd.rate / unit).quantize(UNIT, ROUND_DOWN)


def store_quote(*, price: QuotedPrice, now: datetime) -> dict[str, Any]:
    """Store the quote and return what the payment keeps of its price; in its transaction."""
    quote = quotes.create_quote(asked=price.asked, priced=price.fees, now=now)
    ends = quote.expires_at.isoformat()
    return {**price.said, "quoteId": str(quote.quote_id), "quoteEnds": ends}


def is_quote_lapsed(payment: Payment, *, now: datetime) -> bool:
    """Tell whether the quote of a payment does not bind any more."""
    return not quotes.is_quote_binding(
        ends=datetime.fromisoformat(payment.price["quoteEnds"]), now=now
    )


def consume_quote(payment: Payment, *, now: datetime) -> None:
    """Take the quote of a payment, once; part of the transaction that settles it."""
    price = payment.price
    quote_request = quotes.QuoteRequest(
        PricedPayment(
            amount=max(1, to_micro(Decimal(price["amountUsd"]))),
            fx=assets.asset_pair(payment.currency, payment.asset).fx,
            score=to_micro(Decimal(price["esgScore"])),
            monthly_volume=price["volume"],
        ),
        sandbox=price["sandbox"],
    )
    quotes.consume_quote(
        quote_id=uuid.UUID(price["quoteId"]),
        asked=quote_request,
        by=f"payment:{payment.payment_id}",
        now=now,
    )


def first_day_of_month(now: datetime) -> date:
    """Return the first day of a moment's month, in UTC."""
    # `now` is in UTC (common/clock.py)
    return now.date() - timedelta(days=now.day - 1)


def add_month_volume(payment: Payment, *, now: datetime) -> None:
    """Add a settled payment to its institution's month; the last write of its transaction."""
    usd, month = Decimal(payment.price["amountUsd"]), first_day_of_month(now)
    month_key, more = {"owner": payment.owner, "month": month}, {"settled_usd": to_micro(usd)}
    if update_where(MonthVolume, where=month_key, change={}, add=more):
        return
    new = MonthVolume(owner=payment.owner, month=month, settled_usd=usd)
    # another settlement made the month's row just now: add to it
    if not insert_if_absent(new, unique=MONTH_VOLUME_KEY):
        update_where(MonthVolume, where=month_key, change={}, add=more)


def subtract_month_volume(*, owner: str, usd: Decimal, settled: datetime) -> None:
    """Take what settled at a time, and is not settled any more, from that month."""
    month_key = {"owner": owner, "month": first_day_of_month(settled)}
    update_where(MonthVolume, where=month_key, change={}, add={"settled_usd": -to_micro(usd)})
