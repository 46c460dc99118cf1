"""Signals about who pays whom: fans, circles, money that passes through. Pure.

They read the movements that the two profiles keep, a fixed number, and no other wallet's.
"""

from apps.aml.rules.profile import KEPT_SHARE, Profile
from apps.aml.rules.scene import DAY, MONTH, Found, Scene, ramp, usd

FAN = 4  # wallets met within two months
FANNED = 2 * MONTH
TIMES = 1.5  # as many as usual
PASSED = 2 * DAY
CIRCLE = 90 * DAY
KNOWN_FROM = 5


def _once(known: Profile, *, out: int, since: int, this: str) -> int:
    """Return with how many wallets there was one payment only, `this` one among them."""
    seen: dict[str, int] = {}
    for move in known.recent:
        if move.out == out and move.at >= since:
            seen[move.other] = seen.get(move.other, 0) + 1
    single = sum(1 for count in seen.values() if count == 1)
    return single + 1 if this not in seen else single


def _fan(known: Profile, scene: Scene, *, out: int, this: str) -> tuple[int, float] | None:
    """Return how many wallets a profile met once lately, and how many it usually meets.

    None for fewer than a fan, for what is usual, and where this payment is with a known wallet.
    """
    if known.knows(this):
        return None
    at = scene.payment.at
    count = _once(known, out=out, since=at - FANNED, this=this)
    age = max(at - known.first_at, FANNED) if known.count else FANNED
    usual = known.met * FANNED / age
    return (count, usual) if count >= FAN and count >= TIMES * usual else None


def fan_in(scene: Scene) -> Found:
    """Tell a wallet that collects from many others within two months, more than it used to."""
    found = None if scene.out else _fan(scene.own, scene, out=0, this=scene.counterparty)
    if found is None:
        return None
    said = f"Collected from {found[0]} wallets within 60 days, usual are {found[1]:.0f}."
    return str(found[0]), ramp(found[0], least=FAN, full=12), said


def fan_out(scene: Scene) -> Found:
    """Tell a wallet that distributes to many others within two months, more than it used to."""
    found = _fan(scene.own, scene, out=1, this=scene.counterparty) if scene.out else None
    if found is None:
        return None
    said = f"Distributed to {found[0]} wallets within 60 days, usual are {found[1]:.0f}."
    return str(found[0]), ramp(found[0], least=FAN, full=12), said


def hub(scene: Scene) -> Found:
    """Tell a counterparty that collects from, or distributes to, many wallets within two months."""
    own = scene.payment.sender if scene.out else scene.payment.receiver
    found = _fan(scene.other, scene, out=1 - scene.out, this=own)
    if found is None:
        return None
    does = "collected from" if scene.out else "distributed to"
    said = f"The counterparty {does} {found[0]} wallets within 60 days; usual are {found[1]:.0f}."
    return str(found[0]), ramp(found[0], least=FAN, full=12), said


def circle(scene: Scene) -> Found:
    """Tell money that comes back to where it came from over other wallets."""
    payment, low = scene.payment, KEPT_SHARE[0]
    for trace in reversed(scene.sender.traces):
        if trace.origin != payment.receiver or payment.at - trace.at > CIRCLE:
            continue
        if not low * trace.amount <= 100 * payment.amount <= 101 * trace.amount:
            continue
        over = f"over {trace.hops} transfers" if trace.hops > 1 else "directly"
        said = f"{usd(payment.amount)} returns to a wallet whose money came here {over}."
        return str(trace.hops + 1), 100 if trace.hops > 1 else 60, said
    return None


def passed_on(scene: Scene) -> Found:
    """Tell money that leaves a wallet soon after it came, nearly whole."""
    payment, since = scene.payment, scene.payment.at - PASSED
    came = [m.amount for m in scene.sender.recent if not m.out and m.at >= since]
    gone = sum(m.amount for m in scene.sender.recent if m.out and m.at >= since) + payment.amount
    low, high = KEPT_SHARE
    share = next(
        (
            payment.amount * 100 // one
            for one in came
            if low * one <= 100 * payment.amount <= high * one
        ),
        gone * 100 // sum(came) if came else 0,
    )
    if not low <= share <= high:
        return None
    said = f"{share} % of what the sender received within 2 days leaves again."
    return f"{share} %", ramp(share, least=low, full=100), said


def new_counterparty(scene: Scene) -> Found:
    """Tell the first payment with a wallet, for one that mostly pays those that it knows."""
    own = scene.own
    if own.count < KNOWN_FROM or 2 * own.met > own.count or own.knows(scene.counterparty):
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
