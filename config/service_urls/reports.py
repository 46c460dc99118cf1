"""URLconf of the report service (document 2): reports that are paid for one by one."""

from apps.entry.discovery.views import discovery_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("reports"), *service_urls("reports")]
