"""URLconf of the integration service (document 2): payments, rates."""

from apps.entry.discovery.views import discovery_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("integration"), *service_urls("integration")]
