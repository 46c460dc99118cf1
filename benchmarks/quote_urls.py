"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the quote's own row that computes and says nothing: the same gate, shapes, rendering
and insert, with an answer that was made beforehand. The bare view is what a plain Django view
costs that inserts a quote: nothing is checked, counted or rendered.
"""

import json
from datetime import datetime
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from apps.insight.stability.fees.api.viewsets import QuoteViewSet
from apps.insight.stability.fees.presenters import serialize_quote
from apps.insight.stability.fees.rules.fees import PricedPayment, compute_fees
from apps.insight.stability.fees.services import quotes
from apps.insight.stability.fees.services.quotes import QuoteRequest
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform

PRICED = compute_fees(PricedPayment(10_000_000_000))
_said: list[dict[str, Any]] = []


def conclude(
    *, asked: QuoteRequest, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Store a quote, and answer what the first one was told."""
    quote = quotes.create_quote(asked=asked, priced=PRICED, now=now)
    if not _said:
        _said.append(serialize_quote(quote, PRICED))
    return _said[0]


def gather(*, asked: QuoteRequest, now: datetime) -> None:
    """Compute nothing."""


@csrf_exempt
def bare(request: HttpRequest) -> JsonResponse:
    """One insert of a quote."""
    asked: dict[str, Any] = json.loads(request.body)
    payment = PricedPayment(int(asked["amountUsd"] * 1_000_000))
    quote = quotes.create_quote(asked=QuoteRequest(payment), priced=PRICED, now=now())
    return JsonResponse({"quoteId": str(quote.quote_id), "validForSeconds": 300})


CEILING = ceiling_urls("stability", QuoteViewSet, gather=gather, conclude=conclude)
urlpatterns = [path("bare", bare), *CEILING, *platform]
