"""The report service (document 2): reports that are paid for one by one."""

from apps.core.pages import service_urls
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.discovery.pages import discovery_urls

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("reports"), *service_urls("reports")]
