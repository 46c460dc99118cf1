"""SFDR reports at the desk: the list, one report with charts, and its three files."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import path

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr import exports, stored_reports
from apps.insight.esg.sfdr.report_page import build_report_page
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.platform.ledger.verification.verified_reads import filter_verified_records


@admin.register(PaiReport)
class PaiReportAdmin(NewestFirstAdmin):
    """Every report and screen as it was given."""

    change_form_template = "esg/sfdr_report.html"
    list_display = (
        "recorded_at", "report_id", "kind", "period", "holdings", "overall", "computed",
        "required", "sample",
    )  # fmt: skip
    list_filter = ("kind", "overall", "sample", "recorded_at")
    search_fields = ("=report_id", "=owner", "=payer")
    search_help_text = "A complete report id, client or wallet"
    fields = readonly_fields = (
        "report_id", "kind", "recorded_at", "owner", "payer", "rules_version",
    )  # fmt: skip

    def get_urls(self) -> list[Any]:
        files = [
            path(
                f"<id:pk>/{form}/",
                self.page_view(self._download(form)),
                name=f"esg_paireport_{form}",
            )
            for form in exports.TYPES
        ]
        return [*files, *super().get_urls()]

    def record_context(self, request: HttpRequest, record: Any) -> dict[str, Any]:
        """Add indicators, charts and figures; of a record that is not as written, nothing."""
        return build_report_page(record)

    def _download(self, form: str) -> Any:
        def view(request: HttpRequest, pk: int) -> HttpResponseBase:
            if not self.has_view_permission(request):
                raise PermissionDenied
            record = next(iter(filter_verified_records(PaiReport.objects.filter(pk=pk))), None)
            if record is None or record.purged:
                raise Http404
            return stored_reports.build_download(record=record, form=form)

        return view
