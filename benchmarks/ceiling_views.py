"""Ceilings: an operation of the platform that does less, served beside it."""

from collections.abc import Callable
from typing import Any

from django.http.response import HttpResponseBase
from django.urls import URLPattern

from apps.platform.api.routers import ServiceRouter
from apps.platform.api.viewsets import OperationViewSet


def ceiling_urls(
    service: str,
    viewset: type[OperationViewSet],
    *,
    gather: Callable[..., Any] | None = None,
    conclude: Callable[..., Any] | None = None,
) -> list[URLPattern]:
    """Return the address `ceiling` of actions with other functions in place of their own.

    One with a path of its own is served below it.
    """

    def run(self: Any, own: Any, ends: Any = None, build: Any = dict) -> HttpResponseBase:
        return viewset.run(self, gather or own, conclude or ends, build)

    router = ServiceRouter(service)
    router.register("ceiling", type("Ceiling", (viewset,), {"run": run}))
    patterns: list[URLPattern] = router.urls
    return patterns
