"""The compliance service (document 1)."""

from apps.core.pages import service_urls
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.discovery.pages import discovery_urls

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    *discovery_urls("compliance"),
    *service_urls("compliance"),
]
