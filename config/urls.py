"""All services on one host, each under its prefix; the start page and the admin."""

from django.contrib import admin
from django.urls import include, path

from apps.backoffice.staff.views.sign_in import SignInView
from apps.entry.discovery.views import site_urls
from apps.platform.api.views import show_start_page
from apps.platform.desk.error_pages import handler400, handler403, handler404, handler500
from config.services import SERVICES

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    path("", show_start_page, name="start"),
    *site_urls(),
    path("admin/login/", SignInView.as_view()),  # in place of the stock page, under its name
    path("admin/account/", include("apps.backoffice.staff.urls")),
    path("admin/", admin.site.urls),
    *(path(f"{service.name}/", include(service.urlconf)) for service in SERVICES.values()),
]
