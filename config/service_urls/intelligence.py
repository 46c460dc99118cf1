"""URLconf of the intelligence service (document 3): paid answers about stress, free feeds."""

from apps.entry.discovery.views import discovery_urls
from apps.insight.intelligence.views import page_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    *discovery_urls("intelligence"),
    *service_urls("intelligence"),
    *page_urls(),
]
