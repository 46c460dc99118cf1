"""The endpoints of the intelligence service (document 3 section 4), made from the catalogue."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.access.models import Kind
from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint
from apps.core.pipeline import Answer
from apps.intelligence import answering, entities, institutions
from apps.intelligence.catalogue import PRODUCTS
from apps.intelligence.catalogue.shape import Product
from apps.signals.quality import Unavailable

SERVICE = "intelligence"
PREFIX = "v1/intelligence"
TOLD = {
    "X-SVC-Cache-Hit": "Whether the answer was computed before: true or false.",
    "X-SVC-Generated": "When it was computed, ISO 8601 UTC.",
}
# products about somebody -> the module that knows about whom
BY_SUBJECT: dict[str, Any] = {"esg": entities, "contagion": institutions}


def row(product: Product) -> Endpoint:
    """Return the row of a product."""

    of = BY_SUBJECT.get(product.name)

    def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
        if of is not None:
            return of.gather(product, asked=asked, now=now)
        return answering.gather(product, asked=asked, now=now)

    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        teller = of or answering
        return teller.conclude(product, gathered=gathered, caller=caller, now=now)

    def told(body: Mapping[str, Any]) -> dict[str, str]:
        return answering.headers(product, body)

    heads = {f"X-SVC-{name}": f"`{path}` of the body." for name, path in product.heads.items()}
    return Endpoint(
        name=product.name,
        method="POST" if product.method == "POST" else "GET",
        path=product.whole or f"{PREFIX}/{product.path or product.name}",
        service=SERVICE,
        spec="3 §4",
        about=product.about,
        access=Access(keys=(Kind.DATA,), price=product.price, pays=True),
        ids=of.IDS if of else {},
        asks=product.asks,
        answers=product.answers,
        example=product.example,
        gather=gather,
        conclude=conclude,
        headers=heads | TOLD,
        told=told,
        idempotent=product.method == "POST",
        problems=(*(of.PROBLEMS if of else ()), Unavailable, answering.Unproved),
    )


ENDPOINTS = tuple(row(product) for product in PRODUCTS)
