"""Pages of oversight: reads, exports, quality samples, and for operators the health."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html

from apps.core.chain import proven
from apps.core.clock import now
from apps.core.problems import DomainError
from apps.desk import health
from apps.desk.exports import Asked
from apps.desk.guard import LAST_YEAR, posted
from apps.desk.home import Tile
from apps.desk.pages import ReadOnly
from apps.desk.rules import SHORTEST_NOTE
from apps.oversight import actions, exports, figures
from apps.oversight.models import ExportEvent, Health, ReadEvent, Sample, Verdict
from apps.review.models import Action, DecisionEvent
from apps.review.verdicts import Verdict as Recorded
from apps.review.verdicts import reason_of, verdict, verdicts

PAGE = 50
LONGEST = timedelta(days=366)


def tiles(user: User, moment: datetime) -> list[Tile]:
    """Return how many quality samples somebody may look at; none for who may not."""
    if not user.has_perm("oversight.look_sample"):
        return []
    waiting = Sample.objects.open_to(user).count()
    return [Tile("Second looks waiting", waiting, reverse("admin:oversight_sample_changelist"))]


class Who(admin.RelatedOnlyFieldListFilter):
    """Only people who opened something."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = "who"


class What(admin.AllValuesFieldListFilter):
    """Only kinds of pages that were opened."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = "page"


@admin.register(ReadEvent)
class ReadEventAdmin(ReadOnly):
    """Who opened which personal data."""

    list_display = ("recorded_at", "by", "page", "ref", "query")
    list_display_links = None
    list_filter = (("what", What), ("by", Who))
    list_select_related = ("by",)
    list_per_page = PAGE
    search_fields = ("=ref", "by__username")
    search_help_text = "The id of what was opened, or who opened it"
    date_hierarchy = "recorded_at"
    ordering = ("-pk",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        return [
            path("", self.page_view(self.changelist_view), name="oversight_readevent_changelist")
        ]

    @admin.display(description="Page")
    def page(self, event: ReadEvent) -> str:
        address = event.data.get("address", "")
        return format_html('<a href="{}">{}</a>', address, event.what) if address else event.what

    @admin.display(description="Asked for")
    def query(self, event: ReadEvent) -> str:
        return event.data.get("query", "") or "–"


class ExportForm(forms.Form):
    """What to export, and of which days."""

    what = forms.ChoiceField(
        choices=lambda: [(name, kind.title) for name, kind in exports.kinds().items()]
    )
    since = forms.DateField(
        label="From", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label="To, included", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        since, until = values.get("since"), values.get("until")
        if since and until and not timedelta(0) <= until - since <= LONGEST:
            raise forms.ValidationError("Choose days in order, of at most one year.")
        if until and until.year > LAST_YEAR:
            raise forms.ValidationError("Choose days that can have records.")
        return values


@admin.register(ExportEvent)
class ExportEventAdmin(ReadOnly):
    """Exports: one form, and on record who took what."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        run = wrap(posted(self.run))
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
        """Stream what was asked for."""
        if not request.user.has_perm("oversight.export_records"):
            raise PermissionDenied
        form = ExportForm(request.POST)
        if not form.is_valid():
            return self._page(request, form, status=400)
        given = form.cleaned_data
        asked = Asked(
            what=given["what"],
            since=datetime.combine(given["since"], time.min, UTC),
            until=datetime.combine(given["until"], time.min, UTC) + timedelta(days=1),
        )
        stream = exports.start(asked=asked, by=cast(User, request.user), now=now())
        answer = StreamingHttpResponse(stream, content_type="application/zip")
        name = f"{given['what']}-{given['since']}-{given['until']}.zip"
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def _page(self, request: HttpRequest, form: ExportForm, status: int = 200) -> HttpResponse:
        events = ExportEvent.objects.select_related("by").order_by("-pk")[:PAGE]
        shown = {
            "title": "Exports",
            "form": form,
            "events": events,
            "titles": exports.kinds(),
            "may_export": request.user.has_perm("oversight.export_records"),
        }
        return self.draw(request, "oversight/exports.html", shown, status)


@admin.register(Sample)
class SampleAdmin(ReadOnly):
    """Closed cases that another officer looks at again."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        look = wrap(posted(self.look))
        return [
            path("", self.page_view(self.changelist_view), name="oversight_sample_changelist"),
            path(
                "<id:object_id>/",
                self.page_view(self.change_view),
                name="oversight_sample_change",
            ),
            path("<id:object_id>/look/", look, name="oversight_sample_look"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show what waits for this officer, or what was found, and the figures."""
        self._check(request)
        user = cast(User, request.user)
        looks = user.has_perm("oversight.look_sample")
        view = request.GET.get("view", "mine" if looks else "found")
        rows = {
            "mine": Sample.objects.open_to(user) if looks else Sample.objects.none(),
            "waiting": Sample.objects.waiting().order_by("month", "pk"),
            "found": Sample.objects.exclude(looked_by=None).order_by("-looked_at"),
        }
        view = view if view in rows else "waiting"
        titles = {"mine": "For me", "waiting": "Waiting", "found": "Looked at"}
        people = ("case", "first_by", "second_by", "looked_by", "look")
        shown = {
            "title": "Quality samples",
            "view": view,
            "views": [(n, titles[n], rows[n].count()) for n in rows if looks or n != "mine"],
            "rows": _told(rows[view].select_related(*people).defer("case__evidence")[:PAGE]),
            "figures": figures.lines(),
        }
        return self.draw(request, "oversight/samples.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one sampled case: how it was decided, and what was found of that."""
        self._check(request)
        return self._sample(request, int(object_id))

    def look(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Record a second look; a refusal shows the page again with what was typed."""
        self._check(request, "oversight.look_sample")
        sample = get_object_or_404(Sample, pk=object_id)
        try:
            actions.look(
                sample=sample,
                by=cast(User, request.user),
                verdict=request.POST.get("verdict", ""),
                note=request.POST.get("note", ""),
                now=now(),
            )
        except DomainError as error:
            return self._sample(request, object_id, error)
        messages.success(request, "Your second look is recorded.")
        following = Sample.objects.open_to(cast(User, request.user)).first()
        if following is None:
            return HttpResponseRedirect(reverse("admin:oversight_sample_changelist"))
        return HttpResponseRedirect(reverse("admin:oversight_sample_change", args=[following.pk]))

    def _sample(
        self, request: HttpRequest, object_id: int, error: DomainError | None = None
    ) -> HttpResponse:
        people = ("case", "first_by", "second_by", "looked_by")
        sample = get_object_or_404(Sample.objects.select_related(*people), pk=object_id)
        user = cast(User, request.user)
        shown = {
            "title": sample.case.party or sample.case.title,
            "sample": sample,
            "verdict": verdict(sample.case, sample.case.events.select_related("by").order_by("pk")),
            "decisions": _decisions(sample),
            "look": sample.look if sample.looked_by_id else None,  # type: ignore[attr-defined]
            "may_look": sample.looked_by_id is None
            and user.has_perm("oversight.look_sample")
            and user.pk not in (sample.first_by_id, sample.second_by_id),
            "verdicts": Verdict.choices,
            "shortest": SHORTEST_NOTE,
            "error": error,
            "typed": request.POST if error else {},
        }
        status = error.status if error else 200
        return self.draw(request, "oversight/sample.html", shown, status)

    def _check(self, request: HttpRequest, permission: str = "oversight.view_sample") -> None:
        if not request.user.has_perm(permission):
            raise PermissionDenied


def _decisions(sample: Sample) -> list[dict[str, Any]]:
    """Return the decisions of a case in words, the oldest first."""
    events = DecisionEvent.objects.filter(
        case_id=sample.case_id, action__in=(Action.PROPOSED, Action.DECIDED)
    ).select_related("by", "case")
    return [
        {"event": event, "reason": reason_of(event), "note": event.data.get("note", "")}
        for event in proven(events.order_by("pk"))
    ]


def _told(samples: Iterable[Sample]) -> list[tuple[Sample, Recorded]]:
    """Return samples with what is recorded of their cases' decisions."""
    found = list(samples)
    known = verdicts([one.case_id for one in found])
    return [(one, known.get(one.case_id, Recorded())) for one in found]


@admin.register(Health)
class HealthAdmin(ReadOnly):
    """What the health address says, in words."""

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="oversight_health_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the checks of each service."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        moment = now()
        shown = {"title": "Health", "services": health.report(moment), "moment": moment}
        return self.draw(request, "desk/health.html", shown)
