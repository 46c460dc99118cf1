"""Settings of the benchmark's server."""

import os
from collections.abc import Callable
from typing import Any

if os.environ.get("BENCH_CACHES") == "off":
    import functools

    _real = functools.lru_cache

    def _uncached(maxsize: Any = None, typed: bool = False) -> Any:
        """Stand in for lru_cache while the matcher is imported: remember nothing of names."""

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            # without parameters it is a table that is loaded once, whatever is screened
            code = getattr(function, "__code__", None)
            is_table = code is not None and not (code.co_argcount or code.co_kwonlyargcount)
            return _real(maxsize=None)(function) if is_table else function

        return keep(maxsize) if callable(maxsize) else keep

    functools.lru_cache = _uncached  # type: ignore[assignment]
    import apps.reference.watchlists.matching.explanation
    import apps.reference.watchlists.matching.index  # noqa: F401

    functools.lru_cache = _real

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.screen_urls"
RATES = {"SUBSCRIPTION": 100_000_000}
