"""Signals that flag by themselves, because a wallet being new cannot explain them. Pure.

Document 1 section 2.4, DESIGN.md section 4, 2.4. That a wallet is new, or makes many or large
payments, is no reason to hold its payments. These signals are: they detect what an honest newcomer
hardly does.
"""

from itertools import pairwise

from apps.compliance.aml.rules.behaviour import ALIKE, KNOWN_FROM, PARTS
from apps.compliance.aml.rules.network import detect_passed_on
from apps.compliance.aml.rules.profile import REPORTED
from apps.compliance.aml.rules.signal_context import (
    DAY,
    USD,
    SignalContext,
    SignalResult,
    format_day,
    format_usd,
)

LARGE = 50_000 * USD  # of the first payment of an unknown wallet
FIRST = 3  # payments among which that sum is split at most
JUST_TRIED = 7 * DAY
NEAR_FROM = 80  # per cent of the reporting threshold from which parts lie near it
PART = 3_000 * USD  # of equal parts, below which they are no sum that was split
MOVED = 3_000 * USD  # travel rule; less passes through a wallet every day
GROWN = 5  # times the largest payment before
MULE_GROWN = 2  # the same for money that passes through
SLEPT, AWAKE = 90, 14  # days of a pause, and after it


def detect_tried_listed(scene: SignalContext) -> SignalResult:
    """Detect a payment after a blocked one: to a listed wallet, or to this payee's blocked name."""
    standing, at = scene.standing, scene.payment.at
    sentences = {
        "It tried to pay a wallet on a sanctions list on {}.": standing.tried_listed_at,
        "A payment to the same payee was blocked on {}, by the name given then.": (
            standing.refused_at
        ),
    }
    recent = {
        template: when for template, when in sentences.items() if when and at - when <= JUST_TRIED
    }
    if not scene.out or not recent:
        return None
    sentences_with_days = (
        template.format(format_day(when // DAY)) for template, when in recent.items()
    )
    return format_day(max(recent.values()) // DAY), 100, " ".join(sentences_with_days)


def detect_bad_counterparty(scene: SignalContext) -> SignalResult:
    """Detect a counterparty that an officer marked as bad."""
    if not any(
        neighbour.wallet == scene.counterparty and not neighbour.listed for neighbour in scene.near
    ):
        return None
    return "direct", 100, "An officer found the counterparty to be bad."


def detect_first_large(scene: SignalContext) -> SignalResult:
    """Detect first payments of 50,000 USD or more from an unknown wallet.

    At most three count together, so that splitting the sum does not help; after those a far larger
    sum counts like one of the first.
    """
    own, amount = scene.own, scene.payment.amount
    if not scene.out or scene.standing.vouched or not scene.young:
        return None
    sums = [move.amount for move in own.recent if move.out]
    # once three have gone, only a sum far beyond them counts as another beginning
    if own.sent - own.dust >= FIRST and amount < GROWN * max(sums, default=0):
        return None
    total = amount + sum(sums)
    if total < LARGE:
        return None
    first = f"Its first {own.sent + 1} payments total" if own.sent else "Its first payment is of"
    return (
        format_usd(total),
        100,
        f"{first} {format_usd(total)}; it is not registered, and nothing is declared.",
    )


def detect_split_sum(scene: SignalContext) -> SignalResult:
    """Detect a sum that is split just under the reporting threshold.

    Three payments of 80 % of it or more within a week, or three equal ones of 3,000 USD or more
    between the same two wallets within two days.
    """
    amount = scene.payment.amount
    if amount >= REPORTED:
        return None
    near = [
        move.amount
        for move in scene.within(7 * DAY, out=scene.out)
        if NEAR_FROM * REPORTED <= 100 * move.amount < 100 * REPORTED
    ]
    if 100 * amount >= NEAR_FROM * REPORTED and len(near) + 1 >= PARTS:
        total = sum(near) + amount
        sentence = (
            f"{len(near) + 1} payments within a week lie just under {format_usd(REPORTED)}; "
            f"together they total {format_usd(total)}."
        )
        return str(len(near) + 1), 100, sentence
    alike = [
        move.amount
        for move in scene.within(2 * DAY, out=scene.out)
        if move.other == scene.counterparty and abs(move.amount - amount) * 100 <= ALIKE * amount
    ]
    total = sum(alike) + amount
    if amount < PART or len(alike) + 1 < PARTS:
        return None
    sentence = (
        f"{format_usd(total)} in {len(alike) + 1} equal payments to the same wallet within 2 days."
    )
    return str(len(alike) + 1), 100, sentence


def detect_mule(scene: SignalContext) -> SignalResult:
    """Detect money passing through an unknown wallet, more than it ever moved."""
    if not scene.out or scene.standing.vouched or scene.payment.amount < MOVED:
        return None
    passed = detect_passed_on(scene)
    grown = _moved_lately(scene) >= MULE_GROWN * _largest_before(scene)
    if passed is None or not (scene.young or grown):
        return None
    return passed[0], 100, f"{passed[2]} The wallet is not registered, and nothing is declared."


def detect_outgrown(scene: SignalContext) -> SignalResult:
    """Detect two days in which a wallet moves far more than before, with an unknown wallet.

    Either way: an account that is lent to launderers is seen when the sum comes.
    """
    own, amount = scene.own, scene.payment.amount
    lately = _moved_lately(scene)
    known = own.acquainted(scene.counterparty, amount)
    if scene.standing.vouched or scene.young or known or lately < REPORTED:
        return None
    largest = _largest_before(scene)
    if own.solid < KNOWN_FROM or not largest or lately < GROWN * largest:
        return None
    does = "leave" if scene.out else "come"
    sentence = (
        f"{format_usd(lately)} {does} within 2 days; the largest payment before was "
        f"{format_usd(largest)}."
    )
    return format_usd(lately), 100, sentence


def _moved_lately(scene: SignalContext) -> int:
    """Return what moves this way within two days, this payment included."""
    return scene.payment.amount + sum(move.amount for move in scene.within(2 * DAY, out=scene.out))


def _largest_before(scene: SignalContext) -> int:
    """Return the largest payment that is remembered from before these two days."""
    since = scene.payment.at - 2 * DAY
    return max((move.amount for move in scene.own.recent if move.at < since), default=0)


def detect_woken(scene: SignalContext) -> SignalResult:
    """Detect a wallet that was dormant for three months and now moves 10,000 USD or more."""
    own, payment = scene.own, scene.payment
    # today last: the pause may end with this very payment
    days = (*(day.day for day in own.days), scene.today)
    # the longest pause that is remembered, and the day on which it ended
    slept, since = max(((after - day, after) for day, after in pairwise(days)), default=(0, 0))
    if scene.standing.vouched or slept < SLEPT or scene.today - since > AWAKE:
        return None
    moved = payment.amount + sum(day.volume[scene.out] for day in own.since(since))
    if moved < REPORTED:
        return None
    sentence = (
        f"{format_usd(moved)} moved since {format_day(since)}, after {slept} days "
        f"without any payment."
    )
    return f"{slept} days", 100, sentence
