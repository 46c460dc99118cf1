"""What has grown too old is held at its last figure where the rest is calmer. Pure.

A file that stands still must not lower a score: an input that was strained when it was last seen is
carried forward, and one that was calmer than the rest gives its weight to it, as one does of which
nothing was ever observed. So a score without an input in age is never under the one with it. What
is held counts as an estimate, not for the coverage, and is told (`held:NAME`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal

from apps.signals.quality import TOLERATED, Label, Quality

HELD = "held:"  # what the reason begins with
Weighing = tuple[Decimal, Decimal]  # weight, score


def held(counted: Iterable[Weighing], lapsed: Mapping[str, Weighing]) -> list[str]:
    """Return those too old to count that raise the weighted mean, the most strained first.

    Of all choices among `lapsed` this one gives the highest mean.
    """
    listed = list(counted)
    weight = sum((one for one, _ in listed), Decimal(0))
    total = sum((one * score for one, score in listed), Decimal(0))
    found = []
    for name, (one, score) in sorted(lapsed.items(), key=lambda item: (-item[1][1], item[0])):
        if score * weight <= total:
            break
        found.append(name)
        weight, total = weight + one, total + one * score
    return found


def told(quality: Quality, names: Iterable[str], *, share: Decimal) -> Quality:
    """Return how good an answer is with what it holds, which has this share of its weight.

    What holds anything is not LIVE, though what is held may weigh nothing in the score.
    """
    reasons = [f"{HELD}{name}" for name in names]
    if not reasons:
        return quality
    label: Label = "PARTIAL" if quality.label == "LIVE" else quality.label
    label = "ESTIMATED" if share > TOLERATED else label
    return replace(quality, label=label, reasons=tuple(dict.fromkeys([*quality.reasons, *reasons])))


def names(reasons: Iterable[str]) -> list[str]:
    """Return what is held, by the reasons of an answer."""
    return [one.removeprefix(HELD) for one in reasons if one.startswith(HELD)]


def also(quality: Quality, other: Quality) -> Quality:
    """Return the first of two, with what the second holds."""
    kept = names(other.reasons)
    return told(quality, kept, share=Decimal(other.label == "ESTIMATED"))
