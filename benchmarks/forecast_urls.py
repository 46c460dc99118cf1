"""Addresses of the benchmark's server: the platform's own, and the ceiling beside them.

The ceiling is the portfolio's own row that reckons nothing: body, shapes and rendering are the
same, and what the first book came to is told again.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.insight.forecast.api import viewsets
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform

_made: list[Any] = []


def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
    """Reckon nothing, but for the first."""
    if not _made:
        book = viewsets.gather_book(asked=asked, now=now)
        answer = viewsets.conclude_portfolio(asked=asked, gathered=book, caller=None, now=now)  # type: ignore[arg-type]
        _made.append(answer.values)
    return _made[0]


def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Tell the first again."""
    return Answer(gathered)


CEILING = ceiling_urls("forecast", viewsets.PortfolioViewSet, gather=gather, conclude=conclude)
urlpatterns = [*CEILING, *platform]
