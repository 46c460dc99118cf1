"""Viewsets of the intelligence service (document 3 section 4), one for each product."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.insight.intelligence.catalogue import PRODUCTS
from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.services import contagion_origins, entity_answers, paid_answers
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, operation
from apps.platform.api.viewsets import OperationViewSet
from apps.reference.signals.quality import TooFewInputs

PREFIX = "v1/intelligence"
HEADERS = {
    "X-SVC-Cache-Hit": "Whether the answer was computed earlier: true or false.",
    "X-SVC-Generated": "When it was computed, ISO 8601 UTC.",
}
# products about one entity -> the module that resolves the entity
SUBJECT_SERVICES: dict[str, Any] = {"esg": entity_answers, "contagion": contagion_origins}


def build_product_viewset(product: Product) -> type[OperationViewSet]:
    """Return the viewset of a product of the catalogue."""
    subject = SUBJECT_SERVICES.get(product.name)
    (lookup,) = subject.IDS if subject and subject.IDS else ("pk",)

    def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
        return (subject or paid_answers).gather_answer(product, asked=asked, now=now)

    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        return (subject or paid_answers).conclude_answer(
            product, gathered=gathered, caller=caller, now=now
        )

    def repeat_headers(body: Mapping[str, Any]) -> dict[str, str]:
        return paid_answers.build_answer_headers(product, body)

    response_headers = {
        f"X-SVC-{name}": f"`{path}` of the body." for name, path in product.heads.items()
    }
    declare = operation(
        product.name,
        spec="3 §4",
        description=product.about,
        access=Access(keys=(KeyKind.DATA,), price=product.price, pays=True),
        path_parameters=subject.IDS if subject else {},
        request=product.asks,
        response=product.answers,
        example=product.example,
        response_headers=response_headers | HEADERS,
        repeat_headers=repeat_headers,
        problems=(
            *(subject.PROBLEMS if subject else ()),
            TooFewInputs,
            paid_answers.AnswerIntegrityError,
        ),
    )

    def answer(self: OperationViewSet, request: Request, **_: str) -> HttpResponseBase:
        return self.run(gather, conclude)

    handler = "create" if product.method == "POST" else "retrieve" if lookup != "pk" else "list"
    members = {handler: declare(answer), "lookup_url_kwarg": lookup, "__doc__": "One product."}
    return type("ProductViewSet", (OperationViewSet,), members)


def product_url_prefix(product: Product) -> str:
    """Return the address that a product is registered under, without its id."""
    whole = product.whole or f"{PREFIX}/{product.path or product.name}"
    return whole.partition("/<")[0]


VIEWSETS = {product_url_prefix(product): build_product_viewset(product) for product in PRODUCTS}
