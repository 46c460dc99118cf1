"""Pages of screens: the list, one screen in full or recomputed, and what-if of thresholds."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.access.keys import tenant_names
from apps.compliance.screening.models import Screen
from apps.compliance.screening.views import screen_list, thresholds_page
from apps.compliance.screening.views.screen_record_page import build_screen_context, replay_for_page
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Screen)
class ScreenAdmin(RecordListAdmin):
    """Every screen as recorded."""

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
        # the effects tell how cases were decided, so seeing screens alone is not enough
        if not request.user.has_perm("review.view_case"):
            raise PermissionDenied
        threshold_context = thresholds_page.build_threshold_context(
            thresholds_page.ThresholdQuery.read(request.GET)
        )
        # each party named on the page counts as a read of its screen (oversight/middleware.py)
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
