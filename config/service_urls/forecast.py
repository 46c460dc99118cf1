"""URLconf of the commodity forecasts (document 3): lights, outlooks, books, scenarios, a report."""

from apps.entry.discovery.views import discovery_urls
from apps.insight.forecast.views import page_urls
from apps.platform.api.views import service_urls
from apps.platform.common.problems import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("forecast"), *service_urls("forecast"), *page_urls()]
