"""What a process knows of wallets for some seconds: a flow that is asked again costs little.

Kept are looks that came to an end, never what could not be looked up; and none is told once other
lists are in force. What is settled is never judged by it.
"""

import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.watchlists import engine as engines

MOST = 20_000  # wallets, per process

_held: dict[str, tuple[float, Any, Mapping[str, Any]]] = {}


def recall(address: str, *, now: datetime) -> Mapping[str, Any] | None:
    """Return what was looked up of a wallet by the lists in force, None where that is too old."""
    until, lists, known = _held.get(address, (0.0, None, {}))
    if time.monotonic() >= until or engines.current(now).sanctions is not lists:
        return None
    return known


def keep(address: str, known: Mapping[str, Any], *, now: datetime) -> None:
    """Keep what was looked up of a wallet, if every look came to an end."""
    if not settings.FLOW_CHECK_KEEPS or any(isinstance(one, Exception) for one in known.values()):
        return
    if len(_held) >= MOST:
        _held.clear()
    until = time.monotonic() + settings.FLOW_CHECK_KEEPS
    _held[address] = until, engines.current(now).sanctions, known


def forget() -> None:
    """Look everything up anew."""
    _held.clear()
