"""Signals about who pays whom: fans, circles, money that passes through. Pure.

They read the movements that the two profiles keep, a fixed number, and no other wallet's.
"""

from apps.aml.rules.profile import ACQUAINTED, DUST, KEPT_SHARE, MEETINGS, Profile
from apps.aml.rules.scene import DAY, MONTH, Found, Scene, date_of, ramp, usd

FAN = 3  # wallets met for the first time, and once only, within two months
NEW_FAN, NEW_FANNED = 10, 7 * DAY  # of a wallet so young that nobody knows what is usual of it
FANNED = 2 * MONTH
TIMES = 1.5  # as many as usual
PASSED = 2  # days before the one of the payment
PART = 50  # per cent of what came that one receipt must be, to be told of by itself
CIRCLE = 90 * DAY
KNOWN_FROM = 5


def _fan(known: Profile, scene: Scene, *, out: int, this: str) -> tuple[int, float] | None:
    """Return how many wallets a profile met lately and only once, and how many it usually meets.

    None for fewer than a fan, for what is usual, and where this payment is with a known wallet. Of
    a wallet too young to say what is usual of it, many within a week are a fan.
    """
    at = scene.payment.at
    mine = any(one.other == this and one.at > at - ACQUAINTED for one in known.meetings)
    if known.knows(this) and not mine:
        return None
    more = 0 if mine else 1
    age = max(at - known.first_at, FANNED) if known.count else FANNED
    met = [one.at for one in known.meetings if one.out == out and not one.again]
    lately = sum(one >= at - FANNED for one in met) + more
    usual = known.met * FANNED / age
    if lately >= FAN and lately >= TIMES * usual:
        return lately, usual
    week = sum(one >= at - NEW_FANNED for one in met) + more
    return (week, usual) if age < 2 * FANNED and week >= NEW_FAN else None


def _fanned(found: tuple[int, float]) -> str:
    """Return in words how many wallets; no more are remembered than a fixed number."""
    many = f"at least {found[0]}" if found[0] > MEETINGS else str(found[0])
    return f"{many} wallets that it first met within 60 days; {found[1]:.0f} is its average"


def fan_in(scene: Scene) -> Found:
    """Tell a wallet that collects from many others within two months, more than it used to."""
    found = None if scene.out else _fan(scene.own, scene, out=0, this=scene.counterparty)
    if found is None:
        return None
    said = f"Collected from {_fanned(found)}."
    return str(found[0]), ramp(found[0], least=FAN, full=12), said


def fan_out(scene: Scene) -> Found:
    """Tell a wallet that distributes to many others within two months, more than it used to."""
    found = _fan(scene.own, scene, out=1, this=scene.counterparty) if scene.out else None
    if found is None:
        return None
    said = f"Distributed to {_fanned(found)}."
    return str(found[0]), ramp(found[0], least=FAN, full=12), said


def hub(scene: Scene) -> Found:
    """Tell a counterparty that collects from, or distributes to, many wallets within two months."""
    own = scene.payment.sender if scene.out else scene.payment.receiver
    found = _fan(scene.other, scene, out=1 - scene.out, this=own)
    # who is paid by a wallet that begins to pay many (wages, refunds) is not to be told of it
    begins = not scene.out and scene.payment.at - scene.other.first_at < 2 * FANNED
    if found is None or begins:
        return None
    does = "collected from" if scene.out else "distributed to"
    said = f"The counterparty {does} {_fanned(found)}."
    return str(found[0]), ramp(found[0], least=FAN, full=12), said


def circle(scene: Scene) -> Found:
    """Tell money that comes back to where it came from over other wallets.

    Two wallets that pay each other again and again trade: that is no circle.
    """
    payment, low = scene.payment, KEPT_SHARE[0]
    if any(one.other == payment.receiver and one.again for one in scene.sender.meetings):
        return None
    returned = [one for one in scene.sender.recent if one.out and one.other == payment.receiver]
    for trace in reversed(scene.sender.traces):
        if trace.origin != payment.receiver or payment.at - trace.at > CIRCLE:
            continue
        back = payment.amount + sum(one.amount for one in returned if one.at >= trace.at)
        if not low * trace.amount <= 100 * back <= 101 * trace.amount:
            continue
        if trace.hops == 1 and returned:
            continue
        over = f"over {trace.hops} transfers" if trace.hops > 1 else "directly"
        said = f"{usd(back)} returns to a wallet whose money came here {over}."
        return str(trace.hops + 1), 100 if trace.hops > 1 else 60, said
    return None


def passed_on(scene: Scene) -> Found:
    """Tell money that leaves a wallet soon after it came, nearly whole.

    Not to a wallet that the sender has paid for long: what comes and goes there is its business.
    Held against all that came since the day before yesterday, and against one receipt that is no
    small part of that.
    """
    since, amount = scene.today - PASSED, scene.payment.amount
    lately = scene.sender.since(since)
    came = sum(one.volume[0] for one in lately)
    if amount < DUST or not came or _settled(scene):
        return None
    gone = sum(one.volume[1] for one in lately) + amount
    low, high = KEPT_SHARE
    if low * came <= 100 * gone <= high * came:
        share = gone * 100 // came
        said = f"{share} % of the {usd(came)} that the sender received since {date_of(since)} left."
        return f"{share} %", ramp(share, least=low, full=100), said
    for one in scene.sender.recent:
        if one.out or one.at // DAY < since or one.amount * 100 < PART * came:
            continue
        if low * one.amount <= 100 * amount <= high * one.amount:
            share = amount * 100 // one.amount
            said = (
                f"{usd(amount)} is {share} % of {usd(one.amount)} received since {date_of(since)}."
            )
            return f"{share} %", ramp(share, least=low, full=100), said
    return None


def _settled(scene: Scene) -> bool:
    """Tell whether the sender has known the receiver for more than a month."""
    sender, receiver, at = scene.sender, scene.payment.receiver, scene.payment.at
    lately = any(one.other == receiver and one.at >= at - MONTH for one in sender.meetings)
    return sender.knows(receiver) and not lately


def new_counterparty(scene: Scene) -> Found:
    """Tell the first payment with a wallet, for one that mostly pays those that it knows."""
    own = scene.own
    if own.solid < KNOWN_FROM or 2 * own.met > own.count or own.knows(scene.counterparty):
        return None
    said = f"First payment with this wallet; {own.count} before were with {own.met} others."
    return "first", 60, said


def near_listed(scene: Scene) -> Found:
    """Tell wallets on a sanctions list at most two transfers away."""
    return _exposed(scene, listed=True, words="on a sanctions list", direct=80, indirect=50)


def near_flagged(scene: Scene) -> Found:
    """Tell wallets that an officer found to be bad at most two transfers away."""
    return _exposed(scene, listed=False, words="found to be bad", direct=50, indirect=10)


def _exposed(scene: Scene, *, listed: bool, words: str, direct: int, indirect: int) -> Found:
    """Return how near such wallets are; the nearest is named, for whoever reads it elsewhere."""
    found = sorted((one.hops, one.wallet) for one in scene.near if one.listed is listed)
    if not found:
        return None
    hops, nearest = found[0]
    close = sum(one == 1 for one, _ in found)
    strength = min(100, direct + 10 * (close - 1) if close else indirect + 2 * (len(found) - 1))
    away = "one transfer away" if hops == 1 else "two transfers away"
    many = f"{len(found)} wallets {words}, the nearest" if len(found) > 1 else f"A wallet {words}"
    return str(hops), strength, f"{many} {away}: {nearest}."


def name_near(scene: Scene) -> Found:
    """Tell a registered name that resembles a listed one in part."""
    if not scene.name_near:
        return None
    said = f"A registered name resembles one on a sanctions list by {scene.name_near} %."
    return f"{scene.name_near} %", 100, said
