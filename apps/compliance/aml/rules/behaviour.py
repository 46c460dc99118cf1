"""Signals about a wallet's own behaviour: amounts, rhythm, age. Pure. Document 1 section 2.4."""

import math
from collections.abc import Callable
from itertools import pairwise

from apps.compliance.aml.rules.profile import LOG_UNIT, REPORTED, Day, log_amount
from apps.compliance.aml.rules.signal_context import (
    DAY,
    HOUR,
    MONTH,
    USD,
    SignalContext,
    SignalResult,
    format_day,
    format_usd,
    scale_strength,
)

# What is reported or identified from: travel rule 1,000 (EUR and USD) and 3,000 (31 CFR 1010.410),
# currency transaction reports 10,000 (31 CFR 1010.311)
THRESHOLDS = (1_000 * USD, 3_000 * USD, 10_000 * USD)
JUST_BELOW = 95  # per cent of a threshold from which an amount is just below it
BUNCHED = 3  # of so many kept payments one just below: no chance for one whose amounts are usual
PARTS = 3  # equal or small amounts from which a sum is called split
ALIKE = 2  # per cent by which equal parts may differ
BURST = 4  # payments of today and yesterday, this one included
TIMES = 1.5  # as much as usual, and as at its busiest, from which it is more than the business
SHARE = (60, 90)  # per cent of the threshold that the parts are on average: a few large ones
NEW_UNTIL = 10  # payments before which a wallet is new (document 1 section 2.4)
NEW_MOVES = 10_000 * USD  # at a hundred times as much the strength is full
UNUSUAL = 2.0  # standard deviations of the logarithm of amounts
LEAST_SPREAD = 0.25  # a wallet that always pays the same is not held to the cent
KNOWN_FROM = 5  # payments from which a wallet has enough history for comparison
# days
ASLEEP = MONTH // DAY
ROUND_FROM = 1_000 * USD
# payments from which the hours of a wallet are known
HOURS_FROM = 20
RARE_HOUR = 2  # per cent of all payments in an hour and its neighbours


def detect_just_below(scene: SignalContext) -> SignalResult:
    """Detect an amount just under a reporting or identification threshold.

    For a wallet that usually pays such amounts one of them means nothing: the more it pays, the
    more fall there by chance. For such a wallet, and for identification thresholds, only many of
    them count.
    """
    amount = scene.payment.amount
    # the ranges do not overlap, so at most one threshold fits
    limit = next((threshold for threshold in THRESHOLDS if _is_just_below(amount, threshold)), None)
    if limit is None:
        return None
    mine = [move.amount for move in scene.own.recent if move.out == scene.out]
    there = sum(_is_just_below(payment, limit) for payment in mine)
    # `there` is without this payment: the first such amount is never many
    many = there and there * BUNCHED >= len(mine)
    if not many and (limit < REPORTED or _is_usual_amount(scene)):
        return None
    share = amount * 100 // limit
    sentence = f"{format_usd(amount)} is {share} % of the threshold of {format_usd(limit)}."
    return f"{share} %", scale_strength(share, least=JUST_BELOW, full=99), sentence


def _is_just_below(amount: int, limit: int) -> bool:
    return limit * JUST_BELOW // 100 <= amount < limit


def _is_usual_amount(scene: SignalContext) -> bool:
    """Return whether an amount is usual for a wallet with a history."""
    mean, spread = scene.own.spread()
    # logarithms, because amounts spread by factors and not by dollars
    away = abs(log_amount(scene.payment.amount) / LOG_UNIT - mean)
    return scene.own.solid >= KNOWN_FROM and away < UNUSUAL * max(spread, LEAST_SPREAD)


def detect_structuring(scene: SignalContext) -> SignalResult:
    """Detect amounts under the reporting threshold that together exceed it, within a week.

    Not of a wallet whose weeks are always such, nor of one that did as much in one of the weeks
    that are remembered (it pays wages): that is its business. Three parts just under the
    threshold are as strong as eight of any size.
    """
    amount, out = scene.payment.amount, scene.out
    # seven days back and today: eight calendar days, hence the 8 below
    since = scene.today - 7
    week = scene.own.since(since)
    parts = sum(day.small[out] for day in week) + 1
    total = sum(day.small_volume[out] for day in week) + amount
    if amount >= REPORTED or parts < PARTS or total < REPORTED:
        return None
    # all amounts, not only small ones: of a wallet with large payments small parts are no evidence
    before = scene.own.volume - sum(sum(day.volume) for day in week)
    weeks = max(1.0, (since - scene.own.first_at // DAY) / 8)
    busiest = _busiest_span(scene, since, 7, lambda day: day.small_volume[out])
    if total < TIMES * max(before / weeks, busiest):
        return None
    sentence = (
        f"{parts} payments of less than {format_usd(REPORTED)} since {format_day(since)} total "
        f"{format_usd(total)}."
    )
    low, high = SHARE
    share = 100 * total / (parts * REPORTED)
    large = scale_strength(share, least=low, full=high) if share >= low else 0
    return format_usd(total), max(large, scale_strength(parts, least=PARTS, full=8)), sentence


def _busiest_span(scene: SignalContext, since: int, span: int, of: Callable[[Day], int]) -> int:
    """Return the most of a figure in so many days after one, of those kept from before `since`."""
    before = [day for day in scene.own.days if day.day < since]
    # days without payments are not kept, so spans go by the date and not by the place
    sums = (sum(of(d) for d in before if day.day <= d.day <= day.day + span) for day in before)
    return max(sums, default=0)


def detect_equal_parts(scene: SignalContext) -> SignalResult:
    """Detect several nearly equal amounts between the same two wallets within two days."""
    amount = scene.payment.amount
    alike = [
        m
        for m in scene.within(2 * DAY, out=scene.out)
        if m.other == scene.counterparty and abs(m.amount - amount) * 100 <= ALIKE * amount
    ]
    if len(alike) + 1 < PARTS:
        return None
    sentence = (
        f"{len(alike) + 1} payments of about {format_usd(amount)} with the same wallet "
        f"within 2 days."
    )
    return str(len(alike) + 1), scale_strength(len(alike) + 1, least=PARTS, full=6), sentence


def detect_velocity(scene: SignalContext) -> SignalResult:
    """Detect two days with far more payments than the wallet's days had before, the busiest too."""
    since = scene.today - 1
    lately = sum(sum(day.times) for day in scene.own.since(since)) + 1
    if lately < BURST:
        return None
    days = since - scene.own.first_at // DAY
    # `lately` has this payment, which `count` has not
    usual = (scene.own.count - lately + 1) / days if days > 0 else 0.0
    busiest = _busiest_span(scene, since, 1, lambda day: sum(day.times))
    if lately < max(3 * usual, TIMES * busiest):
        return None
    rate = f"{usual:.1f} a day" if usual >= 1 else "less than one a day"
    before = f"before that, {rate} was usual" if days > 0 else "before that there was none"
    sentence = f"{lately} payments since {format_day(since)}; {before}."
    return str(lately), scale_strength(lately, least=BURST, full=12), sentence


def detect_unusual_amount(scene: SignalContext) -> SignalResult:
    """Detect an amount far above what the wallet pays or receives."""
    own, amount = scene.own, scene.payment.amount
    if own.solid < KNOWN_FROM:
        return None
    mean, spread = own.spread()
    score = (log_amount(amount) / LOG_UNIT - mean) / max(spread, LEAST_SPREAD)
    if score < UNUSUAL:
        return None
    sentence = (
        f"{format_usd(amount)} lies {score:.1f} standard deviations above the {own.solid} payments "
        f"before; all were {format_usd(own.average)} on average."
    )
    return f"{score:.1f}", scale_strength(score, least=UNUSUAL, full=5), sentence


def detect_new_and_large(scene: SignalContext) -> SignalResult:
    """Detect a new wallet with a large volume."""
    own = scene.own
    moved = own.volume + scene.payment.amount
    if own.solid >= NEW_UNTIL or moved < NEW_MOVES:
        return None
    first = f"the first {own.count + 1} payments" if own.count else "its first payment"
    sentence = f"{format_usd(moved)} moved within {first}."
    strength = scale_strength(math.log10(moved / NEW_MOVES), least=0, full=2)
    return format_usd(moved), strength, sentence


def detect_awoken(scene: SignalContext) -> SignalResult:
    """Detect a wallet that was dormant longer than usual and now pays repeatedly."""
    own, since = scene.own, scene.today - 1
    lately = own.since(since)
    before = [day.day for day in own.days if day.day < since]
    many = sum(sum(day.times) for day in lately) + 1
    if own.count < PARTS or not before or many < 2:
        return None
    # from the last day before the burst to its first
    slept = (lately[0].day if lately else scene.today) - before[-1]
    pauses = (after - day for day, after in pairwise(before))
    if slept < max(ASLEEP, TIMES * max(pauses, default=0)):
        return None
    sentence = f"{many} payments since {format_day(since)} after {slept} days without any."
    return f"{slept} days", scale_strength(many, least=2, full=6), sentence


def detect_round_amount(scene: SignalContext) -> SignalResult:
    """Detect a round amount: whole thousands."""
    amount = scene.payment.amount
    if amount < ROUND_FROM or amount % ROUND_FROM:
        return None
    return format_usd(amount), 60, f"{format_usd(amount)} is a round amount."


def detect_odd_hour(scene: SignalContext) -> SignalResult:
    """Detect a payment at an hour at which the wallet hardly ever paid."""
    own, hour = scene.own, scene.payment.at // HOUR % 24
    if own.solid < HOURS_FROM:
        return None
    # the hours around it, too: a habit does not end on the hour
    near = sum(own.hours[(hour + turn) % 24] for turn in (-1, 0, 1))
    if near * 100 > RARE_HOUR * own.count:
        return None
    sentence = (
        f"Paid in the hour from {hour:02d}:00 UTC; {near} of {own.count} earlier payments were "
        "made near that hour."
    )
    return f"{hour:02d} h", 60, sentence
