"""The settlement agent (document 2): flow-check, settlements, the banking connector."""

from apps.core.pages import service_urls
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.discovery.pages import discovery_urls

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("settlement"), *service_urls("settlement")]
