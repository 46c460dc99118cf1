"""The catalogue: every paid product is one row here, and nowhere else."""

from apps.insight.intelligence.catalogue import earth, flows, forecasts, markets, networks, shocks
from apps.insight.intelligence.catalogue.product import Product

__all__ = ["PRODUCTS", "Product", "product_of"]

PRODUCTS: tuple[Product, ...] = (
    *markets.PRODUCTS,
    *flows.PRODUCTS,
    *earth.PRODUCTS,
    *shocks.PRODUCTS,
    *networks.PRODUCTS,
    *forecasts.PRODUCTS,
)
_NAMED = {product.name: product for product in PRODUCTS}


def product_of(name: str) -> Product | None:
    """Return the row of a product; None for a name that is none."""
    return _NAMED.get(name)
