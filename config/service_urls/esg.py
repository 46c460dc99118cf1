"""URLconf of the ESG oracle (document 3): the live score, scores of entities, the ESG fee."""

from apps.entry.discovery.views import discovery_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("esg"), *service_urls("esg")]
