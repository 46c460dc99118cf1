"""The page of the installation's health, for operators."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.backoffice.oversight.models import Health
from apps.platform.common.clock import now
from apps.platform.desk import health
from apps.platform.desk.base_admin import ReadOnlyAdmin


@admin.register(Health)
class HealthAdmin(ReadOnlyAdmin):
    """The checks of the health endpoint, in words."""

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="oversight_health_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the checks of each service."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        moment = now()
        shown = {
            "title": "Health",
            "services": health.describe_service_health(moment),
            "moment": moment,
        }
        return self.draw(request, "desk/health.html", shown)
