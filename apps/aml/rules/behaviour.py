"""Signals about a wallet's own behaviour: amounts, rhythm, age. Pure. Document 1 section 2.4."""

from apps.aml.rules.profile import LOG_UNIT, log_of
from apps.aml.rules.scene import DAY, HOUR, MONTH, USD, WEEK, Found, Scene, ramp, usd

# What is reported or identified from: travel rule 1,000 (EUR and USD) and 3,000 (31 CFR 1010.410),
# currency transaction reports 10,000 (31 CFR 1010.311)
THRESHOLDS = (1_000 * USD, 3_000 * USD, 10_000 * USD)
JUST_BELOW = 95  # per cent of a threshold from which an amount is just below it
REPORTED = 10_000 * USD
PARTS = 3  # equal or small amounts from which a sum is called split
ALIKE = 2  # per cent by which equal parts may differ
BURST = 4  # payments in a day, this one included
NEW_UNTIL = 10  # payments before which a wallet is new (document 1 section 2.4)
NEW_MOVES = 10_000 * USD
UNUSUAL = 2.0  # standard deviations of the logarithm of amounts
LEAST_SPREAD = 0.25  # a wallet that always pays the same is not held to the cent
KNOWN_FROM = 5  # payments from which a wallet has a history to be held against
ASLEEP = MONTH
ROUND_FROM = 1_000 * USD
HOURS_FROM = 20
RARE_HOUR = 2  # per cent of all payments in an hour and its neighbours


def just_below(scene: Scene) -> Found:
    """Tell an amount that stays just under a threshold of reporting or identification."""
    amount = scene.payment.amount
    for limit in THRESHOLDS:
        if limit * JUST_BELOW // 100 <= amount < limit:
            share = amount * 100 // limit
            said = f"{usd(amount)} is {share} % of the threshold of {usd(limit)}."
            return f"{share} %", ramp(share, least=JUST_BELOW, full=99), said
    return None


def structuring(scene: Scene) -> Found:
    """Tell amounts under the reporting threshold that together exceed it, within a week."""
    amount = scene.payment.amount
    parts = [m.amount for m in scene.within(WEEK, out=scene.out) if m.amount < REPORTED]
    total = sum(parts) + amount
    if amount >= REPORTED or len(parts) + 1 < PARTS or total < REPORTED:
        return None
    said = (
        f"{len(parts) + 1} payments of less than {usd(REPORTED)} within 7 days come to "
        f"{usd(total)}."
    )
    return usd(total), ramp(len(parts) + 1, least=PARTS, full=8), said


def equal_parts(scene: Scene) -> Found:
    """Tell several nearly equal amounts between the same two wallets within two days."""
    amount = scene.payment.amount
    alike = [
        m
        for m in scene.within(2 * DAY, out=scene.out)
        if m.other == scene.counterparty and abs(m.amount - amount) * 100 <= ALIKE * amount
    ]
    if len(alike) + 1 < PARTS:
        return None
    said = f"{len(alike) + 1} payments of about {usd(amount)} with the same wallet within 2 days."
    return str(len(alike) + 1), ramp(len(alike) + 1, least=PARTS, full=6), said


def velocity(scene: Scene) -> Found:
    """Tell a day with far more payments than the wallet's days have."""
    today = len(scene.within(DAY)) + 1
    if today < BURST:
        return None
    days = max(1, (scene.payment.at - scene.own.first_at) // DAY)
    usual = (scene.own.count - today + 1) / days
    if today < 3 * usual:
        return None
    said = f"{today} payments within 24 hours; usual are {usual:.1f} a day."
    return str(today), ramp(today, least=BURST, full=12), said


def unusual_amount(scene: Scene) -> Found:
    """Tell an amount far above what the wallet pays or receives."""
    own, amount = scene.own, scene.payment.amount
    if own.count < KNOWN_FROM:
        return None
    mean, spread = own.spread()
    score = (log_of(amount) / LOG_UNIT - mean) / max(spread, LEAST_SPREAD)
    if score < UNUSUAL:
        return None
    said = (
        f"{usd(amount)} lies {score:.1f} standard deviations above the {own.count} payments "
        f"before, {usd(own.average)} on average."
    )
    return f"{score:.1f}", ramp(score, least=UNUSUAL, full=5), said


def new_and_large(scene: Scene) -> Found:
    """Tell a new wallet that moves much."""
    moved = scene.own.volume + scene.payment.amount
    if scene.own.count >= NEW_UNTIL or moved < NEW_MOVES:
        return None
    said = f"{usd(moved)} moved within the first {scene.own.count + 1} payments."
    return usd(moved), ramp(moved, least=NEW_MOVES, full=10 * NEW_MOVES), said


def awoken(scene: Scene) -> Found:
    """Tell a wallet that slept for long and now pays again and again, or more than ever."""
    own, at = scene.own, scene.payment.at
    moves = [*[m.at for m in own.recent], at]
    lately = [one for one in moves if one > at - 2 * DAY]
    before = [one for one in moves if one <= at - 2 * DAY]
    if own.count < PARTS or len(before) < 2 or len(lately) < 2:
        return None
    slept = lately[0] - before[-1]
    if slept < ASLEEP:
        return None
    said = f"{len(lately)} payments within 2 days after {slept // DAY} days without any."
    return f"{slept // DAY} days", ramp(len(lately), least=2, full=6), said


def round_amount(scene: Scene) -> Found:
    """Tell a round amount: whole thousands."""
    amount = scene.payment.amount
    if amount < ROUND_FROM or amount % ROUND_FROM:
        return None
    return usd(amount), 60, f"{usd(amount)} is a round amount."


def odd_hour(scene: Scene) -> Found:
    """Tell an hour of the day at which the wallet hardly ever paid."""
    own, hour = scene.own, scene.payment.at // HOUR % 24
    if own.count < HOURS_FROM:
        return None
    near = sum(own.hours[(hour + turn) % 24] for turn in (-1, 0, 1))
    if near * 100 > RARE_HOUR * own.count:
        return None
    said = f"Paid at {hour:02d} h UTC; {near} of {own.count} payments before were about then."
    return f"{hour:02d} h", 60, said
