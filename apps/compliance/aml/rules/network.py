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
NEW_FAN, NEW_FANNED = 10, 7 * DAY  # for a wallet so young that its usual activity is unknown
FANNED = 2 * MONTH
TIMES = 1.5  # as many as usual
PASSED = 2  # days before the one of the payment
SUMMED = (2, 3, 4)  # the same for all that came: a wallet may collect for some days
COLLECTED = 3  # payments from which receipts of more than PASSED days count as collected
PART = 50  # percent of all receipts that one must be to count by itself
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
    acquaintance = profile.met_with(this)
    lately_met = acquaintance is not None and acquaintance.at > at - ACQUAINTED
    # a payment with an old acquaintance adds nobody to a fan
    if profile.acquainted(this, amount) and not lately_met:
        return None
    # no younger than the span, else one early meeting would look like a habit
    age = max(at - profile.first_at, FANNED) if profile.count else FANNED
    others = (
        meeting for meeting in profile.meetings if meeting.out == out and meeting.other != this
    )
    # who was met again is a customer or supplier, not one of a fan
    times = [other.at for other in others if not other.again]
    lately = sum(time >= at - FANNED for time in times) + 1
    usual = profile.met * FANNED / age
    if lately >= FAN and lately >= TIMES * usual:
        return lately, usual
    week = sum(time >= at - NEW_FANNED for time in times) + 1
    return (week, usual) if age < 2 * FANNED and week >= NEW_FAN else None


def _describe_fan(fan: tuple[int, float], profile: Profile, scene: SignalContext) -> str:
    """Return the number of wallets in words; only a fixed number is remembered.

    An average is stated only for a wallet older than its period.
    """
    many = f"at least {fan[0]}" if fan[0] >= MEETINGS else str(fan[0])
    text = f"{many} wallets that it first met within 60 days"
    old = profile.count and scene.payment.at - profile.first_at > FANNED
    return f"{text}; {fan[1]:.0f} is its average" if old else text


def detect_fan_in(scene: SignalContext) -> SignalResult:
    """Detect a wallet that collects from many others within two months, more than it used to."""
    fan = None if scene.out else _measure_fan(scene.own, scene, out=0, this=scene.counterparty)
    if fan is None:
        return None
    sentence = f"Collected from {_describe_fan(fan, scene.own, scene)}."
    return str(fan[0]), scale_strength(fan[0], least=FAN, full=12), sentence


def detect_fan_out(scene: SignalContext) -> SignalResult:
    """Detect a wallet that distributes to many others within two months, more than it used to."""
    fan = _measure_fan(scene.own, scene, out=1, this=scene.counterparty) if scene.out else None
    if fan is None:
        return None
    sentence = f"Distributed to {_describe_fan(fan, scene.own, scene)}."
    return str(fan[0]), scale_strength(fan[0], least=FAN, full=12), sentence


def detect_hub(scene: SignalContext) -> SignalResult:
    """Detect a counterparty that collects from or distributes to many wallets within two months."""
    own = scene.payment.sender if scene.out else scene.payment.receiver
    fan = _measure_fan(scene.other, scene, out=1 - scene.out, this=own)
    # a payee of a wallet that begins to pay many (wages, refunds) is not flagged for it
    begins = not scene.out and scene.payment.at - scene.other.first_at < 2 * FANNED
    if fan is None or begins:
        return None
    does = "collected from" if scene.out else "distributed to"
    sentence = f"The counterparty {does} {_describe_fan(fan, scene.other, scene)}."
    return str(fan[0]), scale_strength(fan[0], least=FAN, full=12), sentence


def detect_circle(scene: SignalContext) -> SignalResult:
    """Detect money that returns to its origin through other wallets.

    Two wallets that pay each other repeatedly trade with each other: not a circle.
    """
    payment, (low, high) = scene.payment, KEPT_SHARE
    if any(
        meeting.other == payment.receiver and meeting.again for meeting in scene.sender.meetings
    ):
        return None
    # the money may go back in parts
    returned = [move for move in scene.sender.recent if move.out and move.other == payment.receiver]
    # the latest first; one circle is enough
    for trace in reversed(scene.sender.traces):
        if trace.origin != payment.receiver or payment.at - trace.at > CIRCLE:
            continue
        back = payment.amount + sum(move.amount for move in returned if move.at >= trace.at)
        if not low * trace.amount <= 100 * back <= high * trace.amount:
            continue
        # directly back and forth more than once is trade, whatever the amounts
        if trace.hops == 1 and returned:
            continue
        over = f"over {trace.hops} transfers" if trace.hops > 1 else "directly"
        sentence = f"{format_usd(back)} returns to a wallet from which money had come {over}."
        return str(trace.hops + 1), 100 if trace.hops > 1 else 60, sentence
    return None


def detect_passed_on(scene: SignalContext) -> SignalResult:
    """Detect money that leaves a wallet soon after it came, nearly whole.

    Not to a wallet that the sender has long paid: that is its usual business. Compared with all
    receipts since two to four days before, and with a single receipt of the last two days that is a
    substantial part of them.
    """
    if scene.payment.amount < DUST or _is_long_paid_counterparty(scene):
        return None
    sums = (_detect_all_passed_on(scene, scene.today - days) for days in SUMMED)
    return next(filter(None, sums), None) or _detect_receipt_passed_on(scene, scene.today - PASSED)


def _detect_all_passed_on(scene: SignalContext, since: int) -> SignalResult:
    """Detect that all receipts since a day left, nearly whole."""
    lately = scene.sender.since(since)
    came = sum(day.volume[0] for day in lately)
    gone = sum(day.volume[1] for day in lately) + scene.payment.amount
    low, high = KEPT_SHARE
    collected = sum(day.times[0] for day in lately) >= COLLECTED
    # further back than two days only what was collected in several payments counts
    if since < scene.today - PASSED and not collected:
        return None
    if not came or not low * came <= 100 * gone <= high * came:
        return None
    share = gone * 100 // came
    sentence = (
        f"{share} % of the {format_usd(came)} that the sender received since "
        f"{format_day(since)} left."
    )
    return f"{share} %", scale_strength(share, least=low, full=100), sentence


def _detect_receipt_passed_on(scene: SignalContext, since: int) -> SignalResult:
    """Detect that one receipt since a day, a substantial part of all, leaves nearly whole."""
    amount, (low, high) = scene.payment.amount, KEPT_SHARE
    came = sum(day.volume[0] for day in scene.sender.since(since))
    for move in scene.sender.recent:
        # a receipt that is a small part of all that came does not explain what leaves
        if move.out or move.at // DAY < since or move.amount * 100 < PART * came:
            continue
        if low * move.amount <= 100 * amount <= high * move.amount:
            share = amount * 100 // move.amount
            sentence = (
                f"{format_usd(amount)} is {share} % of {format_usd(move.amount)} received "
                f"since {format_day(since)}."
            )
            return f"{share} %", scale_strength(share, least=low, full=100), sentence
    return None


def _is_long_paid_counterparty(scene: SignalContext) -> bool:
    """Return whether the sender has known the receiver for more than a month."""
    payment, sender = scene.payment, scene.sender
    meeting = sender.met_with(payment.receiver)
    lately = meeting is not None and meeting.at >= payment.at - MONTH
    return sender.acquainted(payment.receiver, payment.amount) and not lately


def detect_new_counterparty(scene: SignalContext) -> SignalResult:
    """Detect the first payment with a wallet, for one that mostly pays those that it knows."""
    own = scene.own
    if own.solid < KNOWN_FROM or 2 * own.met > own.count or own.knows(scene.counterparty):
        return None
    sentence = f"First payment with this wallet; {own.count} before were with {own.met} others."
    return "first", 60, sentence


def detect_newcomer(scene: SignalContext) -> SignalResult:
    """Detect a wallet that is new to an established counterparty, which pays the same few.

    It requires more history of the counterparty than of the wallet itself
    (`detect_new_counterparty`): unusual behaviour of the other side is weaker evidence.
    """
    other, own = scene.other, scene.payment.sender if scene.out else scene.payment.receiver
    # at least four payments for each wallet that it met: it pays the same few
    settled = other.solid >= SETTLED_FROM and SETTLED * other.met <= other.count
    if not settled or other.knows(own):
        return None
    sentence = (
        f"The counterparty never paid with this wallet; {other.count} payments before were with "
        f"{other.met} others."
    )
    return "first", 60, sentence


def detect_near_listed(scene: SignalContext) -> SignalResult:
    """Detect wallets on a sanctions list at most two transfers away."""
    return _detect_exposure(
        scene, listed=True, words="on a sanctions list", direct=DIRECTLY_LISTED, indirect=50
    )


def detect_near_flagged(scene: SignalContext) -> SignalResult:
    """Detect wallets marked as bad by an officer, at most two transfers away."""
    return _detect_exposure(
        scene, listed=False, words="found to be bad", direct=DIRECTLY_FLAGGED, indirect=10
    )


def _detect_exposure(
    scene: SignalContext, *, listed: bool, words: str, direct: int, indirect: int
) -> SignalResult:
    """Return how near such wallets are: the distance as value, the nearest in the sentence."""
    exposed = sorted(
        (neighbour.hops, neighbour.wallet) for neighbour in scene.near if neighbour.listed is listed
    )
    if not exposed:
        return None
    hops, nearest = exposed[0]
    close = sum(hop == 1 for hop, _ in exposed)
    strength = min(100, direct + 10 * (close - 1) if close else indirect + 2 * (len(exposed) - 1))
    # what is screened before it is sent may never have been: it was blocked
    away = f"{'one payment' if hops == 1 else 'two payments'} away, sent or tried"
    many = (
        f"{len(exposed)} wallets {words}, the nearest" if len(exposed) > 1 else f"A wallet {words}"
    )
    return str(hops), strength, f"{many} {away}: {nearest}."


def detect_name_near(scene: SignalContext) -> SignalResult:
    """Detect a registered name that partly matches a listed one."""
    if not scene.name_near:
        return None
    sentence = f"A registered name resembles one on a sanctions list by {scene.name_near} %."
    return f"{scene.name_near} %", 100, sentence
