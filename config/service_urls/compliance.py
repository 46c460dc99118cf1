"""URLconf of the compliance service (document 1)."""

from apps.entry.discovery.views import discovery_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    *discovery_urls("compliance"),
    *service_urls("compliance"),
]
