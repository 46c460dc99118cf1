"""The compliance service (document 1)."""

from apps.entry.discovery.views import discovery_urls
from apps.platform.core.problems import handler400, handler403, handler404, handler500
from apps.platform.core.views import service_urls

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    *discovery_urls("compliance"),
    *service_urls("compliance"),
]
