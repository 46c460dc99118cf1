"""What a process knows of wallets for some seconds: a flow that is asked again costs little.

Kept is what came to an end, never what could not be looked up; and nothing is told once other
lists are in force. What is settled is never judged by it.
"""

import time
from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.reference.watchlists import engine as engines

MOST_ENTRIES = 20_000  # per process

NOT_CACHED: tuple[float, Any, Any] = (0.0, None, None)
_cached: dict[Hashable, tuple[float, Any, Any]] = {}


def get_cached_value(key: Hashable, *, now: datetime) -> Any:
    """Return what is kept under a key by the lists in force, None where that is too old."""
    return get_cached_values([key], now=now)[0]


def get_cached_values(keys: Sequence[Hashable], *, now: datetime) -> list[Any]:
    """Return what is kept under keys by the lists in force, None for each that is too old.

    Which lists those are is asked once: that costs more than all else here.
    """
    held, at = [_cached.get(key, NOT_CACHED) for key in keys], time.monotonic()
    if all(at >= until for until, _, _ in held):
        return [None] * len(held)
    in_force = engines.load_current_engine(now).sanctions
    return [known if at < until and lists is in_force else None for until, lists, known in held]


def cache_value(key: Hashable, known: Any, *, now: datetime, most: float = float("inf")) -> None:
    """Keep something that is not None for the seconds that are configured, for `most` at most."""
    seconds = min(float(settings.FLOW_CHECK_KEEPS), most)
    if not seconds:
        return
    if len(_cached) >= MOST_ENTRIES:
        _cached.clear()
    _cached[key] = time.monotonic() + seconds, engines.load_current_engine(now).sanctions, known


def clear_flow_cache() -> None:
    """Look everything up anew."""
    _cached.clear()
