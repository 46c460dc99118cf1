"""The SAR log, for those who may know that it exists; to others these addresses are not there."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial, wraps
from typing import Any, Literal, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.backoffice.sar.date_formats import local_date
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarMatter, SarRead, can_see_log
from apps.backoffice.sar.services import corrections, filing_steps
from apps.backoffice.sar.views import log_list, matter_page
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk import list_pages
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.filters import ActorFilter
from apps.platform.desk.home import Tile
from apps.platform.desk.page_titles import link_opened_pages
from apps.platform.desk.view_guards import post_only_step

PAGE = 50


def build_log_tiles(user: User, moment: datetime) -> list[Tile]:
    """Return the log's figures for the home page; none for who may not know of it."""
    if not can_see_log(user):
        return []
    address = reverse("admin:sar_sarentry_changelist")
    late = log_list.format_matter_count(SarMatter.objects.late(local_date(moment)))
    tone: Literal["", "bad"] = "bad" if late != "0" else ""
    return [
        Tile("SAR log: overdue", late, f"{address}?view=late", tone),
        Tile(
            "SAR log: deadlines running",
            log_list.format_matter_count(SarMatter.objects.pending()),
            address,
        ),
    ]


def _hide_from_others(view: Callable[..., HttpResponse], *methods: str) -> Any:
    """Return a view that answers 404 to users who may not know of the log."""

    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not can_see_log(cast(User, request.user)):
            raise Http404
        # only now: a 405 would tell a stranger that the address exists
        return require_http_methods(methods)(view)(request, *args, **kwargs)

    return inner


def protect_log_page(view: Callable[..., HttpResponse]) -> Any:
    """Return a view for a page of the log, hidden from others."""
    return _hide_from_others(view, "GET", "HEAD")


def protect_log_step(view: Callable[..., HttpResponse]) -> Any:
    """Return a view for a step of the log, hidden from others."""
    return _hide_from_others(post_only_step(view), "POST")


@admin.register(SarEntry)
class SarEntryAdmin(ReadOnlyAdmin):
    """Blocked outcomes and their clocks, due first."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=ref",)

    def get_urls(self) -> list[Any]:
        """Give the list, the entry's page, its steps and their corrections; no others."""
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(protect_log_page(self.changelist_view)), name="sar_sarentry_changelist"),
            path(
                "<id:object_id>/",
                wrap(protect_log_page(self.change_view)),
                name="sar_sarentry_change",
            ),
            path(
                "<id:object_id>/step/", wrap(protect_log_step(self.step)), name="sar_sarentry_step"
            ),
            path(
                "<id:object_id>/correct/",
                wrap(protect_log_step(self.correct)),
                name="sar_sarentry_correct",
            ),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the parties of a view, fifty at a time."""
        log_context = log_list.build_log_context(
            query=log_list.LogQuery.read(request.GET), today=local_date(now())
        )
        return self.draw(request, "sar/list.html", {"title": "SAR log"} | log_context)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one entry, its clocks and what was recorded."""
        return self._entry(request, int(object_id), matter_page.RefusedStep())

    def step(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Record one step; a refusal shows the page again with what was typed."""
        action = request.POST.get("action", "")
        record = partial(filing_steps.record_filing_step, action=action)
        return self._record(request, object_id, record, action.lower())

    def correct(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Record what is right of a step; a refusal shows the page again with what was typed."""
        posted = request.POST
        corrects, why = _parse_number(posted.get("corrects", "")), posted.get("why", "")
        record = partial(corrections.correct_filing_step, corrects=corrects, why=why)
        return self._record(request, object_id, record, f"correct-{corrects}")

    def _record(
        self, request: HttpRequest, object_id: int, record: Callable[..., FilingEvent], form: str
    ) -> HttpResponse:
        """Let an officer record what they sent with one form."""
        if not request.user.has_perm("sar.file_sarentry"):
            raise PermissionDenied
        if not SarMatter.objects.filter(pk=object_id).exists():
            raise Http404
        names = ("reference", "rationale", "on", "suspect", "amount")
        step_input = filing_steps.StepInput(**{name: request.POST.get(name, "") for name in names})
        seen, by = _parse_number(request.POST.get("seen", "")), cast(User, request.user)
        try:
            event = record(entry_id=object_id, seen=seen, said=step_input, by=by, now=now())
        except DomainError as error:
            return self._entry(request, object_id, matter_page.RefusedStep(request.POST, error))
        sentence = f"Recorded: {event.get_action_display()}."
        messages.success(request, sentence, extra_tags=f"stored-sar-{object_id}-{form}")
        return HttpResponseRedirect(reverse("admin:sar_sarentry_change", args=[object_id]))

    def _entry(
        self, request: HttpRequest, object_id: int, refused: matter_page.RefusedStep
    ) -> HttpResponse:
        matter = SarMatter.objects.select_related("entry").filter(pk=object_id).first()
        if matter is None:
            raise Http404
        user = cast(User, request.user)
        matter_context = matter_page.build_matter_context(
            matter=matter, user=user, now=now(), refused=refused
        )
        status = refused.error.status if refused.error else 200
        return self.draw(request, "sar/entry.html", matter_context, status=status)


def _parse_number(text: str) -> int:
    """Return a number that a form sent, -1 for anything else."""
    # -1 is the number of no step: the form is then refused as outdated
    return int(text) if list_pages.parse_row_number_place(text) else -1


@admin.register(SarRead)
class SarReadAdmin(ReadOnlyAdmin):
    """Who opened the SAR log."""

    list_display = ("moment", "officer", "what", "number")
    list_select_related = ("by",)
    list_display_links = None
    list_filter = (("by", ActorFilter), "recorded_at")
    list_per_page = PAGE
    ordering = ("-pk",)
    search_fields = ("=ref",)
    search_help_text = "Matter number"
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(protect_log_page(self.changelist_view)), name="sar_sarread_changelist")
        ]

    @admin.display(description="Opened", ordering="pk")
    def moment(self, event: SarRead) -> str:
        return f"{event.recorded_at.astimezone(UTC):%d %b %Y %H:%M:%S} UTC"

    @admin.display(description="Officer")
    def officer(self, event: SarRead) -> str:
        return event.by.get_username()

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        return link_opened_pages(request, self.list_display)

    @admin.display(description="No.")
    def number(self, event: SarRead) -> str:
        return event.ref or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[SarRead]:
        return super().get_queryset(request).defer("payload", "salt")
