"""Prices a payment: its rate is locked and its fee quoted (document 2 section 1)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any

from apps.core.keyed import first, update
from apps.core.money import from_micro, to_micro
from apps.core.prepared import insert_once
from apps.core.problems import Unavailable
from apps.payments import esg
from apps.payments.instructions import plain
from apps.payments.models import MonthVolume, Payment
from apps.payments.rails import Rail
from apps.payments.rules import assets
from apps.signals.rates import Converted, to_usd
from apps.stability.fees import quoting
from apps.stability.rules.fees import Fees, fees
from apps.stability.rules.fees import Payment as Priced

UNIT = Decimal("0.000001")
VOLUME = ("owner", "month")


class NoRate(Unavailable):
    """No rate is held for the currency."""

    code, title = "rate_unavailable", "No rate is held"


@dataclass(frozen=True, slots=True)
class Price:
    """What a payment costs, before its quote is stored."""

    asked: quoting.Asked
    fees: Fees
    said: Mapping[str, Any]


def gather(*, payment: Payment, rail: Rail, now: datetime) -> Price:
    """Work out the price of a payment; NoRate (503) where its currency cannot be valued."""
    one = assets.pair(payment.currency, payment.asset)
    usd = _valued(payment.amount, payment.currency, now)
    volume = first(MonthVolume, where={"owner": payment.owner, "month": month_of(now)})
    live = esg.score(now)
    asked = quoting.Asked(
        Priced(
            amount=max(1, to_micro(usd.amount_usd)),
            fx=one.fx,
            score=to_micro(live.points),
            monthly_volume=to_micro(volume.settled_usd) if volume else 0,
        ),
        sandbox=rail.name == "sandbox",
    )
    found = fees(asked.payment)
    fee_usd = from_micro(found.total)
    fee = (fee_usd / usd.rate).quantize(UNIT, ROUND_DOWN)
    net = payment.amount - fee
    said = {
        "rate": plain(usd.rate),
        "rateOn": usd.rate_date.isoformat(),
        "rateSource": usd.source,
        "amountUsd": plain(usd.amount_usd),
        "feeUsd": plain(fee_usd),
        "fee": plain(fee),
        "net": plain(net),
        "assetAmount": plain(_in_asset(net, usd, one, now)),
        "volume": asked.payment.monthly_volume,
        "esgScore": plain(live.points),
        "esgSlot": live.slot,
        "sandbox": asked.sandbox,
    }
    return Price(asked, found, said)


def _valued(amount: Decimal, currency: str, now: datetime) -> Converted:
    found = to_usd(amount=amount, currency=currency, now=now)
    if found is None:
        raise NoRate(f"No rate of {currency} of the last ten days is held.")
    return found


def _in_asset(net: Decimal, usd: Converted, pair: assets.Pair, now: datetime) -> Decimal:
    """Return what arrives, in the asset: the net amount, exchanged where currencies are crossed."""
    if not pair.fx:
        return net
    money = assets.ASSETS[pair.asset].money
    unit = Decimal(1) if money == "USD" else _valued(Decimal(1), money, now).rate
    return (net * usd.rate / unit).quantize(UNIT, ROUND_DOWN)


def conclude(*, price: Price, now: datetime) -> dict[str, Any]:
    """Store the quote and return what the payment keeps of its price; in its transaction."""
    quote = quoting.give(asked=price.asked, priced=price.fees, now=now)
    ends = quote.expires_at.isoformat()
    return {**price.said, "quoteId": str(quote.quote_id), "quoteEnds": ends}


def lapsed(payment: Payment, *, now: datetime) -> bool:
    """Tell whether the quote of a payment does not bind any more."""
    return not quoting.binds(ends=datetime.fromisoformat(payment.price["quoteEnds"]), now=now)


def consume(payment: Payment, *, now: datetime) -> None:
    """Take the quote of a payment, once; part of the transaction that settles it."""
    price = payment.price
    asked = quoting.Asked(
        Priced(
            amount=max(1, to_micro(Decimal(price["amountUsd"]))),
            fx=assets.pair(payment.currency, payment.asset).fx,
            score=to_micro(Decimal(price["esgScore"])),
            monthly_volume=price["volume"],
        ),
        sandbox=price["sandbox"],
    )
    quoting.consume(
        quote_id=uuid.UUID(price["quoteId"]),
        asked=asked,
        by=f"payment:{payment.payment_id}",
        now=now,
    )


def month_of(now: datetime) -> date:
    """Return the first day of a moment's month, in UTC."""
    return now.date() - timedelta(days=now.day - 1)


def count(payment: Payment, *, now: datetime) -> None:
    """Add a settled payment to its institution's month; the last write of its transaction."""
    usd, month = Decimal(payment.price["amountUsd"]), month_of(now)
    held, more = {"owner": payment.owner, "month": month}, {"settled_usd": to_micro(usd)}
    if update(MonthVolume, where=held, change={}, add=more):
        return
    new = MonthVolume(owner=payment.owner, month=month, settled_usd=usd)
    if not insert_once(new, unique=VOLUME):
        update(MonthVolume, where=held, change={}, add=more)


def count_back(*, owner: str, usd: Decimal, settled: datetime) -> None:
    """Take what settled at a time, and is not settled any more, from that month."""
    held = {"owner": owner, "month": month_of(settled)}
    update(MonthVolume, where=held, change={}, add={"settled_usd": -to_micro(usd)})
