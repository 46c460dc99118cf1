"""The SAR log, for those who may know that it exists; to others these addresses are not there."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.home import Tile
from apps.desk.pages import ReadOnly
from apps.sar import actions, pages
from apps.sar.days import day_of
from apps.sar.models import SarEntry, SarMatter, SarRead, may_see

PAGE = 50


def tiles(user: User, moment: datetime) -> list[Tile]:
    """Return the log's figures for the home page; none for who may not know of it."""
    if not may_see(user):
        return []
    address = reverse("admin:sar_sarentry_changelist")
    late = SarMatter.objects.late(day_of(moment)).count()
    pending = SarMatter.objects.pending().count()
    return [
        Tile("SAR log: past due", late, f"{address}?view=late", "bad" if late else ""),
        Tile("SAR log: clocks running", pending, address),
    ]


def _only_for_those_who_may(view: Callable[..., HttpResponse], *methods: str) -> Any:
    """Return a view that is nowhere for others, whatever their method, and then judges that."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_see(cast(User, request.user)):
            raise Http404
        return require_http_methods(methods)(view)(request, *args, **kwargs)

    return inner


def read(view: Callable[..., HttpResponse]) -> Any:
    """Return a page of the log."""
    return _only_for_those_who_may(view, "GET", "HEAD")


def write(view: Callable[..., HttpResponse]) -> Any:
    """Return a step of the log."""
    return _only_for_those_who_may(posted(view), "POST")


@admin.register(SarEntry)
class SarEntryAdmin(ReadOnly):
    """Blocked outcomes and their clocks, due first."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=ref",)

    def get_urls(self) -> list[Any]:
        """Give the list, the entry's page and its steps; no others."""
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(read(self.changelist_view)), name="sar_sarentry_changelist"),
            path("<id:object_id>/", wrap(read(self.change_view)), name="sar_sarentry_change"),
            path("<id:object_id>/step/", wrap(write(self.step)), name="sar_sarentry_step"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the entries of a view, fifty at a time."""
        shown = pages.listing(query=request.GET, today=day_of(now()), size=PAGE)
        return self.draw(request, "sar/list.html", {"title": "SAR log"} | shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one entry, its clocks and what was recorded."""
        return self._entry(request, int(object_id))

    def step(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Record one step; a refusal shows the page again with what was typed."""
        if not request.user.has_perm("sar.file_sarentry"):
            raise PermissionDenied
        if not SarMatter.objects.filter(pk=object_id).exists():
            raise Http404
        given, seen = request.POST, request.POST.get("seen", "")
        said = actions.Said(given.get("reference", ""), given.get("rationale", ""))
        try:
            event = actions.record_step(
                entry_id=object_id,
                action=given.get("action", ""),
                seen=int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else -1,
                said=said,
                by=cast(User, request.user),
                now=now(),
            )
        except DomainError as error:
            return self._entry(request, object_id, error)
        messages.success(request, f"Recorded: {event.get_action_display()}.")
        return HttpResponseRedirect(reverse("admin:sar_sarentry_change", args=[object_id]))

    def _entry(
        self, request: HttpRequest, object_id: int, error: DomainError | None = None
    ) -> HttpResponse:
        matter = SarMatter.objects.select_related("entry").filter(pk=object_id).first()
        if matter is None:
            raise Http404
        shown = pages.context(matter=matter, user=cast(User, request.user), today=day_of(now()))
        shown |= {"error": error, "typed": request.POST if error else {}}
        status = error.status if error else 200
        return self.draw(request, "sar/entry.html", shown, status=status)


@admin.register(SarRead)
class SarReadAdmin(ReadOnly):
    """Who opened the SAR log."""

    list_display = ("recorded_at", "by", "what", "ref")
    list_select_related = ("by",)
    list_display_links = None
    list_per_page = PAGE
    ordering = ("-pk",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [path("", wrap(read(self.changelist_view)), name="sar_sarread_changelist")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SarRead]:
        return super().get_queryset(request).defer("payload", "salt")
