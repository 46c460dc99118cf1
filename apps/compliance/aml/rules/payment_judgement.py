"""One screen: from two profiles and their surroundings to a judgement. Pure.

The database engine and the backtest call the same functions in the same order: `find_neighbours`
returns the wallets whose standing is needed, `judged` judges, `update_profiles` counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from apps.compliance.aml.rules.profile import Payment, Profile, apply_payment
from apps.compliance.aml.rules.scorecard import Judgement, Weights, add_running_risk, judge_signals
from apps.compliance.aml.rules.signal_context import (
    UNKNOWN,
    FlaggedNeighbour,
    SignalContext,
    WalletBackground,
)
from apps.compliance.aml.rules.signals import evaluate_signals

SLICE = 500  # of so many low scores one goes to review, by chance


@dataclass(frozen=True, slots=True)
class PaymentView:
    """A payment from the side of one wallet: both profiles before it, and related payments.

    `name_near` is in percent; `standing` is that of the wallet itself.
    """

    payment: Payment
    out: int
    own: Profile
    other: Profile
    near: tuple[FlaggedNeighbour, ...] = ()
    name_near: int = 0
    standing: WalletBackground = UNKNOWN

    def judged(self, *, weights: Weights, listed: bool = False) -> Judgement:
        """Judge the payment for its wallet."""
        scene = SignalContext(
            self.payment,
            self.out,
            self.own,
            self.other,
            self.near,
            self.name_near,
            self.standing,
        )
        return judge_signals(
            signals=evaluate_signals(scene),
            count=self.own.solid,
            weights=weights,
            listed=listed,
            young=scene.young,
            vouched=self.standing.vouched,
        )


def find_neighbours(*, payment: Payment, out: int, own: Profile, other: Profile) -> dict[str, int]:
    """Return the wallets at most two transfers away, of those that the profiles keep."""
    this, there = payment.sender, payment.receiver
    wallet, counterparty = (this, there) if out else (there, this)
    # own acquaintances overwrite: the nearer distance counts
    neighbours = dict.fromkeys(other.others, 2) | dict.fromkeys(own.others, 1)
    neighbours[counterparty] = 1
    # a wallet is no neighbour of itself, though its counterparty remembers it
    neighbours.pop(wallet, None)
    return neighbours


def flag_neighbours(
    hops_by_wallet: Mapping[str, int], flagged: Mapping[str, bool]
) -> tuple[FlaggedNeighbour, ...]:
    """Return the flagged ones of some neighbours, in a fixed order, and whether each is listed."""
    return tuple(
        sorted(
            FlaggedNeighbour(wallet, hops_by_wallet[wallet], flagged[wallet])
            for wallet in flagged
            if wallet in hops_by_wallet
        )
    )


def update_profiles(
    view: PaymentView, judgement: Judgement, *, new: bool
) -> tuple[Profile, Profile]:
    """Return the profiles of the wallet and its counterparty after a screen.

    `new` says that the payment was not counted before: only then does it enter the sums.
    """
    own, other = view.own, view.other
    if new:
        sender, receiver = (own, other) if view.out else (other, own)
        gone, came = apply_payment(sender=sender, receiver=receiver, payment=view.payment)
        own, other = (gone, came) if view.out else (came, gone)
    return add_running_risk(own, points=judgement.evidence, at=view.payment.at), other


def is_sampled(mark: str) -> bool:
    """Return whether a low score is selected for review; `mark` must not be predictable."""
    return int.from_bytes(blake2b(mark.encode(), digest_size=4).digest(), "big") % SLICE == 0
