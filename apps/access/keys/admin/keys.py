"""Pages of keys and their steps. A key's secret is shown once, when it is made."""

import secrets
from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.access.keys import services
from apps.access.keys.integrity import find_first_key_fault
from apps.access.keys.models import Account, ApiKey, IssuedKey, KeyKind
from apps.access.keys.revocation_impact import assess_revocation
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.forms import VisibleTextForm
from apps.platform.desk.view_guards import post_only_step, require_permission

# hours that the old key goes on working after a rotation, and their labels
OVERLAPS = ((0, "immediately"), (1, "in 1 hour"), (24, "in 24 hours"), (168, "in 7 days"))
# where the session keeps the token of the form that was drawn last
FORM_MARK = "access_once"
READS = ("GET", "HEAD", "POST")


class KeyForm(VisibleTextForm, forms.Form):
    """The form of a new key, within the limits of `services.KeySpecification`."""

    account = forms.ModelChoiceField(Account.objects.order_by("name"))
    kind = forms.ChoiceField(choices=KeyKind.choices)
    label = forms.CharField(
        max_length=services.LONGEST_LABEL, required=False, help_text="What the key is for."
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=services.MOST_DAYS,
        required=False,
        help_text="Days until it ends; empty: never.",
    )
    rate_per_minute = forms.IntegerField(
        min_value=1,
        max_value=services.MOST_PER_MINUTE,
        required=False,
        help_text="Calls per minute; empty: the platform's default.",
    )


class WorkingKeyFilter(admin.SimpleListFilter):
    """Working keys, or those that ended."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("working", "Working"), ("ended", "Ended")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> QuerySet[ApiKey]:
        # a subquery: excluding the rows of `usable` directly would need its conditions negated
        working = ApiKey.objects.usable(now()).values("pk")
        if self.value() == "working":
            return queryset.filter(pk__in=working)
        return queryset.exclude(pk__in=working) if self.value() == "ended" else queryset


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    """Keys: issued, rotated, revoked; never edited, never removed."""

    change_list_template = "access/keys.html"
    change_form_template = "access/key.html"
    list_display = (
        "__str__", "account", "kind", "label", "works", "created_at", "expires_at", "last_used_at",
    )  # fmt: skip
    list_filter = (WorkingKeyFilter, "kind")
    list_select_related = ("account",)
    search_fields = ("lookup", "label", "account__name")
    fields = (
        "__str__", "account", "kind", "label", "rate_per_minute", "created_at",
        "expires_at", "revoked_at", "last_used_at",
    )  # fmt: skip
    ordering = ("-pk",)
    show_full_result_count = False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("issue/", wrap(self.issue), name="access_apikey_issue"),
            path("<id:pk>/rotate/", wrap(post_only_step(self.rotate)), name="access_apikey_rotate"),
            path(
                "<id:pk>/revoke/",
                wrap(require_http_methods(READS)(self.revoke)),
                name="access_apikey_revoke",
            ),
            *super().get_urls(),
        ]

    @admin.display(description="Works", boolean=True)
    def works(self, key: ApiKey) -> bool:
        return key.usable(now())

    def issue(self, request: HttpRequest) -> HttpResponse:
        """Ask for the details of a key; then issue it and show its secret.

        In production there is a request form on another page instead: two people issue a key.
        """
        require_permission(request, "access.issue_apikey")
        if services.is_second_person_needed():
            return HttpResponseRedirect(reverse("admin:access_keyrequest_add"))
        form = KeyForm(request.POST or None, initial={"account": request.GET.get("account")})
        if request.method != "POST" or not form.is_valid():
            shown = {"title": "Issue a key", "form": form, "once": _create_form_mark(request)}
            return self.draw(request, "access/key_issue.html", shown)
        # before anything is made: a reload of the page with the secret sends the form again
        if not _is_first_submission(request):
            return self._again(request)
        with transaction.atomic():
            key_specification = services.KeySpecification(**form.cleaned_data)
            issued = services.issue_key_alone(
                wanted=key_specification, by=_get_user_name(request), now=now()
            )
            self.log_addition(request, issued.key, "Issued.")
        return render_secret_page(self, request, issued)

    def rotate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Issue a successor and show its secret; the old key ends after the overlap."""
        require_permission(request, "access.issue_apikey")
        key = get_object_or_404(ApiKey.objects.select_related("account"), pk=pk)
        hours = request.POST.get("overlap", "")
        if hours not in {str(number) for number, _ in OVERLAPS}:
            raise Http404
        if not _is_first_submission(request):
            return self._again(request)
        if not key.usable(now()):
            messages.error(request, "This key has expired. Issue a new one.")
            return HttpResponseRedirect(reverse("admin:access_apikey_change", args=[pk]))
        try:
            with transaction.atomic():
                overlap = timedelta(hours=int(hours))
                issued = services.rotate_key(
                    key=key, overlap=overlap, by=_get_user_name(request), now=now()
                )
                self.log_change(request, key, f"Rotated to {issued.key}.")
                self.log_addition(request, issued.key, f"Issued in place of {key}.")
        except services.KeyRefused as error:
            messages.error(request, error.detail)
            return HttpResponseRedirect(reverse("admin:access_apikey_change", args=[pk]))
        return render_secret_page(self, request, issued)

    def revoke(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Say what stops when a key ends, and ask for confirmation; then end it at once."""
        require_permission(request, "access.revoke_apikey")
        key = get_object_or_404(ApiKey.objects.select_related("account"), pk=pk)
        page = reverse("admin:access_apikey_change", args=[pk])
        if not key.usable(now()):
            messages.error(request, "This key has already expired.")
            return HttpResponseRedirect(page)
        if request.method != "POST":
            return self._ask_to_revoke(request, key)
        try:
            with transaction.atomic():
                why = request.POST.get("note", "").strip()
                services.revoke_key(key=key, by=_get_user_name(request), why=why, now=now())
                self.log_change(request, key, "Revoked.")
        except services.KeyRefused as error:
            return self._ask_to_revoke(request, key, refused=error)
        messages.success(request, f"{key} has been revoked.", extra_tags=f"stored-revoke-{pk}")
        return HttpResponseRedirect(page)

    def _ask_to_revoke(
        self, request: HttpRequest, key: ApiKey, refused: services.KeyRefused | None = None
    ) -> HttpResponse:
        shown = {
            "title": f"Revoke {key}",
            "key": key,
            "stops": assess_revocation(key=key, now=now()),
        }
        shown |= {"typed": request.POST.get("note", ""), "refused": refused}
        status = refused.status if refused else 200
        return self.draw(request, "access/key_revoke.html", shown, status)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        may = {"may_issue": request.user.has_perm("access.issue_apikey")}
        may["takes_two"] = services.is_second_person_needed()
        return super().changelist_view(request, may | (extra_context or {}))

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> Any:
        key = context.get("original")
        works = key is not None and key.usable(now())
        context["overlaps"] = OVERLAPS
        context["may_rotate"] = works and request.user.has_perm("access.issue_apikey")
        context["may_revoke"] = works and request.user.has_perm("access.revoke_apikey")
        context["once"] = _create_form_mark(request) if context["may_rotate"] else ""
        context["altered"] = find_first_key_fault(key) if key is not None else ""
        context["events"] = key.events.order_by("pk") if key is not None else ()
        return super().render_change_form(request, context, *rest, **more)

    def _again(self, request: HttpRequest) -> HttpResponse:
        messages.warning(
            request, "This form has already been submitted. The secret is not shown again."
        )
        return HttpResponseRedirect(reverse("admin:access_apikey_changelist"))


def render_secret_page(
    page: ReadOnlyAdmin, request: HttpRequest, issued: IssuedKey
) -> HttpResponse:
    """Respond with the secret itself: it is in this one response and nowhere else."""
    shown = {"title": "New key", "key": issued.key, "secret": issued.secret}
    return page.draw(request, "access/key_secret.html", shown)


def _get_user_name(request: HttpRequest) -> str:
    return cast(User, request.user).get_username()


def _create_form_mark(request: HttpRequest) -> str:
    """Return a token for a form, so that reloading the response does not make a second key."""
    request.session[FORM_MARK] = secrets.token_urlsafe(12)
    return str(request.session[FORM_MARK])


def _is_first_submission(request: HttpRequest) -> bool:
    """Tell whether this form is submitted for the first time."""
    # taken out first, so that the second of two submissions finds none
    mark = request.session.pop(FORM_MARK, "")
    return bool(mark) and secrets.compare_digest(mark, request.POST.get("once", ""))
