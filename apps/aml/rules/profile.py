"""What is kept of a wallet: sums that never grow, and the last few movements. Pure.

Everything is a whole number or a text, so that a profile is the same in a record, in a row and in
memory. A profile has a fixed size whatever the wallet does: `RECENT` movements, `TRACES` origins,
`BITS` of a Bloom filter. The sums do not depend on the order in which movements come.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, NamedTuple

RECENT = 24  # movements that are kept one by one
TRACES = 16  # wallets whose money came here, over at most HOPS others
HOPS = 6
BITS = 1024  # of the filter that remembers counterparties
KEPT_SHARE = (80, 101)  # per cent of what came in that may go on and still be that money
LOG_UNIT = 1000  # logarithms of amounts are kept in thousandths
DAY = 86_400


class Move(NamedTuple):
    """A movement as its wallet saw it: seconds since 1970, micro-units of USD, with whom."""

    at: int
    out: int  # 1 when the wallet sent, 0 when it received
    amount: int
    other: str


class Trace(NamedTuple):
    """Money of `origin` that came here over `hops` transfers; as much of it as `amount`."""

    origin: str
    hops: int
    at: int
    amount: int


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment to be judged: who sends, who receives, micro-units of USD, seconds since 1970."""

    sender: str
    receiver: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A wallet before a payment. `ln` and `ln2` are sums of logarithms and of their squares."""

    sent: int = 0
    received: int = 0
    volume: int = 0
    ln: int = 0
    ln2: int = 0
    first_at: int = 0
    last_at: int = 0
    hours: tuple[int, ...] = (0,) * 24
    recent: tuple[Move, ...] = ()
    traces: tuple[Trace, ...] = ()
    met: int = 0
    risk: int = 0
    risk_at: int = 0
    known: int = 0

    @property
    def count(self) -> int:
        """How many payments were counted, either way."""
        return self.sent + self.received

    @property
    def average(self) -> int:
        """The average amount in micro-units, rounded down."""
        return self.volume // self.count if self.count else 0

    def spread(self) -> tuple[float, float]:
        """Return mean and standard deviation of the logarithm of amounts; none below two."""
        count = self.count
        if count < 2:
            return 0.0, 0.0
        # exact in whole numbers before the one division
        above = count * self.ln2 - self.ln * self.ln
        return self.ln / count / LOG_UNIT, math.sqrt(above / (count * (count - 1))) / LOG_UNIT

    def knows(self, other: str) -> bool:
        """Tell whether a counterparty was seen; a wallet with very many may seem to know all."""
        mask = bits(other)
        return self.known & mask == mask


NOTHING = Profile()


def bits(wallet: str) -> int:
    """Return the two bits of a wallet in the filter of counterparties."""
    mark = int.from_bytes(blake2b(wallet.encode(), digest_size=4).digest(), "big")
    return 1 << (mark % BITS) | 1 << ((mark >> 16) % BITS)


def log_of(amount: int) -> int:
    """Return the logarithm of an amount in micro-units, in thousandths."""
    return round(LOG_UNIT * math.log(max(amount, 1)))


def after(*, sender: Profile, receiver: Profile, payment: Payment) -> tuple[Profile, Profile]:
    """Return both profiles with the payment counted; constant work, the given ones stay."""
    gone = _counted(sender, payment, out=1, other=payment.receiver)
    came = _counted(receiver, payment, out=0, other=payment.sender)
    return gone, replace(came, traces=_traced(sender, receiver, payment))


def _counted(known: Profile, payment: Payment, *, out: int, other: str) -> Profile:
    log, hour = log_of(payment.amount), payment.at // 3600 % 24
    hours = known.hours
    return Profile(
        sent=known.sent + out,
        received=known.received + 1 - out,
        volume=known.volume + payment.amount,
        ln=known.ln + log,
        ln2=known.ln2 + log * log,
        first_at=min(known.first_at, payment.at) if known.count else payment.at,
        last_at=max(known.last_at, payment.at),
        hours=(*hours[:hour], hours[hour] + 1, *hours[hour + 1 :]),
        recent=(*known.recent, Move(payment.at, out, payment.amount, other))[-RECENT:],
        traces=known.traces,
        met=known.met + (not known.knows(other)),
        risk=known.risk,
        risk_at=known.risk_at,
        known=known.known | bits(other),
    )


def _traced(sender: Profile, receiver: Profile, payment: Payment) -> tuple[Trace, ...]:
    """Return whose money the receiver now holds: the sender's, and what the sender passes on."""
    least, most = (payment.amount * 100 // share for share in reversed(KEPT_SHARE))
    passed = (
        Trace(one.origin, one.hops + 1, payment.at, payment.amount)
        for one in sender.traces
        if one.hops < HOPS and least <= one.amount <= most and one.origin != payment.receiver
    )
    new = (*passed, Trace(payment.sender, 1, payment.at, payment.amount))
    return (*receiver.traces, *new)[-TRACES:]


def recorded(known: Profile) -> list[Any]:
    """Return a profile as it is stored: lists, whole numbers and texts."""
    return [
        known.sent,
        known.received,
        known.volume,
        known.ln,
        known.ln2,
        known.first_at,
        known.last_at,
        list(known.hours),
        [list(one) for one in known.recent],
        [list(one) for one in known.traces],
        known.met,
        known.risk,
        known.risk_at,
        f"{known.known:x}",
    ]


def read(stored: Sequence[Any]) -> Profile:
    """Return a profile from what `recorded` made; of nothing, an empty one."""
    if not stored:
        return NOTHING
    *sums, hours, recent, traces, met, risk, risk_at, known = stored
    kept: list[Any] = [
        *sums,
        tuple(hours),
        tuple(Move(*one) for one in recent),
        tuple(Trace(*one) for one in traces),
        met,
        risk,
        risk_at,
        int(known, 16),
    ]
    return Profile(*kept)
