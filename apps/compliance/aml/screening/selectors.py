"""Gathers an AML screen: the value in USD, the lists, and an assessment where one is needed.

Reads only, and outside any transaction. Profiles are read again under their locks when the screen
is concluded: what is read here says whether a model is asked, and decides nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.compliance.aml.active_weights import (
    PRIOR,
    ActiveWeights,
    WeightsIntegrityError,
    load_active_weights,
)
from apps.compliance.aml.activity.selectors import load_expected_activity
from apps.compliance.aml.llm_assessment import ask_assessment
from apps.compliance.aml.models import WalletProfile
from apps.compliance.aml.rules.engine import PaymentView, find_neighbours, flag_neighbours
from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Payment
from apps.compliance.aml.rules.scorecard import Judgement, prior_weights
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.wallet_background import build_wallet_background
from apps.compliance.aml.screening.wallet_sanctions import ScreenedWallet, screen_wallets
from apps.platform.advisory.chat import is_model_configured
from apps.platform.api.shapes import to_epoch_seconds
from apps.platform.common.money import LossyAmount, to_micro
from apps.platform.common.problems import DomainError, Unavailable
from apps.reference.signals.exchange_rates import (
    SAMPLE,
    UsdAmount,
    convert_to_usd,
    describe_missing_rate,
)
from apps.reference.watchlists import engine as engines
from apps.reference.watchlists.engine import Engine


class AmountUnvalued(Unavailable):
    """There is no rate for the currency, so the amount cannot be judged."""

    code, title = "rate_unavailable", "The amount could not be valued"


class AmountTooLarge(DomainError):
    """The amount is larger than can be stored."""

    code, title = "amount_too_large", "The amount is too large"


@dataclass(frozen=True, slots=True)
class AmlScreenInputs:
    """What a screen rests on beside the profiles.

    `converted` is None where no rate is held and a listed party blocks the payment all the same:
    then its amount is nought, and it is not counted.
    """

    payment: Payment
    converted: UsdAmount | None
    engine: Engine
    parties: tuple[ScreenedWallet, ScreenedWallet]
    weights: ActiveWeights
    reasoning: dict[str, Any] | None

    @property
    def listed(self) -> bool:
        """Whether one of the two parties is on a sanctions list."""
        return any(party.listed for party in self.parties)

    @property
    def name_near(self) -> int:
        """The best partial match of a registered name, in per cent."""
        return max(party.near for party in self.parties)

    @property
    def sample(self) -> bool:
        """Whether anything here is bundled sample data."""
        rate = self.converted.source if self.converted else ""
        return self.engine.sample or rate == SAMPLE

    @property
    def usd(self) -> Decimal | None:
        """The amount in USD, where a rate is held."""
        return self.converted.amount_usd if self.converted else None


def gather_aml_screen(*, asked: AmlScreenRequest, now: datetime) -> AmlScreenInputs:
    """Look up what a screen rests on.

    Raises ListsUnavailable, ListsStale, AmountUnvalued and RegistrationIntegrityError (503).
    """
    engine = engines.load_current_engine(now)
    converted = convert_to_usd(amount=asked.amount, currency=asked.money, now=now, quarterly=True)
    found = screen_wallets(engine=engine, wallets=(asked.wallet, asked.counterparty))
    if converted is None and not any(one.listed for one in found):
        raise AmountUnvalued(describe_missing_rate(asked.money, now=now, quarterly=True))
    payment = build_payment(asked, converted, now)
    weights = _load_weights(now, listed=any(one.listed for one in found))
    screen_inputs = AmlScreenInputs(payment, converted, engine, found, weights, None)
    if screen_inputs.listed or not is_model_configured():
        return screen_inputs
    view, judgement = preview_judgement(asked, screen_inputs)
    if judgement.action != "FLAG":
        return screen_inputs
    said = ask_assessment(
        judgement=judgement,
        own=view.own,
        amount=payment.amount,
        direction=asked.direction,
        now=now,
    )
    return AmlScreenInputs(payment, converted, engine, found, weights, said)


def _load_weights(now: datetime, *, listed: bool) -> ActiveWeights:
    """Return the weights; where they are not proved, a listed party blocks without them."""
    try:
        return load_active_weights(now)
    except WeightsIntegrityError:
        if not listed:
            raise
        return ActiveWeights(PRIOR, prior_weights())


def build_payment(asked: AmlScreenRequest, converted: UsdAmount | None, now: datetime) -> Payment:
    """Return the payment as the rules have it; AmountTooLarge for what 64 bits cannot hold."""
    if converted is None:
        return Payment(asked.sender, asked.receiver, 0, to_epoch_seconds(now))
    try:
        micro = to_micro(converted.amount_usd)
    except LossyAmount as error:
        raise AmountTooLarge("The amount is larger than can be stored.") from error
    return Payment(asked.sender, asked.receiver, max(micro, 1), to_epoch_seconds(now))


def preview_judgement(
    asked: AmlScreenRequest, given: AmlScreenInputs
) -> tuple[PaymentView, Judgement]:
    """Judge by the profiles as they stand, without a lock."""
    held = WalletProfile.objects.held((asked.wallet, asked.counterparty))
    own, other = (
        held[one].profile if one in held else EMPTY_PROFILE
        for one in (asked.wallet, asked.counterparty)
    )
    neighbours = find_neighbours(payment=given.payment, out=asked.out, own=own, other=other)
    flagged = WalletProfile.objects.flagged(neighbours)
    standing = build_wallet_background(
        party=given.parties[0],
        row=held.get(asked.wallet),
        expected=load_expected_activity(asked.wallet),
    )
    close = flag_neighbours(neighbours, flagged)
    view = PaymentView(given.payment, asked.out, own, other, close, given.name_near, standing)
    return view, view.judged(weights=given.weights.weights)
