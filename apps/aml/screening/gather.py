"""Gathers an AML screen: the value in USD, the lists, and an assessment where one is needed.

Reads only, and outside any transaction. Profiles are read again under their locks when the screen
is concluded: what is read here says whether a model is asked, and decides nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.advisory.chat import configured
from apps.aml.models import WalletProfile
from apps.aml.reasoning import assessment
from apps.aml.rules.engine import View, near, neighbours
from apps.aml.rules.profile import NOTHING, Payment
from apps.aml.rules.scoring import Judgement, prior
from apps.aml.screening.asked import Asked
from apps.aml.screening.parties import Party, parties
from apps.aml.weighing import PRIOR, InForce, WeightsUnproved, in_force
from apps.core.money import LossyAmount, to_micro
from apps.core.problems import DomainError, Unavailable
from apps.core.shapes import epoch
from apps.signals.rates import SAMPLE, Converted, to_usd
from apps.watchlists import engine as engines
from apps.watchlists.engine import Engine


class AmountUnvalued(Unavailable):
    """No rate is held for the currency, so that the amount cannot be judged."""

    code, title = "rate_unavailable", "The amount could not be valued"


class AmountTooLarge(DomainError):
    """The amount is more than can be kept."""

    code, title = "amount_too_large", "The amount is too large"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a screen rests on beside the profiles.

    `converted` is None where no rate is held and a listed party blocks the payment all the same:
    then its amount is nought, and it is not counted.
    """

    payment: Payment
    converted: Converted | None
    engine: Engine
    parties: tuple[Party, Party]
    weights: InForce
    reasoning: dict[str, Any] | None

    @property
    def listed(self) -> bool:
        """Whether one of the two parties is on a sanctions list."""
        return any(one.listed for one in self.parties)

    @property
    def name_near(self) -> int:
        """The best partial match of a registered name, in per cent."""
        return max(one.near for one in self.parties)

    @property
    def sample(self) -> bool:
        """Whether anything here is bundled sample data."""
        rate = self.converted.source if self.converted else ""
        return self.engine.sample or rate == SAMPLE

    @property
    def usd(self) -> Decimal | None:
        """The amount in USD, where a rate is held."""
        return self.converted.amount_usd if self.converted else None


def gather(*, asked: Asked, now: datetime) -> Gathered:
    """Look up what a screen rests on.

    Raises ListsUnavailable, ListsStale, AmountUnvalued and RegistrationUnproved (503).
    """
    engine = engines.current(now)
    converted = to_usd(amount=asked.amount, currency=asked.money, now=now)
    found = parties(engine=engine, wallets=(asked.wallet, asked.counterparty))
    if converted is None and not any(one.listed for one in found):
        raise AmountUnvalued(f"No rate of {asked.money} of the last ten days is held.")
    payment = payment_of(asked, converted, now)
    weights = _weights(now, listed=any(one.listed for one in found))
    given = Gathered(payment, converted, engine, found, weights, None)
    if given.listed or not configured():
        return given
    view, judgement = preview(asked, given)
    if judgement.action != "FLAG":
        return given
    said = assessment(
        judgement=judgement,
        own=view.own,
        amount=payment.amount,
        direction=asked.direction,
        now=now,
    )
    return Gathered(payment, converted, engine, found, weights, said)


def _weights(now: datetime, *, listed: bool) -> InForce:
    """Return the weights; where they are not proved, a listed party blocks without them."""
    try:
        return in_force(now)
    except WeightsUnproved:
        if not listed:
            raise
        return InForce(PRIOR, prior())


def payment_of(asked: Asked, converted: Converted | None, now: datetime) -> Payment:
    """Return the payment as the rules have it; AmountTooLarge for what 64 bits cannot hold."""
    if converted is None:
        return Payment(asked.sender, asked.receiver, 0, epoch(now))
    try:
        micro = to_micro(converted.amount_usd)
    except LossyAmount as error:
        raise AmountTooLarge("The amount is more than can be kept.") from error
    return Payment(asked.sender, asked.receiver, max(micro, 1), epoch(now))


def preview(asked: Asked, given: Gathered) -> tuple[View, Judgement]:
    """Judge by the profiles as they stand, without a lock."""
    held = WalletProfile.objects.held((asked.wallet, asked.counterparty))
    own, other = (
        held[one].profile if one in held else NOTHING for one in (asked.wallet, asked.counterparty)
    )
    found = neighbours(payment=given.payment, out=asked.out, own=own, other=other)
    flagged = WalletProfile.objects.flagged(found)
    view = View(given.payment, asked.out, own, other, near(found, flagged), given.name_near)
    return view, view.judged(weights=given.weights.weights)
