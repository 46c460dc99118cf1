"""The fee table: every bound on both sides, and sums that are exact for every payment."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.stability.fees.rules.esg_fee_tiers import (
    TIERS,
    esg_fee_bps,
    esg_surcharge,
    format_tier,
    tier_of_score,
)
from apps.insight.stability.fees.rules.fee_contract_preview import PreviewReverted, preview_fees
from apps.insight.stability.fees.rules.fees import (
    COMPONENTS,
    VOLUME_TIERS,
    FractionalRate,
    PricedPayment,
    bps_to_rate,
    compute_fees,
    core_rate_of_tier,
    rate_to_bps,
    tier_of_volume,
)
from apps.insight.stability.health import fees_match_preview

USD = 1_000_000
POINT = 1_000_000
payments = st.builds(
    PricedPayment,
    amount=st.integers(1, 10**15 - 1),
    fx=st.booleans(),
    score=st.integers(0, 100 * POINT),
    monthly_volume=st.integers(0, 10**18 - 1)
    | st.sampled_from([n * USD + d for n in (10**5, 10**6, 10**7) for d in (-1, 0, 1)]),
)


@pytest.mark.parametrize(
    ("volume", "name", "discount", "bps"),
    [
        ("0", "Standard", 0, "15"),
        ("99999.999999", "Standard", 0, "15"),
        ("100000", "Growth", 10, "13.5"),
        ("999999.999999", "Growth", 10, "13.5"),
        ("1000000", "Institutional", 20, "12"),
        ("9999999.999999", "Institutional", 20, "12"),
        ("10000000", "Sovereign", 30, "10.5"),
        ("999999999999", "Sovereign", 30, "10.5"),
    ],
)
def test_a_tier_begins_at_its_bound_and_takes_its_share_off_core(
    volume: str, name: str, discount: int, bps: str
) -> None:
    units = int(Decimal(volume) * USD)
    tier = tier_of_volume(units)
    assert (tier.name, tier.discount) == (name, discount)
    assert rate_to_bps(core_rate_of_tier(tier)) == Decimal(bps)
    fees = compute_fees(PricedPayment(10_000 * USD, fx=True, monthly_volume=units))
    assert fees.of("core").units == Decimal(bps) * USD  # a basis point of 10,000 USD is one
    assert [fees.of(one).units for one in ("fx", "esg", "license")] == [
        25 * USD,
        25 * USD,
        1 * USD,
    ]


@pytest.mark.parametrize(
    ("score", "bps"),
    [("0", "50"), ("1", "49.5"), ("50", "25"), ("99.999999", "0.0000005"), ("100", "0")],
)
def test_the_esg_fee_falls_with_the_score(score: str, bps: str) -> None:
    fees = compute_fees(PricedPayment(10**9 * USD, score=int(Decimal(score) * POINT)))
    assert rate_to_bps(fees.of("esg").rate) == Decimal(bps) == esg_fee_bps(Decimal(score))


@pytest.mark.parametrize(("fx", "bps"), [(False, 0), (True, 25)])
def test_an_exchange_costs_only_who_crosses_currencies(fx: bool, bps: int) -> None:
    assert rate_to_bps(compute_fees(PricedPayment(USD, fx=fx)).of("fx").rate) == bps


def test_the_license_is_one_basis_point_of_every_payment() -> None:
    assert compute_fees(PricedPayment(10_000 * USD)).of("license").units == USD
    assert compute_fees(PricedPayment(9_999)).of("license").units == 0  # rounded down
    assert compute_fees(PricedPayment(10_000)).of("license").units == 1


@given(payments)
def test_the_parts_are_the_total_and_what_arrives_is_the_rest(payment: PricedPayment) -> None:
    fees = compute_fees(payment)
    assert sum(one.units for one in fees.listed) == fees.total
    assert fees.total + fees.net == payment.amount and 0 <= fees.total <= payment.amount
    for one in fees.listed:  # rounded down, and by less than a micro-unit
        exact = Decimal(payment.amount) * one.rate / 10**12
        assert 0 <= exact - one.units < 1
    assert [one.name for one in fees.listed] == [component.name for component in COMPONENTS]


@given(payments)
def test_the_second_implementation_says_the_same(payment: PricedPayment) -> None:
    assert fees_match_preview(payment)


@given(payments, st.integers(0, 100 * POINT))
def test_a_better_score_never_costs_more(payment: PricedPayment, score: int) -> None:
    other = compute_fees(PricedPayment(payment.amount, payment.fx, score, payment.monthly_volume))
    better, worse = sorted([compute_fees(payment), other], key=lambda one: -one.payment.score)
    assert better.total <= worse.total


@pytest.mark.parametrize(("amount", "score"), [(0, 0), (-1, 0), (1, -1), (1, 100 * POINT + 1)])
def test_the_contract_takes_no_other_amount_or_score(amount: int, score: int) -> None:
    asked = {"has_fx": False, "monthly_volume": 0, "core_rate": 1, "fx_rate": 1}
    with pytest.raises(PreviewReverted):
        preview_fees(amount=amount, esg_score=score, **asked)


def test_a_rate_that_is_finer_than_a_part_is_no_rate() -> None:
    assert bps_to_rate(Decimal("0.00000001")) == 1
    with pytest.raises(FractionalRate):
        bps_to_rate(Decimal("0.000000001"))


@pytest.mark.parametrize("score", range(101))
def test_entities_and_payments_have_one_formula(score: int) -> None:
    assert esg_surcharge(score) * 10_000 == esg_fee_bps(score)
    payment = PricedPayment(20_000 * USD, score=score * POINT)
    assert compute_fees(payment).of("esg").units == esg_surcharge(score) * 20_000 * USD


def test_labels_are_the_words_of_the_tiers() -> None:
    assert [format_tier(tier) for tier in TIERS] == [
        "Excellent", "Good", "Average", "Below average", "Poor",
    ]  # fmt: skip
    assert format_tier(tier_of_score(Decimal("69.999999"))) == "Average"
    assert format_tier(tier_of_score(Decimal(70))) == "Good"


def test_codes_and_names_of_the_tables_are_unlike() -> None:
    for table in (COMPONENTS, VOLUME_TIERS):
        assert len({one.code for one in table}) == len({one.name for one in table}) == len(table)
