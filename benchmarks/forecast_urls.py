"""Addresses of the benchmark's server: the platform's own, and the ceiling beside them.

The ceiling is the portfolio's own row that reckons nothing: body, shapes and rendering are the
same, and what the first book came to is told again.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.endpoints import rows
from apps.core.pipeline import Answer
from apps.core.views import addresses
from apps.forecast import endpoints
from config.urls import urlpatterns as platform

PORTFOLIO = next(row for row in rows("forecast") if row.name == "portfolio")
_made: list[Any] = []


def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
    """Reckon nothing, but for the first."""
    if not _made:
        held = endpoints.gather_book(asked=asked, now=now)
        made = endpoints.conclude_portfolio(asked=asked, gathered=held, caller=None, now=now)  # type: ignore[arg-type]
        _made.append(made.values)
    return _made[0]


def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Tell the first again."""
    return Answer(gathered)


CEILING = replace(PORTFOLIO, name="book-ceiling", path="ceiling", gather=gather, conclude=conclude)
urlpatterns = [*addresses((CEILING,)), *platform]
