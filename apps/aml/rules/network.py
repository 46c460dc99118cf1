"""Signals about who pays whom: fans, circles, money that passes through. Pure.

They read the movements that the two profiles keep, a fixed number, and no other wallet's.
"""

from apps.aml.rules.profile import DUST, KEPT_SHARE, MEETINGS, Profile
from apps.aml.rules.scene import DAY, MONTH, Found, Scene, date_of, ramp, usd

FAN = 4  # wallets met within two months
NEW_FAN, NEW_FANNED = 10, 7 * DAY  # of a wallet so young that nobody knows what is usual of it
FANNED = 2 * MONTH
TIMES = 1.5  # as many as usual
PASSED = 2  # days before the one of the payment
PART = 20  # per cent of what came that one receipt must be, to be told of by itself
CIRCLE = 90 * DAY
KNOWN_FROM = 5


def _fan(known: Profile, scene: Scene, *, out: int, this: str) -> tuple[int, float] | None:
    """Return how many wallets a profile met lately and only once, and how many it usually meets.

    None for fewer than a fan, for what is usual, and where this payment is with a known wallet.
    """
    if known.knows(this):
        return None
    at = scene.payment.at
    age = at - known.first_at if known.count else 0
    young = age <= FANNED
    lately = [one for one in known.meetings if one.at >= at - (NEW_FANNED if young else FANNED)]
    count = sum(one.out == out and not one.again for one in lately) + 1
    if young:
        return (count, 0.0) if count >= NEW_FAN else None
    usual = (known.met - len(lately)) * FANNED / max(age - FANNED, FANNED)
    return (count, usual) if count >= FAN and count >= TIMES * usual else None


def _fanned(found: tuple[int, float]) -> str:
    """Return in words how many wallets; no more are remembered than a fixed number."""
    many = f"at least {found[0]}" if found[0] > MEETINGS else str(found[0])
    return f"{many} wallets once within 60 days; before, {found[1]:.0f} new ones were usual"


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
    if found is None:
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
    paid = any(one.out and one.other == payment.receiver for one in scene.sender.recent)
    for trace in reversed(scene.sender.traces):
        if trace.origin != payment.receiver or payment.at - trace.at > CIRCLE:
            continue
        if not low * trace.amount <= 100 * payment.amount <= 101 * trace.amount:
            continue
        if paid and trace.hops == 1:
            continue
        over = f"over {trace.hops} transfers" if trace.hops > 1 else "directly"
        said = f"{usd(payment.amount)} returns to a wallet whose money came here {over}."
        return str(trace.hops + 1), 100 if trace.hops > 1 else 60, said
    return None


def passed_on(scene: Scene) -> Found:
    """Tell money that leaves a wallet soon after it came, nearly whole.

    Held against all that came since the day before yesterday, and against one receipt that is no
    small part of that.
    """
    since, amount = scene.today - PASSED, scene.payment.amount
    lately = scene.sender.since(since)
    came = sum(one.volume[0] for one in lately)
    if amount < DUST or not came:
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
    found = [one.hops for one in scene.near if one.listed is listed]
    if not found:
        return None
    close, hops = found.count(1), min(found)
    strength = min(100, direct + 10 * (close - 1) if close else indirect + 2 * (len(found) - 1))
    away = "one transfer away" if hops == 1 else "two transfers away"
    many = f"{len(found)} wallets" if len(found) > 1 else "A wallet"
    nearest = (
        f"{many} {words}, the nearest {away}." if len(found) > 1 else f"{many} {words}, {away}."
    )
    return str(hops), strength, nearest


def name_near(scene: Scene) -> Found:
    """Tell a registered name that resembles a listed one in part."""
    if not scene.name_near:
        return None
    said = f"A registered name resembles one on a sanctions list by {scene.name_near} %."
    return f"{scene.name_near} %", 100, said
