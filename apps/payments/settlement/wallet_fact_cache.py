"""Cache facts about wallets for some seconds in each process, to make repeated flows cheap.

Only completed look-ups are cached. Settlements are never judged by the cache.
"""

import time
from collections.abc import Hashable, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.platform.common.problems import Unavailable
from apps.reference.watchlists import engine

MOST_ENTRIES = 20_000  # per process

NOT_CACHED: tuple[float, Any, Any] = (0.0, None, None)
_cached: dict[Hashable, tuple[float, Any, Any]] = {}


def get_cached_value(key: Hashable, *, now: datetime) -> Any:
    """Return the value of a key for the lists in force, None if it is too old."""
    return get_cached_values([key], now=now)[0]


def get_cached_values(keys: Sequence[Hashable], *, now: datetime) -> list[Any]:
    """Return the values of keys for the lists in force, None for each that is too old."""
    cached, at = [_cached.get(key, NOT_CACHED) for key in keys], time.monotonic()
    if all(at >= until for until, _, _ in cached):
        return [None] * len(cached)
    # once for all keys, because it costs more than everything else here
    in_force = _load_lists_in_force(now)
    if in_force is None:
        return [None] * len(cached)
    # the identity of the lists, not an age: a wallet that was listed a moment ago blocks at once
    return [known if at < until and lists is in_force else None for until, lists, known in cached]


def cache_value(key: Hashable, known: Any, *, now: datetime, most: float = float("inf")) -> None:
    """Cache a value that is not None for the configured seconds, for `most` at most."""
    seconds = min(float(settings.FLOW_CHECK_KEEPS), most)
    if not seconds or (in_force := _load_lists_in_force(now)) is None:
        return
    # bounds the memory; wallets come back within seconds, or never
    if len(_cached) >= MOST_ENTRIES:
        _cached.clear()
    _cached[key] = time.monotonic() + seconds, in_force, known


def _load_lists_in_force(now: datetime) -> Any:
    """Return what identifies the lists in force, None if they are unavailable or stale."""
    try:
        return engine.load_current_engine(now).sanctions
    except Unavailable:
        # the checks that need lists report it: a cache must not fail the whole flow
        return None


def clear_flow_cache() -> None:
    """Clear the cache, so that everything is looked up again."""
    _cached.clear()
