"""What a flow rests on whoever is paid: weights, stability oracle, live score and rate.

Each is looked up beside the others, so that one that does not answer holds up nobody. Who only
asks is answered by what a process read within the last second.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from typing import Any

from apps.aml import weighing
from apps.payments import esg as live
from apps.settlement import remembering
from apps.signals.rates import MICRO, Converted, to_usd
from apps.stability.oracle import standing

WEIGHTS, ORACLE, LIVE, RATE = "weights", "oracle", "live score", "rate"
LASTS = 1.0  # seconds

Figures = Mapping[str, Any]


def known(recipient: str, *, currency: str, now: datetime) -> tuple[Any, dict[str, Any]]:
    """Return what a process holds of a wallet, and the figures that it holds, by name."""
    keys = [recipient, *(_key(name, currency) for name in NAMES)]
    wallet, *found = remembering.recalled(keys, now=now)
    held = zip(NAMES, found, strict=True)
    return wallet, {name: one for name, one in held if one is not None}


def keep(found: Figures, *, currency: str, now: datetime) -> None:
    """Keep the figures that were found; what was raised, or is not there, is none."""
    for name, one in found.items():
        if one is not None and not isinstance(one, Exception):
            remembering.keep(_key(name, currency), one, now=now, most=LASTS)


def looks(*, currency: str, now: datetime) -> dict[str, Callable[[], Any]]:
    """Return what looks up each figure, by name."""
    unit = partial(to_usd, amount=Decimal(1), currency=currency, now=now)
    return {
        WEIGHTS: partial(weighing.in_force, now),
        ORACLE: partial(standing.last, now),
        LIVE: partial(live.score, now),
        RATE: unit,
    }


NAMES = (WEIGHTS, ORACLE, LIVE, RATE)


def converted(amount: Decimal, unit: Any) -> Converted | None:
    """Return an amount in USD by what one unit comes to; None where no rate is known."""
    if not isinstance(unit, Converted):
        return None
    return replace(unit, amount_usd=(amount * unit.rate).quantize(MICRO, ROUND_HALF_EVEN))


def _key(name: str, currency: str) -> tuple[str, ...]:
    return (name, currency) if name == RATE else (name,)
