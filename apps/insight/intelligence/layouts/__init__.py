"""Layouts: the parts of an answer that a product's page shows; one row per product. Pure."""

from collections.abc import Mapping

from apps.insight.intelligence.layouts import earth, markets, networks, shocks
from apps.insight.intelligence.layouts.layout import Layout

__all__ = ["LAYOUTS", "Layout"]

LAYOUTS: Mapping[str, Layout] = {
    **markets.LAYOUTS,
    **earth.LAYOUTS,
    **shocks.LAYOUTS,
    **networks.LAYOUTS,
}
