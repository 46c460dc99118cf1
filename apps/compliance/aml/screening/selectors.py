"""Gather an AML screen: the value in USD, the lists, and an assessment if needed.

Reads only, and outside any transaction. Profiles are read again under their locks when the screen
is concluded: those read here only determine whether to call a model.
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
from apps.compliance.aml.expected_activity.selectors import load_expected_activity
from apps.compliance.aml.llm_assessment import ask_assessment
from apps.compliance.aml.models import WalletProfile
from apps.compliance.aml.rules.payment_judgement import (
    PaymentView,
    find_neighbours,
    flag_neighbours,
)
from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Payment
from apps.compliance.aml.rules.scorecard import Judgement, prior_weights
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.wallet_background import build_wallet_background
from apps.compliance.aml.screening.wallet_sanctions import ScreenedWallet, screen_wallets
from apps.platform.advisory.chat import is_model_configured
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.common.money import LossyAmount, to_micro
from apps.platform.common.problems import DomainError, Unavailable
from apps.reference.signals.exchange_rates import UsdAmount, convert_to_usd, describe_missing_rate
from apps.reference.signals.points import SAMPLE
from apps.reference.watchlists import engine as watchlist_engine
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
    engine = watchlist_engine.load_current_engine(now)
    converted = convert_to_usd(amount=asked.amount, currency=asked.money, now=now, quarterly=True)
    wallets = screen_wallets(engine=engine, wallets=(asked.wallet, asked.counterparty))
    # a listed party blocks at any amount, so that a missing rate must not let it answer 503
    if converted is None and not any(wallet.listed for wallet in wallets):
        raise AmountUnvalued(describe_missing_rate(asked.money, now=now, quarterly=True))
    payment = build_payment(asked, converted, now)
    weights = _load_weights(now, listed=any(wallet.listed for wallet in wallets))
    screen_inputs = AmlScreenInputs(payment, converted, engine, wallets, weights, None)
    # blocked whatever the profiles say: no opinion is needed, and none is waited for
    if screen_inputs.listed or not is_model_configured():
        return screen_inputs
    # outside any lock: a model may take seconds, and only a flagged payment is worth them
    view, judgement = preview_judgement(asked, screen_inputs)
    if judgement.action != "FLAG":
        return screen_inputs
    assessment = ask_assessment(
        judgement=judgement,
        own=view.own,
        amount=payment.amount,
        direction=asked.direction,
        now=now,
    )
    return AmlScreenInputs(payment, converted, engine, wallets, weights, assessment)


def _load_weights(now: datetime, *, listed: bool) -> ActiveWeights:
    """Return the weights; where they are not proved, a listed party blocks without them."""
    try:
        return load_active_weights(now)
    except WeightsIntegrityError:
        if not listed:
            raise
        return ActiveWeights(PRIOR, prior_weights())


def build_payment(
    screen_request: AmlScreenRequest, converted: UsdAmount | None, now: datetime
) -> Payment:
    """Return the payment as the rules have it; AmountTooLarge for what 64 bits cannot hold."""
    if converted is None:
        return Payment(screen_request.sender, screen_request.receiver, 0, to_epoch_seconds(now))
    try:
        micro = to_micro(converted.amount_usd)
    except LossyAmount as error:
        raise AmountTooLarge("The amount is larger than can be stored.") from error
    return Payment(
        screen_request.sender,
        screen_request.receiver,
        # what rounds to nothing is still a payment
        max(micro, 1),
        to_epoch_seconds(now),
    )


def preview_judgement(
    screen_request: AmlScreenRequest, given: AmlScreenInputs
) -> tuple[PaymentView, Judgement]:
    """Judge by the current profiles, without a lock."""
    wallet_profiles = WalletProfile.objects.held(
        (screen_request.wallet, screen_request.counterparty)
    )
    own, other = (
        wallet_profiles[wallet].profile if wallet in wallet_profiles else EMPTY_PROFILE
        for wallet in (screen_request.wallet, screen_request.counterparty)
    )
    neighbours = find_neighbours(
        payment=given.payment, out=screen_request.out, own=own, other=other
    )
    flagged = WalletProfile.objects.flagged(neighbours)
    # the caller is not known while gathering, so its own earlier attempts do not count here: a
    # payment that only they flag is concluded without an opinion
    standing = build_wallet_background(
        party=given.parties[0],
        row=wallet_profiles.get(screen_request.wallet),
        expected=load_expected_activity(screen_request.wallet),
    )
    close = flag_neighbours(neighbours, flagged)
    view = PaymentView(
        given.payment, screen_request.out, own, other, close, given.name_near, standing
    )
    return view, view.judged(weights=given.weights.weights)
