"""Reports at the desk: the list of those that were sold, each as its buyer had it, and its PDF."""

import json
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.core.chain import proven
from apps.desk.pages import ReadOnly
from apps.reports.drawing.shown import shown
from apps.reports.models import PaidReport


@admin.register(PaidReport)
class PaidReportAdmin(ReadOnly):
    """Every report as it was sold."""

    change_form_template = "reports/record.html"
    list_display = ("recorded_at", "kind", "period", "level", "quality", "edition", "owner")
    list_filter = ("kind", "level", "quality", "recorded_at")
    search_fields = ("=report_id", "=owner")
    search_help_text = "A whole report id or client"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields = readonly_fields = (
        "report_id", "kind", "recorded_at", "period", "edition", "owner", "rules",
    )  # fmt: skip

    def get_urls(self) -> list[Any]:
        drawn = path("<id:pk>/pdf/", self.page_view(self._pdf), name="reports_paidreport_pdf")
        return [drawn, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        """Add the report; of a record that is not as it was written, nothing."""
        record = context.get("original")
        if record is not None:
            context |= _told(record)
        return super().render_change_form(request, context, *rest, **more)

    def _pdf(self, request: HttpRequest, pk: int) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        from apps.reports.drawing.pdf import pdf

        record = next(iter(proven(PaidReport.objects.filter(pk=pk))), None)
        if record is None or record.purged:
            raise Http404
        body = json.loads(record.data["body"])
        named = f'attachment; filename="{shown(body).name}.pdf"'
        return HttpResponse(pdf(body), "application/pdf", headers={"Content-Disposition": named})


def _told(record: PaidReport) -> dict[str, Any]:
    fault = record.mac_fault() if not record.purged else ""
    if fault or record.purged:
        return {"fault": fault, "purged": record.purged}
    kept = record.data
    inputs = json.dumps(kept["inputs"], indent=2, ensure_ascii=False)
    return {"report": shown(json.loads(kept["body"])), "inputs": inputs}
