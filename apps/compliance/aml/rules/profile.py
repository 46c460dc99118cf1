"""The profile of a wallet: sums of bounded size, and the last few movements. Pure.

Everything is a whole number or a text, so that a profile is the same in a record, in a row and in
memory. A profile has a fixed size whatever the wallet does: sums of the last `DAYS` days on which
it paid, `RECENT` movements, `MEETINGS` with wallets it had not met, `TRACES` origins, two Bloom
filters of `BITS` each. The sums do not depend on the order in which movements come, and no number
of small payments pushes a large one out of them.
"""

import math
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, NamedTuple

DAYS = 9  # on which there was a payment: today, the seven before, and one to see a pause
RECENT = 16  # movements that are kept one by one: the last half, and the largest before those
MEETINGS = 16  # first payments with a wallet
TRACES = 16  # wallets whose money came here, over at most HOPS others
HOPS = 6
BITS = 1024  # of the filter that remembers counterparties, and of that of how much was paid
KEPT_SHARE = (80, 101)  # per cent of what came in that may go on and still be that money
LOG_UNIT = 1000  # logarithms of amounts are kept in thousandths
DAY = 86_400
ACQUAINTED = 7 * DAY  # after a first payment with a wallet
TENFOLD = 10  # of what was paid before, beyond which a payment is as one with a new wallet
DUST = 1_000_000  # micro-units of USD below which a payment says nothing of a wallet
LARGEST = 9  # significant digits
REPORTED = 10_000_000_000  # micro-units: transactions are reported from it (31 CFR 1010.311)


class Move(NamedTuple):
    """A movement as its wallet saw it: seconds since 1970, micro-units of USD, with whom."""

    at: int
    out: int  # 1 when the wallet sent, 0 when it received
    amount: int
    other: str


class Meeting(NamedTuple):
    """A first payment with a wallet; `again` 1 once there was another a week or more later.

    `amount` is the largest of its first week, in micro-units.
    """

    at: int
    out: int
    other: str
    again: int
    amount: int


class Trace(NamedTuple):
    """Money of `origin` that came here over `hops` transfers; as much of it as `amount`."""

    origin: str
    hops: int
    at: int
    amount: int


class Day(NamedTuple):
    """A UTC day: counts and sums of what came (0) and went (1); `small` are below REPORTED."""

    day: int
    times: tuple[int, int] = (0, 0)
    volume: tuple[int, int] = (0, 0)
    small: tuple[int, int] = (0, 0)
    small_volume: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment to be judged: who sends, who receives, micro-units of USD, seconds since 1970."""

    sender: str
    receiver: str
    amount: int
    at: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A wallet before a payment. `ln` and `ln2` are sums of logarithms and of their squares.

    `dust` payments are counted and summed, and say nothing else: not how mature the wallet is.
    """

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
    dust: int = 0
    days: tuple[Day, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    sizes: int = 0

    @property
    def count(self) -> int:
        """How many payments were counted, either way."""
        return self.sent + self.received

    @property
    def solid(self) -> int:
        """How many payments were no dust."""
        return self.count - self.dust

    @property
    def average(self) -> int:
        """The average amount in micro-units, rounded down."""
        return self.volume // self.count if self.count else 0

    def spread(self) -> tuple[float, float]:
        """Return mean and standard deviation of the logarithm of amounts; none below two."""
        count = self.solid
        if count < 2:
            return 0.0, 0.0
        # exact in whole numbers before the one division
        above = count * self.ln2 - self.ln * self.ln
        return self.ln / count / LOG_UNIT, math.sqrt(above / (count * (count - 1))) / LOG_UNIT

    def knows(self, other: str) -> bool:
        """Return whether a counterparty was seen; a wallet with very many may seem to know all."""
        mask = counterparty_bits(other)
        return self.known & mask == mask

    def met_with(self, other: str) -> Meeting | None:
        """Return the meeting with a wallet, where it is among those that are kept."""
        return next((meeting for meeting in self.meetings if meeting.other == other), None)

    def acquainted(self, other: str, amount: int) -> bool:
        """Return whether about as much, or a tenth of it at least, was paid with a wallet before.

        Of a meeting that is no longer kept only the number of digits of what was paid is known.
        """
        # who tests a way with a dollar makes no acquaintance for thousands, however long before
        if meeting := self.met_with(other):
            return amount <= TENFOLD * meeting.amount
        if not self.knows(other):
            return False
        # a tenth has one digit less; more than that counts as well
        digits = range(max(1, amount_digits(amount) - 1), LARGEST + 1)
        return any(
            self.sizes & mask == mask
            for mask in (sized_counterparty_bits(other, digit) for digit in digits)
        )

    @property
    def others(self) -> list[str]:
        """The wallets that are remembered by name."""
        return [move.other for move in self.recent] + [meeting.other for meeting in self.meetings]

    def since(self, day: int) -> list[Day]:
        """Return the days from one on, at most seven before the last payment, that had any."""
        return [recent_day for recent_day in self.days if recent_day.day >= day]


EMPTY_PROFILE = Profile()


def counterparty_bits(wallet: str) -> int:
    """Return the two bits of a wallet in the filter of counterparties."""
    # two bits of one hash; 1024 bits hold a few hundred counterparties before many seem known
    mark = int.from_bytes(blake2b(wallet.encode(), digest_size=4).digest(), "big")
    return 1 << (mark % BITS) | 1 << ((mark >> 16) % BITS)


def amount_digits(amount: int) -> int:
    """Return how many digits an amount in micro-units has before the point, at most LARGEST."""
    # in whole USD: the filter of sizes keeps orders of magnitude only
    return min(LARGEST, len(str(amount // DUST)))


def sized_counterparty_bits(wallet: str, digits: int) -> int:
    """Return the two bits of a wallet with which so much was paid, in the filter of sizes."""
    return counterparty_bits(f"{digits}:{wallet}")


def log_amount(amount: int) -> int:
    """Return the logarithm of an amount in micro-units, in thousandths."""
    return round(LOG_UNIT * math.log(max(amount, 1)))


def apply_payment(
    *, sender: Profile, receiver: Profile, payment: Payment
) -> tuple[Profile, Profile]:
    """Return both profiles with the payment counted; constant work, the given ones stay."""
    gone = _count_payment(sender, payment, out=1, other=payment.receiver)
    came = _count_payment(receiver, payment, out=0, other=payment.sender)
    # the receiver inherits the sender's traces that this payment may pass on
    if payment.amount < DUST:
        traces = receiver.traces
    else:
        # the received amounts of which this payment is 80 to 101 %
        least, most = (payment.amount * 100 // share for share in reversed(KEPT_SHARE))
        passed = (
            Trace(trace.origin, trace.hops + 1, payment.at, payment.amount)
            for trace in sender.traces
            if trace.hops < HOPS
            and least <= trace.amount <= most
            and trace.origin != payment.receiver
        )
        # the sender itself is an origin, one transfer away
        new = (*passed, Trace(payment.sender, 1, payment.at, payment.amount))
        traces = _keep_largest((*receiver.traces, *new), TRACES)
    return gone, replace(came, traces=traces)


def _count_payment(profile: Profile, payment: Payment, *, out: int, other: str) -> Profile:
    dust = payment.amount < DUST
    log, hour = 0 if dust else log_amount(payment.amount), payment.at // 3600 % 24
    hours = profile.hours
    is_met = dust or profile.knows(other)  # who is sent dust is not met
    day, small = payment.at // DAY, payment.amount < REPORTED
    previous = next((each_day for each_day in profile.days if each_day.day == day), Day(day))
    after = Day(
        day,
        _add_to_pair(previous.times, out, 1),
        _add_to_pair(previous.volume, out, payment.amount),
        _add_to_pair(previous.small, out, int(small)),
        _add_to_pair(previous.small_volume, out, payment.amount if small else 0),
    )
    return Profile(
        sent=profile.sent + out,
        received=profile.received + 1 - out,
        volume=profile.volume + payment.amount,
        ln=profile.ln + log,
        ln2=profile.ln2 + log * log,
        # min and max: payments may be counted in another order than they were made
        first_at=min(profile.first_at, payment.at) if profile.count else payment.at,
        last_at=max(profile.last_at, payment.at),
        hours=(*hours[:hour], hours[hour] + 1, *hours[hour + 1 :]),
        recent=_keep_largest(
            (*profile.recent, Move(payment.at, out, payment.amount, other)), RECENT
        ),
        traces=profile.traces,
        met=profile.met + (not is_met),
        risk=profile.risk,
        risk_at=profile.risk_at,
        known=profile.known | (0 if dust else counterparty_bits(other)),
        dust=profile.dust + dust,
        days=tuple(
            sorted({*(each_day for each_day in profile.days if each_day.day != day), after})
        )[-DAYS:],
        meetings=profile.meetings
        if dust
        else _update_meetings(profile, Meeting(payment.at, out, other, 0, payment.amount)),
        sizes=profile.sizes
        | (0 if dust else sized_counterparty_bits(other, amount_digits(payment.amount))),
    )


def _keep_largest(entries: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    """Return at most so many movements or traces: the last half, and the largest before those."""
    # in the order in which they came; small payments push no large one out
    while len(entries) > most:
        older = range(len(entries) - most // 2)
        least = min(older, key=lambda place: (entries[place].amount, place))
        entries = entries[:least] + entries[least + 1 :]
    return entries


def _add_to_pair(pair: tuple[int, int], out: int, more: int) -> tuple[int, int]:
    came, went = pair
    return (came, went + more) if out else (came + more, went)


def _update_meetings(profile: Profile, now: Meeting) -> tuple[Meeting, ...]:
    """Return meetings with a new one, or with one that was repeated."""
    previous = profile.met_with(now.other)
    # within the week it is one meeting: a cent to test the way and then the sum met once
    lately = previous is not None and now.at - previous.at < ACQUAINTED
    # far beyond all that was paid with a wallet before is like a first payment with it
    if not lately and not profile.acquainted(now.other, now.amount):
        others = (meeting for meeting in profile.meetings if meeting is not previous)
        return (*others, now)[-MEETINGS:]
    if previous is None:
        return profile.meetings
    largest = max(previous.amount, now.amount)
    same = previous._replace(amount=largest) if lately else previous._replace(again=1)
    return tuple(same if meeting is previous else meeting for meeting in profile.meetings)
