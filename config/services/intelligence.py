"""The intelligence service (document 3): paid answers about stress, free feeds."""

from apps.core.pages import service_urls
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.discovery.pages import discovery_urls
from apps.intelligence.pages import page_urls

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    *discovery_urls("intelligence"),
    *service_urls("intelligence"),
    *page_urls(),
]
