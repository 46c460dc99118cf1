"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the row of /reliability that looks at no run: the same gate and headers, and the
same answer, made once and never looked after. The bare view is a plain Django view that sends it.
"""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.core.clock import now
from apps.core.endpoints import rows
from apps.core.rendering import Wire
from apps.core.views import addresses
from apps.stability.oracle import answers, standing
from config.urls import urlpatterns as platform

RELIABILITY = next(row for row in rows("stability") if row.name == "reliability")
_made: list[Wire] = []


def answer() -> Wire:
    """Return the first answer that was made."""
    if not _made:
        moment = now()
        _made.append(answers.reliability(standing.last(moment), moment))
    return _made[0]


def gather(*, asked: Any, now: datetime) -> Wire:
    """Look at nothing."""
    return answer()


CEILING = replace(RELIABILITY, name="reliability-ceiling", path="ceiling", gather=gather)


def bare(request: HttpRequest) -> HttpResponse:
    """Send the same answer."""
    return HttpResponse(json.dumps(answer()), content_type="application/json")


urlpatterns = [path("bare", bare), *addresses((CEILING,)), *platform]
