"""Settings of the benchmark's server."""

import os
from collections.abc import Callable
from typing import Any

if os.environ.get("BENCH_CACHES") == "off":
    import functools

    def _uncached(maxsize: Any = None, typed: bool = False) -> Any:
        """Stand in for lru_cache while the matcher is imported: remember nothing."""
        if callable(maxsize):
            return maxsize

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            return function

        return keep

    _real = functools.lru_cache
    functools.lru_cache = _uncached  # type: ignore[assignment]
    import apps.reference.watchlists.matching.explanation
    import apps.reference.watchlists.matching.index  # noqa: F401

    functools.lru_cache = _real

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.screen_urls"
RATES = {"SUBSCRIPTION": 100_000_000}
