"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the row of /reliability that looks at no run: the same gate and headers, and the
same answer, made once and never looked after. The bare view is a plain Django view that sends it.
"""

import json
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.insight.stability.oracle import presenters
from apps.insight.stability.oracle.api.viewsets import ReliabilityViewSet
from apps.insight.stability.oracle.selectors import latest_run
from apps.platform.api.representation import RenderedAnswer
from apps.platform.common.clock import now
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform

_made: list[RenderedAnswer] = []


def answer() -> RenderedAnswer:
    """Return the first answer that was made."""
    if not _made:
        moment = now()
        _made.append(presenters.render_reliability(latest_run.load_latest_run(moment), moment))
    return _made[0]


def gather(*, asked: Any, now: datetime) -> RenderedAnswer:
    """Look at nothing."""
    return answer()


def bare(request: HttpRequest) -> HttpResponse:
    """Send the same answer."""
    return HttpResponse(json.dumps(answer()), content_type="application/json")


CEILING = ceiling_urls("stability", ReliabilityViewSet, gather=gather)
urlpatterns = [path("bare", bare), *CEILING, *platform]
