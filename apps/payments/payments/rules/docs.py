"""The tables of payments for the printed page of rules."""

from collections.abc import Iterator

from apps.payments.payments.rules.assets import DECIMALS, PAIRS
from apps.payments.payments.rules.lifecycle import TRANSITIONS
from apps.payments.payments.rules.purposes import PAYMENT_TYPES

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def build_rule_tables() -> Iterator[Table]:
    """Yield what becomes of a payment, in what it settles, and which purposes are wages."""
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
            for one in TRANSITIONS
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
    yield (
        "Payments: purposes that are wages",
        ("purpose", "screened as", "reference"),
        [(f"`{code}`", f"`{type_}`", "`1 §2.7 rule 4`") for code, type_ in PAYMENT_TYPES.items()],
    )
