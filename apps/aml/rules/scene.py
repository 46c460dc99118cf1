"""What a signal sees, and what it says. Pure. Document 1 section 2.4.

A signal sees a payment, both profiles as they stood before it, and what is known of the wallets
around. It returns what it measured, how strong that is (hundredths) and a sentence with the
numbers, or None.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from apps.aml.rules.profile import Move, Payment, Profile

USD = 1_000_000  # micro-units
HOUR, DAY, WEEK, MONTH = 3600, 86_400, 7 * 86_400, 30 * 86_400


class Near(NamedTuple):
    """A flagged wallet: how many transfers away, and whether a sanctions list has it."""

    wallet: str
    hops: int
    listed: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A payment as one of its two wallets sees it, before it is counted.

    `near` are flagged wallets by how many transfers away they are (1 or 2), and
    whether it is a sanctions list that has them. `name_near`
    is the best partial match of a registered name on a sanctions list, in per cent.
    """

    payment: Payment
    out: int
    own: Profile
    other: Profile
    near: tuple[Near, ...] = ()
    name_near: int = 0

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
class Fired:
    """A signal that holds: `value` in words, `strength` 1-100, and the sentence for people."""

    id: str
    value: str
    strength: int
    sentence: str


Found = tuple[str, int, str] | None


@dataclass(frozen=True, slots=True)
class Signal:
    """A row of the table. `weight` are points at full strength, before anything was learnt.

    Signals that `counts_again` count the same payments, each in its way: those that hold bring
    together no more than a bound (scoring.TOGETHER), or the strongest alone where that is more.
    """

    id: str
    title: str
    looks_at: str
    source: str
    weight: int
    measure: Callable[[Scene], Found]
    sanctions: bool = False
    counts_again: bool = False


def usd(micro: int) -> str:
    """Return an amount as people read it: `9,800.00 USD`."""
    return f"{micro // 10_000 / 100:,.2f} USD"


def money(amount: str) -> str:
    """Return an amount that is stored as a text as people read it: `9,000.00`."""
    whole, _, part = amount.partition(".")
    return f"{int(whole):,}.{part or '00'}"


def date_of(day: int) -> str:
    """Return a day, counted from 1970, as people read it: `2026-11-20`."""
    return datetime.fromtimestamp(day * DAY, UTC).date().isoformat()


def ramp(value: float, *, least: float, full: float) -> int:
    """Return a strength that rises from 20 at `least` to 100 at `full`."""
    share = min(1.0, max(0.0, (value - least) / (full - least)))
    return 20 + int(share * 80)
