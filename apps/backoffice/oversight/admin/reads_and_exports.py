"""Pages of who opened personal data, and of exports."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    StreamingHttpResponse,
)
from django.urls import path

from apps.backoffice.oversight import exports
from apps.backoffice.oversight.models import ExportEvent, ReadEvent
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.export_registry import ExportRequest
from apps.platform.desk.filters import ActorFilter
from apps.platform.desk.page_titles import describe_query, format_page_title, link_opened_pages
from apps.platform.desk.view_guards import LAST_YEAR, post_only_step

PAGE = 50
LONGEST = timedelta(days=366)  # the longest period of one export


class ReadTypeFilter(admin.AllValuesFieldListFilter):
    """Filter by the kinds of pages that were opened, in words."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = "page"

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield choice | {"display": format_page_title(str(choice["display"]))}


@admin.register(ReadEvent)
class ReadEventAdmin(ReadOnlyAdmin):
    """Who opened which personal data."""

    list_display = ("recorded_at", "by", "what", "ref", "query")
    list_display_links = None
    list_filter = (("what", ReadTypeFilter), ("by", ActorFilter))
    list_select_related = ("by",)
    list_per_page = PAGE
    search_fields = ("=ref", "by__username")
    search_help_text = "Id of the opened object, or user"
    date_hierarchy = "recorded_at"
    ordering = ("-pk",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        return [
            path("", self.page_view(self.changelist_view), name="oversight_readevent_changelist")
        ]

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        return link_opened_pages(request, self.list_display)

    @admin.display(description="Requested")
    def query(self, event: ReadEvent) -> str:
        return describe_query(event.data.get("query", "")) or "–"


class ExportForm(forms.Form):
    """What to export, and of which days."""

    what = forms.ChoiceField(
        choices=lambda: [(name, kind.title) for name, kind in exports.load_export_types().items()]
    )
    since = forms.DateField(
        label="From", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label="Through", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        since, until = values.get("since"), values.get("until")
        if since and until and not timedelta(0) <= until - since <= LONGEST:
            raise forms.ValidationError("Choose a period of at most one year, start before end.")
        if until and until.year > LAST_YEAR:
            raise forms.ValidationError("Choose days that can have records.")
        return values


@admin.register(ExportEvent)
class ExportEventAdmin(ReadOnlyAdmin):
    """Exports: one form, and on record who took what."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        run = wrap(post_only_step(self.run))
        return [
            path(
                "",
                self.page_view(self.changelist_view),
                name="oversight_exportevent_changelist",
            ),
            path("run/", run, name="oversight_exportevent_run"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the form and the latest exports."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        today = now().date()
        form = ExportForm(initial={"since": today.replace(day=1), "until": today})
        return self._page(request, form)

    def run(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """Stream the requested records."""
        if not request.user.has_perm("oversight.export_records"):
            raise PermissionDenied
        form = ExportForm(request.POST)
        if not form.is_valid():
            return self._page(request, form, status=400)
        cleaned_data = form.cleaned_data
        export_request = ExportRequest(
            what=cleaned_data["what"],
            since=datetime.combine(cleaned_data["since"], time.min, UTC),
            # the day that was chosen is included
            until=datetime.combine(cleaned_data["until"], time.min, UTC) + timedelta(days=1),
        )
        # records the export before the first byte, so that an interrupted one is on record too
        stream = exports.start_export(asked=export_request, by=cast(User, request.user), now=now())
        answer = StreamingHttpResponse(stream, content_type="application/zip")
        name = f"{cleaned_data['what']}-{cleaned_data['since']}-{cleaned_data['until']}.zip"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def _page(self, request: HttpRequest, form: ExportForm, status: int = 200) -> HttpResponse:
        events = ExportEvent.objects.select_related("by").order_by("-pk")[:PAGE]
        shown = {
            "title": "Exports",
            "form": form,
            "events": [(event, _get_export_days(event.data)) for event in events],
            "titles": exports.load_export_types(),
            "may_export": request.user.has_perm("oversight.export_records"),
        }
        return self.draw(request, "oversight/exports.html", shown, status)


def _get_export_days(data: dict[str, Any]) -> tuple[date, date] | None:
    """Return the first and the last day of an export; what is recorded ends before the next."""
    if not data.get("from"):
        return None
    since, until = (datetime.fromisoformat(data[name]) for name in ("from", "until"))
    return since.date(), (until - timedelta(microseconds=1)).date()
