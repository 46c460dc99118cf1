"""The tables of the travel rule for the printed page of rules."""

from collections.abc import Iterator

from apps.travelrule.rules import aggregates
from apps.travelrule.rules.lifecycle import TURNS
from apps.travelrule.rules.recording import ROWS
from apps.travelrule.rules.thresholds import THRESHOLDS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables() -> Iterator[Table]:
    """Yield from when which threshold applies, what a record is, and how its status changes."""
    yield (
        "Travel rule: thresholds",
        ("since", "USD, at least", "reference"),
        [(one.since.isoformat(), f"{one.usd:.2f}", one.basis) for one in THRESHOLDS],
    )
    yield (
        "Travel rule: what a record is as it is made (the first that holds)",
        ("code", "reason", "status", "applies", "what it says"),
        [
            (
                f"`{one.ref}`",
                f"`{one.reason}`",
                f"`{one.status}`",
                "yes" if one.applies else "no",
                one.says,
            )
            for one in ROWS
        ],
    )
    yield (
        "Travel rule: how its status changes",
        ("code", "from", "event", "to", "what it says"),
        [
            (
                f"`{one.code}`",
                f"`{one.status}`" if one.status else "–",
                f"`{one.event}`",
                f"`{one.next}`",
                one.says,
            )
            for one in TURNS
        ],
    )
    yield (
        "Travel rule: what an originator's day comes to",
        ("code", "what it says"),
        [(f"`{aggregates.REF}`", aggregates.TITLE)],
    )
