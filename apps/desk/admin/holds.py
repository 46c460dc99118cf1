"""Legal holds and purges at the desk: only on ledgers that the reader may know of."""

from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse

from apps.core import retention
from apps.core.clock import now
from apps.core.ledger import ledgers
from apps.core.models import LegalHold, PurgeEvent
from apps.core.problems import DomainError
from apps.desk.guard import posted
from apps.desk.pages import ReadOnly


def known(user: User) -> list[str]:
    """Return the ledgers whose app somebody has any business in; others are not named."""
    found = ledgers().items()
    return sorted(name for name, model in found if user.has_module_perms(model._meta.app_label))


class HoldForm(forms.Form):
    """Which record is held, and why."""

    ledger = forms.ChoiceField()
    record = forms.IntegerField(min_value=1, label="Number of the record")
    reason = forms.CharField(
        min_length=10, max_length=500, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        holdable = set(retention.purgeable_ledgers())
        choices = [(name, name) for name in known(user) if name in holdable]
        cast(forms.ChoiceField, self.fields["ledger"]).choices = choices


class LiftForm(forms.Form):
    """Why a hold need not stand any more."""

    reason = forms.CharField(min_length=10, max_length=500)


@admin.register(LegalHold)
class LegalHoldAdmin(ReadOnly):
    """Records that keep their payload whatever their age."""

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        lift = wrap(posted(self.lift))
        return [
            path("", self.page_view(self.changelist_view), name="core_legalhold_changelist"),
            path("place/", wrap(posted(self.place)), name="core_legalhold_place"),
            path("<id:pk>/lift/", lift, name="core_legalhold_lift"),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[LegalHold]:
        ledgers_known = known(cast(User, request.user))
        return super().get_queryset(request).filter(ledger__in=ledgers_known)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the holds that stand, then those that were lifted."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self._page(request, HoldForm(user=cast(User, request.user)))

    def place(self, request: HttpRequest) -> HttpResponse:
        """Hold a record; a refusal shows the form again."""
        if not request.user.has_perm("core.place_legalhold"):
            raise PermissionDenied
        user = cast(User, request.user)
        form = HoldForm(request.POST, user=user)
        if not form.is_valid():
            return self._page(request, form, status=400)
        given = form.cleaned_data
        try:
            retention.place_hold(
                ledger=given["ledger"],
                record_id=given["record"],
                reason=given["reason"],
                by=user.get_username(),
                now=now(),
            )
        except DomainError as error:
            form.add_error(None, error.detail)
            return self._page(request, form, status=error.status)
        messages.success(request, "The record is held.")
        return HttpResponseRedirect(reverse("admin:core_legalhold_changelist"))

    def lift(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End a hold; without a reason the page is shown again."""
        if not request.user.has_perm("core.lift_legalhold"):
            raise PermissionDenied
        if not self.get_queryset(request).filter(pk=pk).exists():
            raise Http404
        why = LiftForm(request.POST)
        if not why.is_valid():
            fault = "Say why the hold is lifted, in at least 10 and at most 500 characters."
            blank = HoldForm(user=cast(User, request.user))
            return self._page(request, blank, status=400, fault=fault)
        by = request.user.get_username()
        given = why.cleaned_data["reason"]
        if retention.lift_hold(hold_id=pk, reason=given, by=by, now=now()):
            messages.success(request, "The hold is lifted.")
        else:
            messages.warning(request, "The hold was lifted before.")
        return HttpResponseRedirect(reverse("admin:core_legalhold_changelist"))

    def _page(
        self, request: HttpRequest, form: HoldForm, status: int = 200, fault: str = ""
    ) -> HttpResponse:
        found = self.get_queryset(request)
        shown = {
            "title": "Legal holds",
            "form": form,
            "fault": fault,
            "standing": found.filter(lifted_at=None).order_by("-pk"),
            "lifted": found.exclude(lifted_at=None).order_by("-lifted_at")[:50],
            "may_place": request.user.has_perm("core.place_legalhold"),
            "may_lift": request.user.has_perm("core.lift_legalhold"),
        }
        return self.draw(request, "desk/holds.html", shown, status)


@admin.register(PurgeEvent)
class PurgeEventAdmin(ReadOnly):
    """Payloads that left: which record's, why, by whom."""

    list_display = ("recorded_at", "of_ledger", "record_id", "reason", "by")
    list_display_links = None
    list_filter = ("reason",)
    list_per_page = 50
    ordering = ("-pk",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="core_purgeevent_changelist")]

    def get_queryset(self, request: HttpRequest) -> QuerySet[PurgeEvent]:
        found = super().get_queryset(request).defer("payload", "salt")
        return found.filter(of_ledger__in=known(cast(User, request.user)))
