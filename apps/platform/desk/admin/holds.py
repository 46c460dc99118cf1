"""Legal holds and purges at the desk, only for ledgers that the reader may know of."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.text import slugify

from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk import legal_holds, search
from apps.platform.desk.base_admin import NewestFirstAdmin, ReadOnlyAdmin
from apps.platform.desk.forms import VisibleTextForm
from apps.platform.desk.list_pages import parse_row_number_place
from apps.platform.desk.note_validation import LONGEST_REASON, SHORTEST_NOTE, find_note_fault
from apps.platform.desk.view_guards import post_only_step
from apps.platform.ledger.models import LegalHold, PurgeEvent

PAGE = 100  # holds on a page


class HoldForm(VisibleTextForm, forms.Form):
    """The choice of found records to hold, and the reason."""

    find = forms.CharField(max_length=search.LONGEST, required=False)
    record = forms.CharField(
        max_length=80, error_messages={"required": "Choose the record to put on hold."}
    )
    reason = forms.CharField(
        min_length=SHORTEST_NOTE,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Give the reason for the hold."},
    )


@admin.register(LegalHold)
class LegalHoldAdmin(ReadOnlyAdmin):
    """Records that keep their payload whatever their age."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        lift = wrap(post_only_step(self.lift))
        return [
            path("", self.page_view(self.changelist_view), name="core_legalhold_changelist"),
            path("place/", wrap(post_only_step(self.place)), name="core_legalhold_place"),
            path("<id:pk>/lift/", lift, name="core_legalhold_lift"),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[LegalHold]:
        ledgers_known = legal_holds.visible_ledgers(cast(User, request.user))
        return super().get_queryset(request).filter(ledger__in=ledgers_known)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the results of a search for records, the active holds, and those lifted."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(request, HoldForm(), text=request.GET.get("find", ""))

    def place(self, request: HttpRequest) -> HttpResponse:
        """Place a hold; when it is refused, the results and the input are shown again."""
        if not request.user.has_perm("core.place_legalhold"):
            raise PermissionDenied
        form = HoldForm(request.POST)
        text = request.POST.get("find", "")
        if not form.is_valid():
            return self._page(request, form, text=text, status=400)
        cleaned_data = form.cleaned_data
        try:
            many = legal_holds.place_holds(
                user=cast(User, request.user),
                record=cleaned_data["record"],
                reason=cleaned_data["reason"],
                now=now(),
            )
        except DomainError as error:
            form.add_error(None, error.detail)
            return self._page(request, form, text=text, status=error.status)
        sentence = "Hold placed." if many == 1 else f"Hold placed on {many} records."
        messages.success(request, sentence, extra_tags=f"stored-hold-{slugify(text)}")
        return HttpResponseRedirect(reverse("admin:core_legalhold_changelist"))

    def lift(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Lift all holds that were placed together; a refusal is shown with the reason."""
        if not request.user.has_perm("core.lift_legalhold"):
            raise PermissionDenied
        hold = get_object_or_404(self.get_queryset(request), pk=pk)
        reason, by = request.POST.get("reason", "").strip(), request.user.get_username()
        form_state: dict[str, Any] = {"lifting": pk, "typed": reason}
        if fault := find_note_fault(reason, most=LONGEST_REASON):
            fault = f"Give the reason for lifting the hold. {fault}"
            return self._page(request, HoldForm(), status=400, fault=fault, **form_state)
        try:
            lifted = legal_holds.lift_holds(hold=hold, reason=reason, by=by, now=now())
        except DomainError as error:
            return self._page(
                request, HoldForm(), status=error.status, fault=error.detail, **form_state
            )
        if lifted:
            messages.success(request, "Hold lifted.", extra_tags=f"stored-lift-{pk}")
        else:
            messages.warning(request, "The hold has already been lifted.")
        return HttpResponseRedirect(reverse("admin:core_legalhold_changelist"))

    def _page(
        self,
        request: HttpRequest,
        form: HoldForm,
        text: str = "",
        status: int = 200,
        fault: str = "",
        **kept: Any,
    ) -> HttpResponse:
        queryset = self.get_queryset(request)
        places = request.user.has_perm("core.place_legalhold")
        hits: list[search.SearchHit] = []
        # searching personal data is recorded, as on the search page
        if places and text.strip():
            search_results, hits = legal_holds.search_holdable_records(
                user=cast(User, request.user), text=text, now=now()
            )
            request.searched = search_results.searched  # type: ignore[attr-defined]
        # holds have no time limit and may become many: they are paged by id
        before = request.GET.get("before", "")
        older = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else None
        standing = queryset.filter(lifted_at=None).order_by("-pk")
        rows = list((standing.filter(pk__lt=older) if older else standing)[: PAGE + 1])
        shown = {
            "title": "Legal holds",
            "form": form,
            "wanted": text,  # `text` is the name that the search of every page uses
            "hits": hits,
            "fault": fault,
            "standing": legal_holds.describe_holds(rows[:PAGE]),
            "older": rows[PAGE - 1].pk if len(rows) > PAGE else None,
            "lifted": legal_holds.describe_holds(
                queryset.exclude(lifted_at=None).order_by("-lifted_at")[:PAGE]
            ),
            "may_place": places,
            "may_lift": request.user.has_perm("core.lift_legalhold"),
        }
        return self.draw(request, "desk/holds.html", shown | kept, status)


@admin.register(PurgeEvent)
class PurgeEventAdmin(NewestFirstAdmin):
    """Payloads that were purged: which record's, why, by whom."""

    list_display = ("recorded_at", "of_ledger", "record_id", "reason", "by")
    list_display_links = None
    list_filter = ("reason", ("of_ledger", admin.AllValuesFieldListFilter), "recorded_at")
    search_fields = ("record_id",)
    search_help_text = "Record number"

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="core_purgeevent_changelist")]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PurgeEvent], search_term: str
    ) -> tuple[QuerySet[PurgeEvent], bool]:
        """Find purges by the record's number; each ledger numbers its own records."""
        term = search_term.strip()
        number = parse_row_number_place(term)
        purge_events = queryset.filter(record_id=int(number)) if number else queryset.none()
        return purge_events if term else queryset, False

    def get_queryset(self, request: HttpRequest) -> QuerySet[PurgeEvent]:
        queryset = super().get_queryset(request).defer("payload", "salt")
        return queryset.filter(of_ledger__in=legal_holds.visible_ledgers(cast(User, request.user)))
