"""One screen, from two profiles and what is known around them to a judgement. Pure.

The database engine and the backtest call the same functions in the same order: `neighbours` says
whose standing must be known, `judged` judges, `counted` counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from apps.aml.rules.profile import Payment, Profile, after
from apps.aml.rules.scene import Near, Scene
from apps.aml.rules.scoring import Judgement, Weights, judge, with_risk
from apps.aml.rules.signals import fired

SLICE = 500  # of so many low scores one goes to review, by chance


@dataclass(frozen=True, slots=True)
class View:
    """A payment as one of its wallets sees it: both profiles before it, and what stands near.

    `name_near` is in per cent.
    """

    payment: Payment
    out: int
    own: Profile
    other: Profile
    near: tuple[Near, ...] = ()
    name_near: int = 0

    def judged(self, *, weights: Weights, listed: bool = False) -> Judgement:
        """Judge the payment for its wallet."""
        scene = Scene(self.payment, self.out, self.own, self.other, self.near, self.name_near)
        return judge(signals=fired(scene), count=self.own.solid, weights=weights, listed=listed)


def neighbours(*, payment: Payment, out: int, own: Profile, other: Profile) -> dict[str, int]:
    """Return the wallets at most two transfers away, of those that the profiles keep."""
    this, there = payment.sender, payment.receiver
    wallet, counterparty = (this, there) if out else (there, this)
    found = dict.fromkeys(other.others, 2) | dict.fromkeys(own.others, 1)
    found[counterparty] = 1
    found.pop(wallet, None)
    return found


def near(found: Mapping[str, int], flagged: Mapping[str, bool]) -> tuple[Near, ...]:
    """Return which of some neighbours are flagged, in one order; of each, whether it is listed."""
    return tuple(sorted(Near(one, found[one], flagged[one]) for one in flagged if one in found))


def counted(view: View, judgement: Judgement, *, new: bool) -> tuple[Profile, Profile]:
    """Return the profiles of the wallet and its counterparty after a screen.

    `new` says that the payment was not counted before: only then does it enter the sums.
    """
    own, other = view.own, view.other
    if new:
        sender, receiver = (own, other) if view.out else (other, own)
        gone, came = after(sender=sender, receiver=receiver, payment=view.payment)
        own, other = (gone, came) if view.out else (came, gone)
    return with_risk(own, points=judgement.points, at=view.payment.at), other


def sampled(mark: str) -> bool:
    """Tell whether a low score goes to review by chance; `mark` is one that nobody can choose."""
    return int.from_bytes(blake2b(mark.encode(), digest_size=4).digest(), "big") % SLICE == 0
