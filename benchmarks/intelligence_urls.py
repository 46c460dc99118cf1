"""Addresses of the benchmark's server: the platform's own, a ceiling and fresh computations.

The ceiling is the product's own row that looks nothing up: what its first call read out of the
cache is told again. The bare view reads the kept record by key and answers its text. A fresh
computation reads its series and computes, and keeps nothing: it answers its milliseconds.
"""

import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from apps.insight.intelligence.api.viewsets import VIEWSETS
from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.models import IntelligenceAnswer
from apps.insight.intelligence.services import entity_answers, paid_answers
from apps.insight.intelligence.views import build_example_request
from apps.platform.common.clock import now as present
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform

MEASURED = "macro-stress"
_read: list[Any] = []


def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
    """Look nothing up, but for the first."""
    if not _read:
        _read.append(paid_answers.gather_answer(product_of(MEASURED), asked=asked, now=now))
    return _read[0]


def bare(request: HttpRequest) -> HttpResponse:
    """One SELECT by key."""
    product = product_of(MEASURED)
    assert product is not None
    slot = paid_answers.cache_slot_of(product, present())
    intelligence_answer = IntelligenceAnswer.objects.get(
        product=product.name, slot=slot, subject=""
    )
    return HttpResponse(intelligence_answer.data["body"], content_type="application/json")


def fresh(request: HttpRequest, name: str) -> JsonResponse:
    """Compute an answer as its first caller would have it, and say how long that took."""
    product = product_of(name)
    assert product is not None
    example_request = build_example_request(product)
    started, spent = time.perf_counter(), time.process_time()
    if name == "esg":
        entity_answers.gather_answer(
            product, asked={"address": request.GET["address"]}, now=present()
        )
    else:
        paid_answers.compute_answer(product, asked=example_request, now=present())
    spent = time.process_time() - spent
    told = {"milliseconds": time.perf_counter() - started, "cpu": spent}
    return JsonResponse({name: 1000 * seconds for name, seconds in told.items()})


CEILING = ceiling_urls("intelligence", VIEWSETS[f"v1/intelligence/{MEASURED}"], gather=gather)
urlpatterns = [path("bare", bare), path("fresh/<name>", fresh), *CEILING, *platform]
