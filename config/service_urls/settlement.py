"""URLconf of the settlement agent (document 2): flow-check, settlements, the banking connector."""

from apps.entry.discovery.views import discovery_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("settlement"), *service_urls("settlement")]
