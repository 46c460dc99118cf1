"""No cent is lost: reading and writing amounts, the split of fees, the exchange into EURC."""

import json
from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from apps.banking import adapter
from apps.banking.rules.statements import Entry, line
from apps.core.money import from_micro, to_micro
from apps.core.parsing import loads
from apps.settlement import pricing
from apps.signals.rates import Converted
from apps.stability.rules.fees import Payment, fees

MICRO = Decimal("0.000001")
CENTS = st.decimals(Decimal("0.01"), Decimal(10**12) - Decimal("0.01"), places=2)
RATES = st.decimals(Decimal("0.5"), Decimal(2), places=6)


@given(CENTS, st.booleans())
def test_an_amount_is_read_as_it_was_written(amount: Decimal, out: bool) -> None:
    signed = -amount if out else amount
    said = loads(f'{{"id": "a", "amount": {signed}, "status": "sent"}}'.encode())
    assert line(said) == Entry("a", signed, "sent")


@given(CENTS)
def test_the_bank_is_told_the_amount_to_the_cent(amount: Decimal) -> None:
    said = loads(json.dumps(adapter._numbers({"amount": amount})).encode())
    assert Decimal(said["amount"]) == amount


@given(CENTS, st.booleans(), st.integers(0, 100), st.integers(0, 10**9))
def test_fees_and_what_arrives_are_the_amount(
    amount: Decimal, fx: bool, score: int, volume: int
) -> None:
    found = fees(Payment(to_micro(amount), fx, to_micro(Decimal(score)), to_micro(Decimal(volume))))
    assert sum(one.units for one in found.listed) == found.total
    assert from_micro(found.net) + from_micro(found.total) == amount
    assert all(one.units >= 0 for one in found.listed) and found.net >= 0


@given(CENTS, RATES)
def test_in_euro_no_more_arrives_than_was_paid_and_less_than_a_millionth_is_lost(
    amount: Decimal, rate: Decimal
) -> None:
    usd = Converted(amount, Decimal(1), date(2026, 11, 20), "test")
    found = pricing._in_asset(amount, usd, rate)
    assert 0 <= amount - found * rate < MICRO * rate and found == found.quantize(MICRO)
