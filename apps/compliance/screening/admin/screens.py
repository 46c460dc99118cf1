"""Pages of screens: the list, one screen in full or recomputed, and what-if of thresholds."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.access.keys import tenant_names
from apps.compliance.screening.models import ReportRecord, Screen
from apps.compliance.screening.views import report_page, screen_list, thresholds_page
from apps.compliance.screening.views.screen_record_page import build_screen_context, replay_for_page
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Screen)
class ScreenAdmin(RecordListAdmin):
    """Every screen as it was recorded."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=screen_id",)
    list_title = "Screens"
    list_template = "screening/list.html"
    list_query = screen_list.ScreenListQuery
    record_template = "screening/screen.html"
    steps = ("replay",)

    def get_urls(self) -> list[Any]:
        """Give the list, the screen's page, its replay, and the thresholds; no others."""
        view = self.page_view(self.thresholds)
        return [
            path("thresholds/", view, name="screening_screen_thresholds"),
            *super().get_urls(),
        ]

    def build_page(self, query: screen_list.ScreenListQuery, user: User) -> ListPage:
        return screen_list.build_screen_page(query)

    def list_filters(self, query: screen_list.ScreenListQuery) -> list[ChoiceFilter]:
        return [
            ("decision", "Any decision", screen_list.DECISIONS, query.decision),
            ("owner", "All clients", tenant_names.list_tenant_choices(query.owner), query.owner),
            ("rule", "Any rule", screen_list.TITLES, query.rule),
            ("sample", "Any data", screen_list.SAMPLES, query.sample),
        ]

    def build_record_context(self, record: Screen, user: User) -> dict[str, Any]:
        return build_screen_context(screen=record, user=user) | {"replayed": None}

    def thresholds(self, request: HttpRequest) -> HttpResponse:
        """Show what proposed thresholds would have changed; nothing is stored."""
        self.require_view(request)
        if not request.user.has_perm("review.view_case"):
            raise PermissionDenied
        threshold_context = thresholds_page.build_threshold_context(
            thresholds_page.ThresholdQuery.read(request.GET)
        )
        self.shows(request, [row.line.screen for row in threshold_context.get("rows", ())])
        status = 400 if threshold_context["fault"] else 200
        return self.draw(request, "screening/thresholds.html", threshold_context, status=status)

    def replay(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Recompute a screen and show the result; nothing is stored."""
        self.require_view(request)
        screen = self.get_record(request, pk)
        shown = build_screen_context(screen=screen, user=cast(User, request.user))
        shown |= {"replayed": replay_for_page(screen)}
        return self.draw(request, self.record_template, shown)


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
        """Show one report in words, and as it was stored."""
        if not self.has_view_permission(request) or request.method not in ("GET", "HEAD"):
            raise PermissionDenied  # nothing of a report can be sent
        screen = self.get_object(request, str(object_id))
        if screen is None:
            raise Http404
        return self.draw(request, "screening/report.html", report_page.build_report_context(screen))
