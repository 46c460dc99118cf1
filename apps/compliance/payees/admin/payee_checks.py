"""Payee checks to read: the list, and one check whole with its attestation verified."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse

from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.views import payee_check_list, payee_check_page
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(VopCheck)
class VopCheckAdmin(RecordListAdmin):
    """Every payee check as recorded."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=request_id",)
    list_title = "Payee checks"
    list_template = "payees/vop/list.html"
    list_query = payee_check_list.PayeeCheckListQuery
    record_template = "payees/vop/check.html"

    def build_page(self, query: payee_check_list.PayeeCheckListQuery, user: User) -> ListPage:
        return payee_check_list.build_payee_check_page(query, user=user)

    def list_filters(self, query: payee_check_list.PayeeCheckListQuery) -> list[ChoiceFilter]:
        return [("result", "Any result", payee_check_list.RESULTS, query.result)]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the checks that the address asks for, and to who may know it who asked."""
        return super().changelist_view(
            request, {"may_see_asker": request.user.has_perm("registry.view_asker")}
        )

    def build_record_context(self, record: VopCheck, user: User) -> dict[str, Any]:
        return payee_check_page.build_check_context(check=record, user=user)
