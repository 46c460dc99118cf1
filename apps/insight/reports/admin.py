"""Sold reports at the desk: the list, each report as its buyer got it, and its PDF."""

import json
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.insight.reports.documents.presenters import present_report
from apps.insight.reports.models import PaidReport
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.platform.ledger.verification.verified_reads import filter_verified_records


@admin.register(PaidReport)
class PaidReportAdmin(NewestFirstAdmin):
    """Every report as it was sold."""

    change_form_template = "reports/record.html"
    list_display = ("recorded_at", "kind", "period", "level", "quality", "edition", "owner")
    list_filter = ("kind", "level", "quality", "recorded_at")
    search_fields = ("=report_id", "=owner")
    search_help_text = "A complete report id, or a client"
    fields = readonly_fields = (
        "report_id", "kind", "recorded_at", "period", "edition", "owner", "rules",
    )  # fmt: skip

    def get_urls(self) -> list[Any]:
        drawn = path("<id:pk>/pdf/", self.page_view(self._pdf), name="reports_paidreport_pdf")
        return [drawn, *super().get_urls()]

    def record_context(self, request: HttpRequest, record: Any) -> dict[str, Any]:
        """Add the report, or the fault of a record that fails its integrity check."""
        fault = record.mac_fault() if not record.purged else ""
        if fault or record.purged:
            return {"fault": fault, "purged": record.purged}
        data = record.data
        inputs = json.dumps(data["inputs"], indent=2, ensure_ascii=False)
        return {"report": present_report(json.loads(data["body"])), "inputs": inputs}

    def _pdf(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        # reportlab is slow to import, and few processes ever draw a PDF
        from apps.insight.reports.documents.pdf import render_pdf

        record = next(iter(filter_verified_records(PaidReport.objects.filter(pk=pk))), None)
        if record is None or record.purged:
            raise Http404
        body = json.loads(record.data["body"])
        named = f'attachment; filename="{present_report(body).name}.pdf"'
        return HttpResponse(
            render_pdf(body), "application/pdf", headers={"Content-Disposition": named}
        )
