"""The input and the result of a signal. Pure. Document 1 section 2.4.

A signal gets a payment, both profiles before it, and the known facts about the surrounding wallets.
It returns its measurement, its strength (hundredths) and a sentence with the numbers, or None.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from apps.compliance.aml.rules.expected_activity import ExpectedActivity
from apps.compliance.aml.rules.profile import Move, Payment, Profile

USD = 1_000_000  # micro-units
HOUR, DAY, WEEK, MONTH = 3600, 86_400, 7 * 86_400, 30 * 86_400


class FlaggedNeighbour(NamedTuple):
    """A flagged wallet: how many transfers away, and whether a sanctions list has it."""

    wallet: str
    hops: int
    listed: bool


@dataclass(frozen=True, slots=True)
class WalletBackground:
    """Facts about a wallet apart from its payments, from officers and from lists.

    `registered`: the registry has it. `expected`: what its institution declared. `tried_listed_at`:
    when it last tried to pay a listed wallet, 0 for never or where an officer let it go on since.
    `refused_at`: when a payment of its institution to the same payee was blocked by who was named.
    """

    registered: bool = False
    expected: ExpectedActivity | None = None
    tried_listed_at: int = 0
    refused_at: int = 0

    @property
    def vouched(self) -> bool:
        """Whether the wallet is registered or has an approved declaration."""
        return self.registered or self.expected is not None


UNKNOWN = WalletBackground()


@dataclass(frozen=True, slots=True)
class SignalContext:
    """A payment as one of its two wallets sees it, before it is counted.

    `near` are flagged wallets by how many transfers away they are (1 or 2), and
    whether it is a sanctions list that has them. `name_near`
    is the best partial match of a registered name on a sanctions list, in per cent. `standing` is
    that of the wallet itself.
    """

    payment: Payment
    out: int
    own: Profile
    other: Profile
    near: tuple[FlaggedNeighbour, ...] = ()
    name_near: int = 0
    standing: WalletBackground = UNKNOWN

    @property
    def young(self) -> bool:
        """Whether the wallet paid for the first time less than a month ago, or never."""
        return not self.own.count or self.payment.at - self.own.first_at < MONTH

    @property
    def planned(self) -> bool:
        """Whether the payment is within what the wallet's institution declared."""
        plan, payment = self.standing.expected, self.payment
        return plan is not None and plan.covers(own=self.own, amount=payment.amount, at=payment.at)

    @property
    def sender(self) -> Profile:
        """Who sends, as known before."""
        return self.own if self.out else self.other

    @property
    def receiver(self) -> Profile:
        """Who receives, as known before."""
        return self.other if self.out else self.own

    @property
    def counterparty(self) -> str:
        """The wallet on the other side."""
        return self.payment.receiver if self.out else self.payment.sender

    @property
    def today(self) -> int:
        """The UTC day of the payment, counted from 1970."""
        return self.payment.at // DAY

    def within(self, seconds: int, *, out: int | None = None) -> list[Move]:
        """Return the kept movements of the wallet of the last so many seconds, this one not."""
        since = self.payment.at - seconds
        return [m for m in self.own.recent if m.at >= since and out in (None, m.out)]


@dataclass(frozen=True, slots=True)
class FiredSignal:
    """A signal that holds: `value` in words, `strength` 1-100, and the sentence for people."""

    id: str
    value: str
    strength: int
    sentence: str


SignalResult = tuple[str, int, str] | None


@dataclass(frozen=True, slots=True)
class Signal:
    """A row of the table. `weight` are points at full strength, before anything was learnt.

    Signals that `counts_again` count the same payments, each in its way: those that hold bring
    together no more than a bound (scorecard.TOGETHER), or the strongest alone where that is more.
    From a strength of `fact_from` on a signal is a fact, which may block with others; 0 for what is
    only measured. One that `flags` is reviewed whatever the score. One that `usual` explains says
    nothing of a payment that is within what the institution declared.
    """

    id: str
    title: str
    looks_at: str
    source: str
    weight: int
    measure: Callable[[SignalContext], SignalResult]
    sanctions: bool = False
    counts_again: bool = False
    fact_from: int = 0
    flags: bool = False
    usual: bool = False

    def is_fact(self, strength: int) -> bool:
        """Return whether the signal is a fact at a strength."""
        return 0 < self.fact_from <= strength


def format_usd(micro: int) -> str:
    """Return an amount as people read it: `9,800.00 USD`."""
    # cents, cut off: a float only to print, never to compute with
    return f"{micro // 10_000 / 100:,.2f} USD"


def format_stored_amount(amount: str) -> str:
    """Return an amount that is stored as a text as people read it: `9,000.00`."""
    whole, _, part = amount.partition(".")
    return f"{int(whole):,}.{part or '00'}"


def format_day(day: int) -> str:
    """Return a day, counted from 1970, as people read it: `2026-11-20`."""
    return datetime.fromtimestamp(day * DAY, UTC).date().isoformat()


def scale_strength(value: float, *, least: float, full: float) -> int:
    """Return a strength that rises from 20 at `least` to 100 at `full`."""
    share = min(1.0, max(0.0, (value - least) / (full - least)))
    return 20 + int(share * 80)
