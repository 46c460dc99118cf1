"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the quote's own row that computes and says nothing: the same gate, shapes, rendering
and insert, with an answer that was made beforehand. The bare view is what a plain Django view
costs that inserts a quote: nothing is checked, counted or rendered.
"""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from apps.core.callers import Caller
from apps.core.clock import now
from apps.core.endpoints import rows
from apps.core.views import addresses
from apps.stability.fees import quoting
from apps.stability.fees.quoting import Asked
from apps.stability.fees.telling import quote_said
from apps.stability.rules.fees import Payment, fees
from config.urls import urlpatterns as platform

QUOTE = next(row for row in rows("stability") if row.name == "quote-post")
PRICED = fees(Payment(10_000_000_000))
_said: list[dict[str, Any]] = []


def conclude(*, asked: Asked, gathered: Any, caller: Caller, now: datetime) -> dict[str, Any]:
    """Store a quote, and answer what the first one was told."""
    quote = quoting.give(asked=asked, priced=PRICED, now=now)
    if not _said:
        _said.append(quote_said(quote, PRICED))
    return _said[0]


def gather(*, asked: Asked, now: datetime) -> None:
    """Compute nothing."""


CEILING = replace(QUOTE, name="quote-ceiling", path="ceiling", gather=gather, conclude=conclude)


@csrf_exempt
def bare(request: HttpRequest) -> JsonResponse:
    """One insert of a quote."""
    asked: dict[str, Any] = json.loads(request.body)
    payment = Payment(int(asked["amountUsd"] * 1_000_000))
    quote = quoting.give(asked=Asked(payment), priced=PRICED, now=now())
    return JsonResponse({"quoteId": str(quote.quote_id), "validForSeconds": 300})


urlpatterns = [path("bare", bare), *addresses((CEILING,)), *platform]
