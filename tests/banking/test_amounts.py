"""No cent is lost: reading and writing amounts, the split of fees, the exchange into EURC."""

import json
from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from apps.insight.stability.fees.rules.fees import PricedPayment, compute_fees
from apps.payments.banking.clients import bank_api
from apps.payments.banking.rules.statement_lines import StatementEntry, parse_line
from apps.payments.settlement.services import pricing
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.strict_json import parse_json
from apps.reference.signals.exchange_rates import UsdAmount

MICRO = Decimal("0.000001")
CENTS = st.decimals(Decimal("0.01"), Decimal(10**12) - Decimal("0.01"), places=2)
RATES = st.decimals(Decimal("0.5"), Decimal(2), places=6)


@given(CENTS, st.booleans())
def test_an_amount_is_read_as_it_was_written(amount: Decimal, out: bool) -> None:
    signed = -amount if out else amount
    said = parse_json(f'{{"id": "a", "amount": {signed}, "status": "sent"}}'.encode())
    assert parse_line(said) == StatementEntry("a", signed, "sent")


@given(CENTS)
def test_the_bank_is_told_the_amount_to_the_cent(amount: Decimal) -> None:
    said = parse_json(json.dumps(bank_api._convert_decimals({"amount": amount})).encode())
    assert Decimal(said["amount"]) == amount


@given(CENTS, st.booleans(), st.integers(0, 100), st.integers(0, 10**9))
def test_fees_and_what_arrives_are_the_amount(
    amount: Decimal, fx: bool, score: int, volume: int
) -> None:
    fees = compute_fees(
        PricedPayment(to_micro(amount), fx, to_micro(Decimal(score)), to_micro(Decimal(volume)))
    )
    assert sum(one.units for one in fees.listed) == fees.total
    assert from_micro(fees.net) + from_micro(fees.total) == amount
    assert all(one.units >= 0 for one in fees.listed) and fees.net >= 0


@given(CENTS, RATES)
def test_in_euro_no_more_arrives_than_was_paid_and_less_than_a_millionth_is_lost(
    amount: Decimal, rate: Decimal
) -> None:
    usd = UsdAmount(amount, Decimal(1), date(2026, 11, 20), "test")
    found = pricing._amount_in_asset(amount, usd, rate)
    assert 0 <= amount - found * rate < MICRO * rate and found == found.quantize(MICRO)
