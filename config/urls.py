"""All services on one host, each under its prefix; the start page and the admin."""

from django.contrib import admin
from django.urls import include, path

from apps.core.pages import start
from apps.desk.refusals import handler400, handler403, handler404, handler500
from apps.discovery.pages import site_urls
from apps.staff.entering import SignIn
from config.services import SERVICES

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [
    path("", start, name="start"),
    *site_urls(),
    path("admin/login/", SignIn.as_view()),  # in place of the stock page, under its name
    path("admin/account/", include("apps.staff.urls")),
    path("admin/", admin.site.urls),
    *(path(f"{service.name}/", include(service.urlconf)) for service in SERVICES.values()),
]
