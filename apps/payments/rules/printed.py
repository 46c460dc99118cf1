"""The tables of payments for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.rules.assets import DECIMALS, PAIRS
from apps.payments.rules.lifecycle import TURNS

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def tables() -> Iterator[Table]:
    """Yield what becomes of a payment, and in what it settles."""
    yield (
        "Payments: what becomes of one",
        ("code", "from", "event", "to", "when", "reference"),
        [
            (
                f"`{one.code}`",
                f"`{one.state}`" if one.state else "–",
                f"`{one.event}`",
                f"`{one.next}`",
                one.title,
                f"`{one.ref}`",
            )
            for one in TURNS
        ],
    )
    yield (
        "Payments: currencies and assets",
        ("code", "currency", "decimals", "settles in", "exchange", "reference"),
        [
            (
                f"`{one.code}`",
                f"`{one.currency}`",
                str(DECIMALS[one.currency]),
                f"`{one.asset}`",
                "yes" if one.fx else "no",
                f"`{one.ref}`",
            )
            for one in PAIRS
        ],
    )
