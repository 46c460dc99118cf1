"""Shapes of fees and quotes (document 3 sections 2.1 to 2.3)."""

from decimal import Decimal

from apps.insight.stability.fees.rules.esg_fee_tiers import FORMULA
from apps.insight.stability.fees.rules.fees import COMPONENTS, DEFAULT_SCORE, VOLUME_TIERS
from apps.platform.api.shapes import EpochSeconds, Flag, ListOf, Number, OneOf, Shape, Text, Whole

TIER_NAMES = tuple(volume_tier.name for volume_tier in reversed(VOLUME_TIERS))
NAMES = tuple(component.name for component in COMPONENTS)


class QuoteIn(Shape):
    """The payment to settle."""

    amount_usd = Number(
        max_digits=15,
        min_value=Decimal("0.000001"),
        help_text="In USD, below 1,000,000,000, with at most six decimals.",
    )
    has_fx = Flag(required=False, default=False, help_text="Whether it crosses currencies.")
    esg_score = Number(
        required=False,
        default=DEFAULT_SCORE,
        min_value=0,
        max_value=100,
        help_text="0 to 100; a higher score lowers the ESG fee.",
    )
    monthly_volume_usd = Number(
        required=False,
        default=0,
        min_value=0,
        help_text="The month's volume; selects the volume tier.",
    )
    sandbox = Flag(
        required=False,
        default=False,
        help_text="Real fees, with a settlement reference marked as a mock.",
    )


class CoreFeeOut(Shape):
    """The core fee, after the discount of the tier."""

    bps = Number()
    usd = Number()
    tier = OneOf(choices=TIER_NAMES)
    discount_percent = Whole()


class FeeOut(Shape):
    """One component."""

    bps = Number()
    usd = Number()


class EsgFeeOut(Shape):
    """The ESG fee; all of it goes to impact pools."""

    bps = Number()
    usd = Number()
    score = Number()
    tier = Text(help_text="Excellent, Good, Average, Below average or Poor.")


class LicenseFeeOut(Shape):
    """The license fee, which is fixed."""

    bps = Number()
    usd = Number()
    display = Text()


class TotalFeeOut(Shape):
    """All components; `usd` is the sum of their amounts, `pct` of their rates, in per cent."""

    bps = Number()
    pct = Number()
    usd = Number()


class FeesOut(Shape):
    """The price of a payment. Each component is rounded down to 0.000001 USD by itself."""

    core = CoreFeeOut()
    fx = FeeOut()
    esg = EsgFeeOut()
    license = LicenseFeeOut()
    total = TotalFeeOut()


class SettlementOut(Shape):
    """What arrives; `reference` and `mock` only in the sandbox form."""

    amount_usd = Number()
    net_usd = Number()
    reference = Text(required=False)
    mock = Flag(required=False)


class QuoteOut(Shape):
    """A quote; send `quoteId` to the settlement router, which uses it once."""

    quote_id = Text()
    fees = FeesOut()
    settlement = SettlementOut()
    valid_for_seconds = Whole()
    quoted_at = EpochSeconds()
    expires_at = EpochSeconds()
    schedule_version = Text()
    sandbox = Flag()
    note = Text(required=False, help_text="What a sandbox quote cannot be used for.")


class PreviewOut(Shape):
    """The contract's preview, in USD with six decimals: as strings, which can hold any amount."""

    core = Text()
    fx = Text()
    esg = Text()
    license = Text()
    total = Text()
    net = Text()


class VerifyFeesOut(Shape):
    """`feesMatch` is true if every amount of the preview equals ours, to the micro-unit.

    `contract`, `chainId` and `blockNumber` are present if a chain was queried.
    """

    fees_match = Flag()
    checked_against = OneOf(choices=("CONTRACT", "SECOND_IMPLEMENTATION"))
    chain_asked = Flag()
    fees = FeesOut()
    net_usd = Number()
    preview = PreviewOut()
    differing = ListOf(child=Text(), help_text="Which amounts differ.")
    schedule_version = Text()
    note = Text()
    contract = Text(required=False)
    chain_id = Whole(required=False)
    block_number = Whole(required=False)


class ComponentOut(Shape):
    """One component of the fee table; `bps` if it is the same for every payment."""

    code = Text()
    name = OneOf(choices=NAMES)
    title = Text()
    reference = Text()
    bps = Number(required=False)
    formula = Text(required=False)


class VolumeTierOut(Shape):
    """How much a month's volume reduces the core fee; `belowUsd` is omitted at the highest tier."""

    code = Text()
    name = OneOf(choices=TIER_NAMES)
    from_usd = Whole()
    below_usd = Whole(required=False)
    core_discount_percent = Whole()
    core_bps = Number()


class EsgTierOut(Shape):
    """The label of scores from `fromScore` on, with the fee at that score."""

    label = Text()  # type: ignore[assignment]
    from_score = Whole()
    bps_at_from = Number()


class ScenarioOut(Shape):
    """A worked example of the table."""

    title = Text()
    amount_usd = Number()
    has_fx = Flag()
    esg_score = Number()
    monthly_volume_usd = Number()
    fees = FeesOut()
    net_usd = Number()


class RoundingOut(Shape):
    """How components are rounded."""

    unit_usd = Text()
    rule = Text()


class FeeScheduleOut(Shape):
    """The whole fee table with worked scenarios."""

    version = Text()
    currency = Text()
    components = ComponentOut(many=True)
    volume_tiers = VolumeTierOut(many=True)
    esg_tiers = EsgTierOut(many=True)
    rounding = RoundingOut()
    scenarios = ScenarioOut(many=True)


class ManifestFeesOut(Shape):
    """The rates in short; core without a discount."""

    core_bps = Number()
    fx_bps = Number()
    license_bps = Number()
    esg_formula = OneOf(choices=(FORMULA,), help_text="In per cent of the amount.")
    typical_total_bps = Number(help_text="One currency, no discount, a score of 50.")


class ContractsOut(Shape):
    """Contracts on the network; `feeRouter` if this installation has one."""

    token = Text()
    fee_router = Text(required=False)


class OnboardingOut(Shape):
    """The requirements to get started."""

    human_required = Flag()


class OperationOut(Shape):
    """One address of the service."""

    method = Text()
    path = Text()
    summary = Text()


class ManifestOut(Shape):
    """The description of this service for programs (document 3 section 2.3)."""

    name = Text()
    version = Text()
    description = Text()
    network = Text()
    chain_id = Whole()
    fees = ManifestFeesOut()
    contracts = ContractsOut()
    onboarding = OnboardingOut()
    quote_valid_for_seconds = Whole()
    endpoints = OperationOut(many=True)
    documents = ListOf(child=Text())
    sandbox = Flag(help_text="Whether this is a sandbox, which settles nothing.")
