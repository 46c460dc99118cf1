"""Payee checks to read: the list, and one check whole with its attestation verified."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.compliance.vop.models import VopCheck
from apps.compliance.vop.views import changelists
from apps.compliance.vop.views import check as page
from apps.platform.desk.base_admin import ReadOnlyAdmin


@admin.register(VopCheck)
class VopCheckAdmin(ReadOnlyAdmin):
    """Every payee check as it was recorded."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=request_id",)

    def get_urls(self) -> list[Any]:
        """Give the list and a check's page; no others."""
        name = "vop_vopcheck"
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the checks that the address asks for, fifty at a time."""
        self._require(request)
        asked = changelists.PayeeCheckListQuery.read(request.GET)
        user = cast(User, request.user)
        found = changelists.build_payee_check_page(asked, user=user)
        shown = {
            "title": "Payee checks",
            "asked": asked,
            "page": found,
            "may_see_asker": user.has_perm("vop.view_asker"),
            "choices": [("result", "Any result", changelists.RESULTS, asked.result)],
            **asked.turns(found.following),
        }
        return self.draw(request, "vop/list.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one check."""
        self._require(request)
        check = VopCheck.objects.filter(pk=int(object_id)).first()
        if check is None:
            raise Http404
        shown = page.build_check_context(check=check, user=cast(User, request.user))
        return self.draw(request, "vop/check.html", shown)

    def _require(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied
