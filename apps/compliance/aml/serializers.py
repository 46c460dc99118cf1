"""Shapes of AML screens, profiles and events (document 1 section 2.4)."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.compliance.aml.llm_assessment import ReasoningOut
from apps.compliance.aml.rules.accounts import normalize_account
from apps.compliance.aml.rules.scorecard import COHORTS, TIERS
from apps.compliance.aml.stablecoins import TOKENS
from apps.compliance.payees.serializers import WalletAddress
from apps.platform.api.shapes import (
    Code,
    EpochSeconds,
    Flag,
    Identifier,
    ListOf,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
)
from apps.platform.common.amounts import MONEY
from apps.reference.signals.serializers import ValuationOut

ACTIONS = ("PROCEED", "FLAG", "BLOCK")
NAMES = tuple(tier.name for tier in TIERS)
# one micro-unit, and just below a trillion: what 64 bits of micro-units hold
LEAST, MOST = Decimal("0.000001"), Decimal(10**12 - 1)


class Money(Code):
    """An ISO 4217 currency code, or that of a token pegged to a currency."""

    format, pattern = "currency-or-token", "^[A-Za-z]{3,5}$"
    codes = frozenset({*MONEY, *TOKENS})
    refusal = f"This is neither an ISO 4217 currency code nor one of: {', '.join(TOKENS)}."


class Account(WalletAddress):
    """A wallet's address in the one form of its account, however it is written."""

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(normalize_account(data) if isinstance(data, str) else data)


class AmlScreenIn(Shape):
    """A payment, from the point of view of the screened wallet."""

    wallet = Account()
    counterparty = Account()
    amount = Number(min_value=LEAST, max_value=MOST)
    currency = Money()
    payment_id = Text(max_length=200, help_text="Your own id; the same payment is counted once.")
    direction = OneOf(choices=("SEND", "RECEIVE"))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a wallet that pays itself: nothing moves."""
        if attrs["wallet"] == attrs["counterparty"]:
            sentence = "The counterparty is the wallet itself."
            raise serializers.ValidationError({"counterparty": [sentence]})
        return attrs


class SignalOut(Shape):
    """A signal that fired: `points` is what it added to the score, `strength` is 1 to 100."""

    id = Text()
    title = Text()
    value = Text(help_text="What was measured, in words.")
    strength = Whole(min_value=1, max_value=100)
    points = Number()
    sentence = Text()
    basis = Text(help_text="The text or typology that the signal is based on.")


class AmlSanctionsOut(Shape):
    """`hit`: the wallet, the counterparty, or a party registered for one of them is on a list."""

    hit = Flag()
    parties = ListOf(child=Text(), help_text="Which of the wallets are listed, and on which list.")


class ProfileBrief(Shape):
    """A wallet's profile, after this screen or before its payment."""

    maturity = OneOf(choices=COHORTS)
    tx_count = Whole(min_value=0)
    tx_volume_avg = Number(max_digits=24, help_text="USD.")
    risk_score = Whole(min_value=0, max_value=100)


class AmlScreenOut(Shape):
    """A screen. `riskTier` follows from `riskScore`; `rule` decided the action.

    The score is the sum of the signals' points, within bounds; a sanctions hit makes it 100.
    """

    screen_id = Identifier()
    wallet = Text()
    risk_score = Whole(min_value=0, max_value=100)
    risk_tier = OneOf(choices=NAMES)
    action = OneOf(choices=ACTIONS)
    rule = Text(help_text="The row of the rule tables that decided the action.")
    cohort = OneOf(
        choices=COHORTS,
        help_text="The wallet's maturity before this payment; it determines the weights.",
    )
    signals = SignalOut(many=True)
    sanctions = AmlSanctionsOut()
    profile = ProfileBrief(help_text="The wallet's profile after this screen.")
    profile_before = ProfileBrief(
        help_text="The wallet's profile without this payment, as used for the screen; UNKNOWN at "
        "its first payment."
    )
    payment_id = Text(max_length=200)
    counted = Flag(
        help_text="false if an earlier screen counted this payment, or if it must not proceed."
    )
    valuation = ValuationOut(
        required=False,
        help_text="How the amount was converted to USD; omitted if there is no rate and a listed "
        "party blocks the payment.",
    )
    checked_at = EpochSeconds()
    reasoning = ReasoningOut(required=False)


class ProfileOut(ProfileBrief):
    """The behavioural profile of a wallet; zeros for one that was never seen."""

    wallet = Text()
    sent = Whole(min_value=0)
    received = Whole(min_value=0)
    tx_volume = Number(max_digits=24, help_text="USD, both ways.")
    counterparties = Whole(
        min_value=0, help_text="Distinct counterparties; a lower bound beyond a few hundred."
    )
    tx_since_yesterday = Whole(min_value=0, help_text="Since yesterday 00:00 UTC.")
    volume_since_yesterday = Number(max_digits=24, help_text="USD, since yesterday 00:00 UTC.")
    first_seen_at = EpochSeconds(required=False)
    last_seen_at = EpochSeconds(required=False)
    standing = OneOf(choices=("NONE", "LISTED", "CONFIRMED", "BOTH"))


class AmlEventOut(Shape):
    """An event: a screen that was flagged (WARNING) or blocked (CRITICAL)."""

    event_id = Identifier()
    level = OneOf(choices=("WARNING", "CRITICAL"))
    kind = OneOf(choices=("SCREEN_FLAGGED", "SCREEN_BLOCKED", "SANCTIONS_HIT"))
    message = Text(max_length=1000)
    payment_id = Text(max_length=200, allow_null=True)
    risk_score = Whole(min_value=0, max_value=100)
    signals = SignalOut(many=True)
    created_at = EpochSeconds()


class AmlEventsOut(Shape):
    """The last 50 events of a wallet, newest first."""

    wallet = Text()
    events = AmlEventOut(many=True)
