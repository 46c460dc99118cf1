"""Signals about who pays whom: fans, circles, money that passes through. Pure.

They read the movements that the two profiles keep, a fixed number, and no other wallet's.
"""

from apps.compliance.aml.rules.profile import ACQUAINTED, DUST, KEPT_SHARE, MEETINGS, Profile
from apps.compliance.aml.rules.signal_context import (
    DAY,
    MONTH,
    SignalContext,
    SignalResult,
    format_day,
    format_usd,
    scale_strength,
)

FAN = 3  # wallets met for the first time, and once only, within two months
NEW_FAN, NEW_FANNED = 10, 7 * DAY  # of a wallet so young that nobody knows what is usual of it
FANNED = 2 * MONTH
TIMES = 1.5  # as many as usual
PASSED = 2  # days before the one of the payment
SUMMED = (2, 3, 4)  # the same for all that came: a wallet may collect for some days,
COLLECTED = 3  # so many payments
PART = 50  # per cent of what came that one receipt must be, to be told of by itself
CIRCLE = 90 * DAY
KNOWN_FROM = 5
# strengths from which the wallet itself is one transfer away
DIRECTLY_LISTED, DIRECTLY_FLAGGED = 80, 50
NEARLY_WHOLE = 80  # strength of 95 % of what came: below it a business may keep its margin
SETTLED_FROM, SETTLED = 10, 4  # payments, and as many for each wallet, of one that is settled


def _measure_fan(
    profile: Profile, scene: SignalContext, *, out: int, this: str
) -> tuple[int, float] | None:
    """Return how many wallets a profile met lately and only once, and how many it usually meets.

    None for fewer than a fan, for what is usual, and where this payment is with a known wallet. Of
    a wallet too young to say what is usual of it, many within a week are a fan.
    """
    at, amount = scene.payment.at, scene.payment.amount
    held = profile.met_with(this)
    lately_met = held is not None and held.at > at - ACQUAINTED
    if profile.acquainted(this, amount) and not lately_met:
        return None
    age = max(at - profile.first_at, FANNED) if profile.count else FANNED
    others = (
        meeting for meeting in profile.meetings if meeting.out == out and meeting.other != this
    )
    met = [other.at for other in others if not other.again]
    lately = sum(one >= at - FANNED for one in met) + 1
    usual = profile.met * FANNED / age
    if lately >= FAN and lately >= TIMES * usual:
        return lately, usual
    week = sum(one >= at - NEW_FANNED for one in met) + 1
    return (week, usual) if age < 2 * FANNED and week >= NEW_FAN else None


def _describe_fan(found: tuple[int, float], profile: Profile, scene: SignalContext) -> str:
    """Return in words how many wallets; no more are remembered than a fixed number.

    An average is told of a wallet that is older than what it is of.
    """
    many = f"at least {found[0]}" if found[0] >= MEETINGS else str(found[0])
    said = f"{many} wallets that it first met within 60 days"
    old = profile.count and scene.payment.at - profile.first_at > FANNED
    return f"{said}; {found[1]:.0f} is its average" if old else said


def detect_fan_in(scene: SignalContext) -> SignalResult:
    """Tell a wallet that collects from many others within two months, more than it used to."""
    found = None if scene.out else _measure_fan(scene.own, scene, out=0, this=scene.counterparty)
    if found is None:
        return None
    said = f"Collected from {_describe_fan(found, scene.own, scene)}."
    return str(found[0]), scale_strength(found[0], least=FAN, full=12), said


def detect_fan_out(scene: SignalContext) -> SignalResult:
    """Tell a wallet that distributes to many others within two months, more than it used to."""
    found = _measure_fan(scene.own, scene, out=1, this=scene.counterparty) if scene.out else None
    if found is None:
        return None
    said = f"Distributed to {_describe_fan(found, scene.own, scene)}."
    return str(found[0]), scale_strength(found[0], least=FAN, full=12), said


def detect_hub(scene: SignalContext) -> SignalResult:
    """Tell a counterparty that collects from, or distributes to, many wallets within two months."""
    own = scene.payment.sender if scene.out else scene.payment.receiver
    found = _measure_fan(scene.other, scene, out=1 - scene.out, this=own)
    # who is paid by a wallet that begins to pay many (wages, refunds) is not to be told of it
    begins = not scene.out and scene.payment.at - scene.other.first_at < 2 * FANNED
    if found is None or begins:
        return None
    does = "collected from" if scene.out else "distributed to"
    said = f"The counterparty {does} {_describe_fan(found, scene.other, scene)}."
    return str(found[0]), scale_strength(found[0], least=FAN, full=12), said


def detect_circle(scene: SignalContext) -> SignalResult:
    """Tell money that comes back to where it came from over other wallets.

    Two wallets that pay each other again and again trade: that is no circle.
    """
    payment, low = scene.payment, KEPT_SHARE[0]
    if any(
        meeting.other == payment.receiver and meeting.again for meeting in scene.sender.meetings
    ):
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
        said = f"{format_usd(back)} returns to a wallet whose money came here {over}."
        return str(trace.hops + 1), 100 if trace.hops > 1 else 60, said
    return None


def detect_passed_on(scene: SignalContext) -> SignalResult:
    """Tell money that leaves a wallet soon after it came, nearly whole.

    Not to a wallet that the sender has paid for long: what comes and goes there is its business.
    Held against all that came since two to four days before, and against one receipt since two
    days before that is no small part of that.
    """
    if scene.payment.amount < DUST or _is_long_paid_counterparty(scene):
        return None
    sums = (_detect_all_passed_on(scene, scene.today - days) for days in SUMMED)
    return next(filter(None, sums), None) or _detect_receipt_passed_on(scene, scene.today - PASSED)


def _detect_all_passed_on(scene: SignalContext, since: int) -> SignalResult:
    """Tell that what came since a day left, nearly whole."""
    lately = scene.sender.since(since)
    came = sum(one.volume[0] for one in lately)
    gone = sum(one.volume[1] for one in lately) + scene.payment.amount
    low, high = KEPT_SHARE
    collected = sum(one.times[0] for one in lately) >= COLLECTED
    if since < scene.today - PASSED and not collected:
        return None
    if not came or not low * came <= 100 * gone <= high * came:
        return None
    share = gone * 100 // came
    said = (
        f"{share} % of the {format_usd(came)} that the sender received since "
        f"{format_day(since)} left."
    )
    return f"{share} %", scale_strength(share, least=low, full=100), said


def _detect_receipt_passed_on(scene: SignalContext, since: int) -> SignalResult:
    """Tell that one receipt since a day, no small part of all, leaves nearly whole."""
    amount, (low, high) = scene.payment.amount, KEPT_SHARE
    came = sum(one.volume[0] for one in scene.sender.since(since))
    for one in scene.sender.recent:
        if one.out or one.at // DAY < since or one.amount * 100 < PART * came:
            continue
        if low * one.amount <= 100 * amount <= high * one.amount:
            share = amount * 100 // one.amount
            said = (
                f"{format_usd(amount)} is {share} % of {format_usd(one.amount)} received "
                f"since {format_day(since)}."
            )
            return f"{share} %", scale_strength(share, least=low, full=100), said
    return None


def _is_long_paid_counterparty(scene: SignalContext) -> bool:
    """Tell whether the sender has known the receiver for more than a month."""
    payment, sender = scene.payment, scene.sender
    held = sender.met_with(payment.receiver)
    lately = held is not None and held.at >= payment.at - MONTH
    return sender.acquainted(payment.receiver, payment.amount) and not lately


def detect_new_counterparty(scene: SignalContext) -> SignalResult:
    """Tell the first payment with a wallet, for one that mostly pays those that it knows."""
    own = scene.own
    if own.solid < KNOWN_FROM or 2 * own.met > own.count or own.knows(scene.counterparty):
        return None
    said = f"First payment with this wallet; {own.count} before were with {own.met} others."
    return "first", 60, said


def detect_newcomer(scene: SignalContext) -> SignalResult:
    """Tell a wallet that is new to a counterparty which is settled: it pays the same few.

    More is asked of the counterparty's history than of the wallet's own
    (`detect_new_counterparty`): that somebody else does what is unusual of them is weaker evidence.
    """
    other, own = scene.other, scene.payment.sender if scene.out else scene.payment.receiver
    settled = other.solid >= SETTLED_FROM and SETTLED * other.met <= other.count
    if not settled or other.knows(own):
        return None
    said = (
        f"The counterparty never paid with this wallet; {other.count} payments before were with "
        f"{other.met} others."
    )
    return "first", 60, said


def detect_near_listed(scene: SignalContext) -> SignalResult:
    """Tell wallets on a sanctions list at most two transfers away."""
    return _detect_exposure(
        scene, listed=True, words="on a sanctions list", direct=DIRECTLY_LISTED, indirect=50
    )


def detect_near_flagged(scene: SignalContext) -> SignalResult:
    """Tell wallets that an officer found to be bad at most two transfers away."""
    return _detect_exposure(
        scene, listed=False, words="found to be bad", direct=DIRECTLY_FLAGGED, indirect=10
    )


def _detect_exposure(
    scene: SignalContext, *, listed: bool, words: str, direct: int, indirect: int
) -> SignalResult:
    """Return how near such wallets are; the nearest is named, for whoever reads it elsewhere."""
    found = sorted((one.hops, one.wallet) for one in scene.near if one.listed is listed)
    if not found:
        return None
    hops, nearest = found[0]
    close = sum(one == 1 for one, _ in found)
    strength = min(100, direct + 10 * (close - 1) if close else indirect + 2 * (len(found) - 1))
    # what is screened before it is sent may never have been: it was blocked
    away = f"{'one payment' if hops == 1 else 'two payments'} away, sent or tried"
    many = f"{len(found)} wallets {words}, the nearest" if len(found) > 1 else f"A wallet {words}"
    return str(hops), strength, f"{many} {away}: {nearest}."


def detect_name_near(scene: SignalContext) -> SignalResult:
    """Tell a registered name that resembles a listed one in part."""
    if not scene.name_near:
        return None
    said = f"A registered name resembles one on a sanctions list by {scene.name_near} %."
    return f"{scene.name_near} %", 100, said
