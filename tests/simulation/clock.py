"""A clock that only the simulation moves, and chance that follows its seed."""

import os
import random
import time
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


class Clock:
    """The present moment of a simulated world, in UTC."""

    def __init__(self) -> None:
        self.now = START

    def ahead(self, **span: float) -> None:
        """Let time pass; spans as timedelta has them."""
        self.now += timedelta(**span)

    def install(self) -> None:
        """Let the product's clock, and what it measures spans with, be this one."""
        from apps.platform.common import clock as products

        clock = self

        class Virtual:
            """Stands in for `datetime` in apps/platform/common/clock.py."""

            @staticmethod
            def now(zone: Any) -> datetime:
                return clock.now.astimezone(zone)

        def passed() -> float:
            return (clock.now - START).total_seconds() + 10_000.0

        products.datetime = Virtual  # type: ignore[attr-defined]
        time.time = lambda: clock.now.timestamp()  # type: ignore[assignment]
        time.monotonic = time.perf_counter = passed  # type: ignore[assignment]
        time.sleep = lambda seconds: clock.ahead(seconds=seconds)  # type: ignore[assignment]


class Chance:
    """What the product draws: ids, secrets, nonces. Another stream than the scheduler's."""

    def __init__(self) -> None:
        self.drawn = random.Random(0)

    def begin(self, seed: int) -> None:
        """Begin the streams of a seed."""
        self.drawn.seed(f"product {seed}")
        random.seed(f"global {seed}")

    def install(self) -> None:
        """Let it be where ids, tokens and nonces come from."""
        os.urandom = random._urandom = self.drawn.randbytes  # type: ignore[attr-defined]
