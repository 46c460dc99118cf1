"""The commodity forecasts (document 3): lights, outlooks, books under scenarios, a report."""

from apps.core.pages import service_urls
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.discovery.pages import discovery_urls
from apps.forecast.pages import page_urls

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*discovery_urls("forecast"), *service_urls("forecast"), *page_urls()]
