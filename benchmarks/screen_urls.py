"""Addresses of the benchmark's server: the platform's own, and the ceiling beside them."""

import time
from functools import cache
from typing import Any

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.auth import KeyView, principal
from apps.access.models import Kind
from apps.core.clock import now
from apps.screening import actions
from apps.screening.checks import Asked, Gathered
from apps.screening.rules import Facts
from apps.screening.serializers import ScreenIn
from apps.watchlists import engine
from config.urls import urlpatterns as platform


@cache
def nothing_found() -> Gathered:
    """Return what gathering gives when no check ran: made once, so it costs nothing."""
    facts = Facts(source="US", source_label="STANDARD")
    return Gathered(facts, engine.current(now()), (), (), None, (), None)


class Ceiling(KeyView):
    """Key, rate limit, validation and the same inserts as a screen, without looking anything up."""

    key_kinds = (Kind.SUBSCRIPTION,)

    def post(self, request: Request) -> Response:
        asked = Asked(**self.read(ScreenIn, request))
        body: dict[str, Any] = actions.conclude(
            asked=asked,
            gathered=nothing_found(),
            owner=principal(request).ref,
            account_id=principal(request).account_id,
            now=now(),
            started=time.perf_counter(),
        )
        return Response(body)


urlpatterns = [path("ceiling", Ceiling.as_view()), *platform]
