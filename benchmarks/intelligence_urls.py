"""Addresses of the benchmark's server: the platform's own, a ceiling and fresh computations.

The ceiling is the product's own row that looks nothing up: what its first call read out of the
cache is told again. The bare view reads the kept record by key and answers its text. A fresh
computation reads its series and computes, and keeps nothing: it answers its milliseconds.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from apps.core.clock import now as present
from apps.core.endpoints import rows
from apps.core.views import addresses
from apps.intelligence import answering, entities
from apps.intelligence.catalogue import product_of
from apps.intelligence.models import IntelligenceAnswer
from apps.intelligence.pages import example
from config.urls import urlpatterns as platform

MEASURED = "macro-stress"
ROW = next(row for row in rows("intelligence") if row.name == MEASURED)
_read: list[Any] = []


def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
    """Look nothing up, but for the first."""
    if not _read:
        _read.append(ROW.gather(asked=asked, now=now))
    return _read[0]


CEILING = replace(ROW, name="stress-ceiling", path="ceiling", gather=gather)


def bare(request: HttpRequest) -> HttpResponse:
    """One SELECT by key."""
    product = product_of(MEASURED)
    assert product is not None
    slot = answering.slot_of(product, present())
    found = IntelligenceAnswer.objects.get(product=product.name, slot=slot, subject="")
    return HttpResponse(found.data["body"], content_type="application/json")


def fresh(request: HttpRequest, name: str) -> JsonResponse:
    """Compute an answer as its first caller would have it, and say how long that took."""
    product = product_of(name)
    assert product is not None
    asked = example(product)
    started, spent = time.perf_counter(), time.process_time()
    if name == "esg":
        entities.gather(product, asked={"address": request.GET["address"]}, now=present())
    else:
        answering.compute(product, asked=asked, now=present())
    spent = time.process_time() - spent
    told = {"milliseconds": time.perf_counter() - started, "cpu": spent}
    return JsonResponse({name: 1000 * seconds for name, seconds in told.items()})


urlpatterns = [path("bare", bare), path("fresh/<name>", fresh), *addresses((CEILING,)), *platform]
