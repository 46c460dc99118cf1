"""Prices a settlement: its fees, the quote that binds them, and what the recipient is paid.

A quote that a caller brings is held against what we know: its amount, the exchange, the live ESG
score and the volume of the month. One that was given for better figures is for another payment.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_DOWN, Decimal
from typing import Any

from apps.core.canonical import canonical
from apps.core.chain import proven
from apps.core.keyed import first, update
from apps.core.money import from_micro, to_micro
from apps.core.prepared import insert_once
from apps.core.problems import Unavailable
from apps.esgoracle.models import EsgRun
from apps.payments import esg
from apps.payments.models import MonthVolume
from apps.payments.pricing import UNIT, VOLUME, month_of
from apps.payments.rules.assets import ASSETS
from apps.settlement.rules.routes import Route
from apps.signals.rates import Converted, to_usd
from apps.stability.fees import quoting
from apps.stability.models import Quote
from apps.stability.rules.fees import Fees, Payment, fees


class NoRate(Unavailable):
    """No rate is held for a currency of the settlement."""

    code, title = "rate_unavailable", "No rate is held"


@dataclass(frozen=True, slots=True)
class Priced:
    """What a settlement costs and pays; `quote_id` is that of the quote it took."""

    quote_id: uuid.UUID
    found: Fees
    said: Mapping[str, Any]

    @property
    def asset_amount(self) -> Decimal:
        """What the recipient is paid, in the asset."""
        return Decimal(self.said["assetAmount"])


def take(
    *,
    amount: Decimal,
    converted: Converted,
    route: Route,
    owner: str,
    by: str,
    sandbox: bool,
    now: datetime,
    quote_id: uuid.UUID | None = None,
) -> Priced:
    """Take a quote for a settlement, the caller's or one that is given now, and price it.

    Part of the settlement's transaction: what rolls back frees the quote. Raises QuoteUnknown,
    QuoteExpired, QuoteUsed, QuoteOfAnother and NoRate (503).
    """
    asked = _asked(converted, route, owner, sandbox, now)
    if quote_id is not None:
        asked = _bound(quote_id, asked)
    found = fees(asked.payment)
    if quote_id is None:
        quote_id = quoting.give(asked=asked, priced=found, now=now).quote_id
    quoting.consume(quote_id=quote_id, asked=asked, by=by, now=now)
    return Priced(quote_id, found, _said(amount, converted, route, asked, found, quote_id, now))


def _asked(
    converted: Converted, route: Route, owner: str, sandbox: bool, now: datetime
) -> quoting.Asked:
    volume = first(MonthVolume, where={"owner": owner, "month": month_of(now)})
    payment = Payment(
        amount=max(1, to_micro(converted.amount_usd)),
        fx=route.fx,
        score=to_micro(esg.score(now).points),
        monthly_volume=to_micro(volume.settled_usd) if volume else 0,
    )
    return quoting.Asked(payment, sandbox)


def _bound(quote_id: uuid.UUID, ours: quoting.Asked) -> quoting.Asked:
    """Return what a brought quote is bound to, where it may stand for this settlement.

    A rehearsal takes what its quote was asked for. In production score and volume may not be
    better than ours; the score that was live as the quote was given counts as well.
    """
    held = Quote.objects.filter(quote_id=quote_id).first()
    if held is None:
        return ours  # consume says what is wrong
    volume, score = to_micro(held.monthly_volume), int(held.score)
    if not ours.sandbox and (
        volume > ours.payment.monthly_volume
        or (score > ours.payment.score and score > _score_at(held.quoted_at))
    ):
        raise quoting.QuoteOfAnother(
            "The quote was given for another ESG score or volume than hold here."
        )
    payment = Payment(ours.payment.amount, ours.payment.fx, score, volume)
    if not _proved(held, fees(payment)):
        raise quoting.QuoteOfAnother("The fees of the quote are not those that hold here.")
    return quoting.Asked(payment, ours.sandbox)


def _score_at(moment: datetime) -> int:
    """Return the live score as it was at a moment, in micro-points; nought where none was."""
    run = EsgRun.objects.filter(recorded_at__lte=moment).order_by("-slot").first()
    known = run is not None and proven([run]) and run.points is not None
    return to_micro(run.points) if known and run and run.points is not None else 0


def _proved(held: Quote, found: Fees) -> bool:
    """Tell whether a stored quote says what its figures come to; another amount is told later."""
    if to_micro(held.amount) != found.payment.amount or held.fx != found.payment.fx:
        return True
    stored = {"core": held.core, "fx": held.fx_fee, "esg": held.esg, "license": held.license}
    return all(to_micro(amount) == found.of(name).units for name, amount in stored.items())


def _said(
    amount: Decimal,
    converted: Converted,
    route: Route,
    asked: quoting.Asked,
    found: Fees,
    quote_id: uuid.UUID,
    now: datetime,
) -> dict[str, Any]:
    fee_usd = from_micro(found.total)
    fee = (fee_usd / converted.rate).quantize(UNIT, ROUND_DOWN)
    net = amount - fee
    unit = _unit(ASSETS[route.asset].money, now) if route.fx else None
    return {
        "quoteId": str(quote_id),
        "rate": _text(converted.rate),
        "amountUsd": _text(converted.amount_usd),
        "feeUsd": _text(fee_usd),
        "fee": _text(fee),
        "net": _text(net),
        "assetAmount": _text(_in_asset(net, converted, unit)),
        "parts": {one.name: _text(from_micro(one.units)) for one in found.listed},
        "esgScore": _text(from_micro(asked.payment.score)),
        "volume": asked.payment.monthly_volume,
        "sandbox": asked.sandbox,
    } | ({"assetRate": _text(unit)} if unit is not None else {})


def _in_asset(net: Decimal, usd: Converted, unit: Decimal | None) -> Decimal:
    """Return what arrives, in the asset: the net amount, exchanged by its `unit` where crossed."""
    if unit is None:
        return net
    return (net * usd.rate / unit).quantize(UNIT, ROUND_DOWN)


def _unit(money: str, now: datetime) -> Decimal:
    """Return what one unit of a currency is worth in USD; NoRate (503)."""
    if money == "USD":
        return Decimal(1)
    found = to_usd(amount=Decimal(1), currency=money, now=now)
    if found is None:
        raise NoRate(f"No rate of {money} of the last ten days is held.")
    return found.rate


def _text(amount: Decimal) -> str:
    """Return an amount as a record keeps it: no exponent, no zeros behind."""
    return canonical(amount).decode().strip('"')


def count(*, owner: str, usd: Decimal, now: datetime) -> None:
    """Add what settled to its institution's month; the last write of its transaction."""
    held, more = {"owner": owner, "month": month_of(now)}, {"settled_usd": to_micro(usd)}
    if update(MonthVolume, where=held, change={}, add=more):
        return
    new = MonthVolume(owner=owner, month=month_of(now), settled_usd=usd)
    if not insert_once(new, unique=VOLUME):
        update(MonthVolume, where=held, change={}, add=more)
