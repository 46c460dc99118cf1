"""Series at the desk: how fresh they are, one with its chart, notes of fetches, observations."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse

from apps.platform.common.clock import now
from apps.platform.desk import charts
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step
from apps.platform.jobs.job_queue import enqueue_job
from apps.reference.signals import sample_origins
from apps.reference.signals.clients import publishers
from apps.reference.signals.models import Fetch, Observation
from apps.reference.signals.points import SAMPLE
from apps.reference.signals.selectors import series_board, series_values
from apps.reference.signals.series import find_feed, find_series


@admin.register(Observation)
class ObservationAdmin(ReadOnlyAdmin):
    """The newest vintage of a day comes first; the others are its history."""

    list_display = ("series", "observed_on", "value_text", "unit", "source", "vintage")
    list_filter = ("source",)
    search_fields = ("=series",)
    search_help_text = "Full series name, such as fx.eur.USD"
    show_full_result_count = False
    list_per_page = 50
    fields = (*list_display, "title", "licence", "fetched_at", "digest")

    @admin.display(description="Value", ordering="value")
    def value_text(self, observation: Observation) -> str:
        """Return the value, or that its publisher withdrew it."""
        return observation.value_text

    @admin.display(description="Unit")
    def unit(self, observation: Observation) -> str:
        """Return the unit of the value."""
        row = find_series(observation.series)
        return row.unit_of(observation.series) if row else ""

    @admin.display(description="Title")
    def title(self, observation: Observation) -> str:
        """Return the title of the series."""
        row = find_series(observation.series)
        return row.title if row else ""

    @admin.display(description="Licence")
    def licence(self, observation: Observation) -> str:
        """Return the terms of its publisher; the sample has terms of its own."""
        if observation.source == SAMPLE:
            return sample_origins.sample_terms(observation.series)
        return (
            series_values.series_licence(observation.series)
            if find_series(observation.series)
            else ""
        )


@admin.register(Fetch)
class FetchAdmin(ReadOnlyAdmin):
    """What came of asking publishers, the board of all series, and a page for each."""

    change_list_template = "signals/fetches.html"
    list_display = ("at", "feed", "outcome", "values", "reason")
    list_filter = ("outcome", "feed")
    show_full_result_count = False
    list_per_page = 50
    fields = ("feed", "at", "outcome", "values", "reason", "size", "digest")

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path("board/", self.page_view(self.board), name="signals_board"),
            path("series/", self.page_view(self.series), name="signals_series"),
            path("now/", view(post_only_step(self.fetch_now)), name="signals_now"),
        ]
        return [*own, *super().get_urls()]

    def board(self, request: HttpRequest) -> HttpResponse:
        """Show the age of every series, those that need attention first, and rejected files."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        lines = series_board.list_board_lines(now=now())
        shown = {
            "title": "Freshness of series",
            "lines": lines,
            "counts": series_board.count_by_standing(lines),
            "off": series_board.is_fetching_off(),
            "rejected": series_board.list_rejected_fetches(),
        }
        return self.draw(request, "signals/board.html", shown)

    def series(self, request: HttpRequest) -> HttpResponse:
        """Show one series: its chart, its vintages, its fetches and why files were rejected."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        may = request.user.has_perm("signals.run_fetch")
        series_page = series_board.build_series_page(
            request.GET.get("name", "")[:60], now=now(), may=may
        )
        if series_page is None:
            raise Http404
        shown = {"title": series_page.line.row.title, "page": series_page}
        shown |= {"width": charts.WIDTH, "height": charts.HEIGHT, "base": charts.BASE}
        return self.draw(request, "signals/series.html", shown)

    def fetch_now(self, request: HttpRequest) -> HttpResponse:
        """Fetch the file of a series in the background; 404 for a series without a file."""
        if not request.user.has_perm("signals.run_fetch"):
            raise PermissionDenied
        name = request.POST.get("name", "")[:60]
        row = find_series(name)
        feed = find_feed(row) if row else None
        if feed is None:
            raise Http404
        # the licence or a missing key may forbid it, whoever asks
        if publishers.is_feed_on(feed):
            enqueue_job(job="signals.fetch", key=feed.name, now=now())
            messages.success(request, f"{feed.title}: will be fetched in the background.")
        else:
            messages.warning(request, f"{feed.title} is not fetched: see its page.")
        return redirect(f"{reverse('admin:signals_series')}?name={name}")
