"""Read a product's inputs: newest points and histories, both as known at a moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.method_inputs import MethodInputs
from apps.reference.signals.composition import History
from apps.reference.signals.points import Point
from apps.reference.signals.selectors import series_values, silent_feeds

# as long as the causal graph is kept
CACHE_LIFETIME = timedelta(minutes=5)
# what was last read for each product, in this process
_MEMORY: dict[str, "_CachedSeries"] = {}


@dataclass(frozen=True, slots=True)
class _CachedSeries:
    """What was read for a product: at which moment, and up to which observation."""

    at: datetime
    up_to: int
    points: Mapping[str, Point]
    past: Mapping[str, History]

    def serves(self, as_of: datetime, up_to: int) -> bool:
        """Tell whether a read at this moment would be the same: no new data, and the same day."""
        young = timedelta(0) <= as_of - self.at < CACHE_LIFETIME
        return young and self.up_to == up_to and self.at.date() == as_of.date()


def load_method_inputs(
    product: Product, *, as_of: datetime, asked: Mapping[str, Any] | None = None
) -> MethodInputs:
    """Return what was known of every series of a product at a moment; in at most five queries.

    A process reads a product's series once in five minutes, unless a new observation arrives.
    """
    product_series = _read_product_series(product, as_of)
    points = silent_feeds.expire_silent_points(product_series.points, as_of=as_of)
    beside = product.beside(as_of) if product.beside else {}
    return MethodInputs(
        as_of=as_of, points=points, past=product_series.past, asked=asked or {}, beside=beside
    )


def _read_product_series(product: Product, as_of: datetime) -> _CachedSeries:
    up_to = series_values.last_observation_number()
    product_series = _MEMORY.get(product.name)
    if product_series is not None and product_series.serves(as_of, up_to):
        return product_series
    points, past = series_values.load_points_and_histories(
        product.series, as_of=as_of, since=product.first
    )
    cached_series = _MEMORY[product.name] = _CachedSeries(as_of, up_to, points, past)
    return cached_series


def clear_series_cache() -> None:
    """Empty this process's memory."""
    _MEMORY.clear()
