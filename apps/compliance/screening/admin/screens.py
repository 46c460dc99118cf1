"""Screens to read: the list, one screen whole or computed anew, and what-if of thresholds."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.access.keys import tenants
from apps.compliance.screening.models import ReportRecord, Screen
from apps.compliance.screening.views import changelists, report, thresholds
from apps.compliance.screening.views import screen as page
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
    list_query = changelists.ScreenListQuery
    record_template = "screening/screen.html"
    steps = ("replay",)

    def get_urls(self) -> list[Any]:
        """Give the list, the screen's page, its replay, and the thresholds; no others."""
        view = self.page_view(self.thresholds)
        return [
            path("thresholds/", view, name="screening_screen_thresholds"),
            *super().get_urls(),
        ]

    def build_page(self, asked: changelists.ScreenListQuery, user: User) -> ListPage:
        return changelists.build_screen_page(asked)

    def list_filters(self, asked: changelists.ScreenListQuery) -> list[ChoiceFilter]:
        return [
            ("decision", "Any decision", changelists.DECISIONS, asked.decision),
            ("owner", "All clients", tenants.list_tenant_choices(asked.owner), asked.owner),
            ("rule", "Any rule", changelists.TITLES, asked.rule),
            ("sample", "Any data", changelists.SAMPLES, asked.sample),
        ]

    def build_record_context(self, record: Screen, user: User) -> dict[str, Any]:
        return page.build_screen_context(screen=record, user=user) | {"replayed": None}

    def thresholds(self, request: HttpRequest) -> HttpResponse:
        """Show what proposed thresholds would have changed; nothing is stored."""
        self.require_view(request)
        if not request.user.has_perm("review.view_case"):
            raise PermissionDenied
        threshold_context = thresholds.build_threshold_context(
            thresholds.ThresholdQuery.read(request.GET)
        )
        self.shows(request, [one.line.screen for one in threshold_context.get("rows", ())])
        status = 400 if threshold_context["fault"] else 200
        return self.draw(request, "screening/thresholds.html", threshold_context, status=status)

    def replay(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Compute a screen anew and show what came of it; nothing is stored."""
        self.require_view(request)
        screen = self.get_record(request, pk)
        shown = page.build_screen_context(screen=screen, user=cast(User, request.user))
        shown |= {"replayed": page.replay_for_page(screen)}
        return self.draw(request, self.record_template, shown)


class ReportResultFilter(admin.SimpleListFilter):
    """Reports by what was found, in words."""

    title, parameter_name = "result", "result"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code, words) for code, (words, _) in report.RESULTS.items()]

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
    def about(self, one: ReportRecord) -> str:
        """Say whom the report is about."""
        return report.name_report_subject(one)

    @admin.display(description="result", ordering="result")
    def found(self, one: ReportRecord) -> str:
        """Say what was found, in words."""
        return report.RESULTS.get(one.result, (one.result, ""))[0]

    @admin.display(description="client", ordering="owner")
    def client(self, one: ReportRecord) -> str:
        """Name the client; the list reads all names of a page at once."""
        return str(getattr(one, "client_name", one.owner))

    @admin.display(description="repeated", boolean=True)
    def given_again(self, one: ReportRecord) -> bool:
        """Whether an earlier answer of the same question was given once more."""
        return one.kept

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Read the names of a page's clients in one query."""
        changelist_instance = super().get_changelist_instance(request)
        rows = list(changelist_instance.result_list)
        names = tenants.load_tenant_names({row.owner for row in rows})
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
        found = self.get_object(request, str(object_id))
        if found is None:
            raise Http404
        return self.draw(request, "screening/report.html", report.build_report_context(found))
