"""Ownership and PEP reports on the desk."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from apps.access.keys import tenant_names
from apps.compliance.screening.models import ReportRecord
from apps.compliance.screening.views import report_page
from apps.platform.desk.base_admin import ReadOnlyAdmin


class ReportResultFilter(admin.SimpleListFilter):
    """Reports by what was found, in words."""

    title, parameter_name = "result", "result"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code, words) for code, (words, _) in report_page.RESULTS.items()]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return queryset.filter(result=self.value()) if self.value() else queryset


@admin.register(ReportRecord)
class ReportRecordAdmin(ReadOnlyAdmin):
    """Every ownership and PEP report as a client was given it."""

    list_display = ("about", "kind", "found", "client", "recorded_at", "given_again")
    list_display_links = ("about",)
    list_filter = ("kind", ReportResultFilter, "recorded_at")
    search_fields = ("=owner",)
    search_help_text = "Full owner, such as account:1"
    list_per_page = 50
    show_full_result_count = False

    @admin.display(description="about")
    def about(self, report_record: ReportRecord) -> str:
        """Say whom the report is about."""
        return report_page.name_report_subject(report_record)

    @admin.display(description="result", ordering="result")
    def found(self, report_record: ReportRecord) -> str:
        """Say what was found, in words."""
        return report_page.RESULTS.get(report_record.result, (report_record.result, ""))[0]

    @admin.display(description="client", ordering="owner")
    def client(self, report_record: ReportRecord) -> str:
        """Name the client; the list reads all names of a page at once."""
        return str(getattr(report_record, "client_name", report_record.owner))

    @admin.display(description="repeated", boolean=True)
    def given_again(self, report_record: ReportRecord) -> bool:
        """Whether an earlier answer of the same question was given once more."""
        return report_record.kept

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Read the names of a page's clients in one query."""
        # a column that looks up its client by itself would cost one query for each row
        changelist_instance = super().get_changelist_instance(request)
        rows = list(changelist_instance.result_list)
        names = tenant_names.load_tenant_names({row.owner for row in rows})
        for row in rows:
            row.client_name = names.get(row.owner, row.owner)
        changelist_instance.result_list = rows
        return changelist_instance

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one report in words and as stored."""
        if not self.has_view_permission(request) or request.method not in ("GET", "HEAD"):
            raise PermissionDenied  # nothing of a report can be sent
        report = self.get_object(request, str(object_id))
        if report is None:
            raise Http404
        return self.draw(request, "screening/report.html", report_page.build_report_context(report))
