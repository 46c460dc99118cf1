"""Report inputs that are carried forward because they are too old. Pure.

A file that is not updated must not lower a score: an input that was strained when last seen is
carried forward, and one that was calmer than the rest is left out, like one that was never
observed. So a score without an overdue input is never below the one with it. A carried input counts
as an estimate, not for the coverage, and is reported (`held:NAME`).
"""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from apps.reference.signals.quality import TOLERATED, Quality
from apps.reference.signals.quality_labels import Label

HELD_PREFIX = "held:"  # what the reason begins with


def label_carried_forward_inputs(
    quality: Quality, names: Iterable[str], *, share: Decimal
) -> Quality:
    """Return the quality of an answer whose carried inputs have this share of its weight.

    An answer with a carried input is not LIVE, even if that input has no weight.
    """
    reasons = [f"{HELD_PREFIX}{name}" for name in names]
    if not reasons:
        return quality
    label: Label = "PARTIAL" if quality.label == "LIVE" else quality.label
    label = "ESTIMATED" if share > TOLERATED else label
    return replace(quality, label=label, reasons=tuple(dict.fromkeys([*quality.reasons, *reasons])))


def held_input_names(reasons: Iterable[str]) -> list[str]:
    """Return the carried inputs in the reasons of an answer."""
    return [
        reason.removeprefix(HELD_PREFIX) for reason in reasons if reason.startswith(HELD_PREFIX)
    ]


def merge_held_inputs(quality: Quality, other: Quality) -> Quality:
    """Return the first quality, with the carried inputs of the second."""
    held_names = held_input_names(other.reasons)
    return label_carried_forward_inputs(
        quality, held_names, share=Decimal(other.label == "ESTIMATED")
    )
