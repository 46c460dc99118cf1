"""Accounts, their keys and what they used. A key's secret is shown once, when it is made."""

import secrets
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html

from apps.access import metering
from apps.access.models import Account, ApiKey, Issued, Kind, UsageCount, issue, rotate
from apps.access.serializers import MONTHS
from apps.core.clock import now
from apps.desk import charts
from apps.desk.guard import posted
from apps.desk.pages import ReadOnly
from config.prices import UNITS

OVERLAPS = ((0, "at once"), (1, "in 1 hour"), (24, "in 24 hours"), (168, "in 7 days"))
ONCE = "access_once"


class IssueForm(forms.Form):
    """What a new key needs."""

    account = forms.ModelChoiceField(Account.objects.order_by("name"))
    kind = forms.ChoiceField(choices=Kind.choices)
    label = forms.CharField(max_length=100, required=False, help_text="What the key is for.")
    days = forms.IntegerField(
        min_value=1, max_value=3650, required=False, help_text="Days until it ends; empty: never."
    )
    rate_per_minute = forms.IntegerField(
        min_value=1,
        max_value=1_000_000,
        required=False,
        help_text="Calls per minute; empty: the platform's default.",
    )


@admin.register(Account)
class AccountAdmin(ReadOnly):
    """Tenants: added here, never renamed or removed, since what they made outlives them."""

    list_display = ("name", "working_keys", "created_at", "usage")
    search_fields = ("name",)
    fields = ("name", "created_at", "usage")
    ordering = ("name",)

    def get_urls(self) -> list[Any]:
        return [
            path("usage/", self.page_view(self.all_usage), name="access_usage"),
            path("<id:pk>/usage/", self.page_view(self.usage_page), name="access_account_usage"),
            *super().get_urls(),
        ]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("access.add_account")

    def get_fields(self, request: HttpRequest, obj: Account | None = None) -> tuple[str, ...]:
        return ("name", "created_at", "usage") if obj else ("name",)

    def get_readonly_fields(
        self, request: HttpRequest, obj: Account | None = None
    ) -> tuple[str, ...]:
        return ("name", "created_at", "usage") if obj else ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        moment = now()
        works = (Q(keys__revoked_at=None) | Q(keys__revoked_at__gt=moment)) & (
            Q(keys__expires_at=None) | Q(keys__expires_at__gt=moment)
        )
        return super().get_queryset(request).annotate(working=Count("keys", filter=works))

    @admin.display(description="Working keys", ordering="working")
    def working_keys(self, account: Account) -> int:
        return account.working  # type: ignore[attr-defined,no-any-return]

    @admin.display(description="Usage")
    def usage(self, account: Account) -> str:
        address = reverse("admin:access_account_usage", args=[account.pk])
        return format_html('<a href="{}">Calls and cost</a>', address)

    def save_model(self, request: HttpRequest, obj: Account, form: Any, change: bool) -> None:
        obj.created_at = now()
        super().save_model(request, obj, form, change)

    def usage_page(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show one account's calls and cost in a month, by unit and tier."""
        month = self._month(request)
        account = get_object_or_404(Account, pk=pk)
        report = metering.usage_report(account_id=account.pk, account=account.name, month=month)
        shown = {"title": f"Usage of {account.name}", "account": account, "report": report}
        shown |= {"month": month} | _chart(account)
        return self._drawn(request, "access/usage.html", shown)

    def all_usage(self, request: HttpRequest) -> HttpResponse:
        """Show every account's calls and cost in a month."""
        month = self._month(request)
        calls: dict[int, dict[str, int]] = {}
        rows = UsageCount.objects.filter(month=month).values_list("account_id", "unit", "calls")
        for account_id, unit, number in rows:
            of = calls.setdefault(account_id, {})
            of[unit] = of.get(unit, 0) + number
        names = Account.objects.in_bulk(list(calls))
        found = [(names[pk], sum(of.values()), _cost(of)) for pk, of in calls.items()]
        found.sort(key=lambda row: (-row[2], row[0].name))
        shown = {"title": "Usage", "rows": found, "month": month}
        total = sum((row[2] for row in found), Decimal(0))
        return self._drawn(request, "access/usage_all.html", shown | {"total": total})

    def _month(self, request: HttpRequest) -> str:
        if not request.user.has_perm("access.view_usage_page"):
            raise PermissionDenied
        month = request.GET.get("month") or metering.month_of(now())
        year, _, number = month.partition("-")
        if not (len(year) == 4 and year.isascii() and year.isdigit() and number in MONTHS):
            raise Http404
        return month

    def _drawn(self, request: HttpRequest, template: str, shown: dict[str, Any]) -> HttpResponse:
        known = UsageCount.objects.order_by("-month").values_list("month", flat=True).distinct()
        months = list(known[:12])
        return self.draw(request, template, {"months": months} | shown)


def _chart(account: Account) -> dict[str, Any]:
    """Return the columns of twelve months' calls, all units together."""
    last = now().year * 12 + now().month - 1
    months = [f"{one // 12:04}-{one % 12 + 1:02}" for one in range(last - 11, last + 1)]
    rows = UsageCount.objects.filter(account=account, month__in=months).values_list("month")
    calls = dict(rows.annotate(total=Sum("calls")))
    columns = ("in", [calls.get(one, 0) for one in months], [f"?month={one}" for one in months])
    drawn = charts.days(labels=months, series=[columns]) if calls else []
    return {"chart": drawn, "width": charts.WIDTH, "height": charts.HEIGHT, "base": charts.BASE}


def _cost(calls: dict[str, int]) -> Decimal:
    """Return what a month's calls cost, each unit by its own tiers."""
    return sum(
        (
            line.cost
            for unit in UNITS.values()
            for line in metering.lines(calls=calls.get(unit.name, 0), tiers=unit.tiers)
        ),
        Decimal(0),
    )


class Works(admin.SimpleListFilter):
    """Working keys, or those that ended."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("working", "Working"), ("ended", "Ended")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> QuerySet[ApiKey]:
        working = ApiKey.objects.usable(now()).values("pk")
        if self.value() == "working":
            return queryset.filter(pk__in=working)
        return queryset.exclude(pk__in=working) if self.value() == "ended" else queryset


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnly):
    """Keys: issued, rotated, revoked; never edited, never removed."""

    change_list_template = "access/keys.html"
    change_form_template = "access/key.html"
    list_display = (
        "__str__", "account", "kind", "label", "works", "created_at", "expires_at", "last_used_at",
    )  # fmt: skip
    list_filter = (Works, "kind")
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
            path("<id:pk>/rotate/", wrap(posted(self.rotate)), name="access_apikey_rotate"),
            path("<id:pk>/revoke/", wrap(posted(self.revoke)), name="access_apikey_revoke"),
            *super().get_urls(),
        ]

    @admin.display(description="Works", boolean=True)
    def works(self, key: ApiKey) -> bool:
        return key.usable(now())

    def issue(self, request: HttpRequest) -> HttpResponse:
        """Ask for what a key needs; then make it and show its secret."""
        self._check(request, "access.issue_apikey")
        form = IssueForm(request.POST or None, initial={"account": request.GET.get("account")})
        if request.method != "POST" or not form.is_valid():
            shown = {"title": "Issue a key", "form": form, "once": _once(request)}
            return self.draw(request, "access/key_issue.html", shown)
        if not _first_time(request):
            return self._again(request)
        given = form.cleaned_data
        moment = now()
        with transaction.atomic():
            issued = issue(
                account=given["account"],
                kind=Kind(given["kind"]),
                now=moment,
                label=given["label"],
                expires_at=moment + timedelta(days=given["days"]) if given["days"] else None,
                rate_per_minute=given["rate_per_minute"],
            )
            self.log_addition(request, issued.key, "Issued.")
        return self._secret(request, issued)

    def rotate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make a successor and show its secret; the old key ends after the overlap."""
        self._check(request, "access.issue_apikey")
        key = get_object_or_404(ApiKey.objects.select_related("account"), pk=pk)
        hours = request.POST.get("overlap", "")
        if hours not in {str(number) for number, _ in OVERLAPS}:
            raise Http404
        if not _first_time(request):
            return self._again(request)
        if not key.usable(now()):
            messages.error(request, "This key has ended; issue a new one.")
            return HttpResponseRedirect(reverse("admin:access_apikey_change", args=[pk]))
        with transaction.atomic():
            issued = rotate(key=key, overlap=timedelta(hours=int(hours)), now=now())
            self.log_change(request, key, f"Rotated to {issued.key}.")
            self.log_addition(request, issued.key, f"Issued in place of {key}.")
        return self._secret(request, issued)

    def revoke(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End a key at once."""
        self._check(request, "access.revoke_apikey")
        key = get_object_or_404(ApiKey, pk=pk)
        with transaction.atomic():
            key.revoke(now=now())
            self.log_change(request, key, "Revoked.")
        messages.success(request, f"{key} is revoked.")
        return HttpResponseRedirect(reverse("admin:access_apikey_change", args=[pk]))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        may = {"may_issue": request.user.has_perm("access.issue_apikey")}
        return super().changelist_view(request, may | (extra_context or {}))

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> Any:
        key = context.get("original")
        works = key is not None and key.usable(now())
        context["overlaps"] = OVERLAPS
        context["may_rotate"] = works and request.user.has_perm("access.issue_apikey")
        context["may_revoke"] = works and request.user.has_perm("access.revoke_apikey")
        context["once"] = _once(request) if context["may_rotate"] else ""
        return super().render_change_form(request, context, *rest, **more)

    def _secret(self, request: HttpRequest, issued: Issued) -> HttpResponse:
        """Answer with the secret itself: it is in this one response and nowhere else."""
        shown = {"title": "The new key", "key": issued.key, "secret": issued.secret}
        return self.draw(request, "access/key_secret.html", shown)

    def _again(self, request: HttpRequest) -> HttpResponse:
        messages.warning(request, "That form was sent already. The secret is not shown again.")
        return HttpResponseRedirect(reverse("admin:access_apikey_changelist"))

    def _check(self, request: HttpRequest, permission: str) -> None:
        if not request.user.has_perm(permission):
            raise PermissionDenied


def _once(request: HttpRequest) -> str:
    """Return a mark for a form, so that reloading the answer does not make a second key."""
    request.session[ONCE] = secrets.token_urlsafe(12)
    return str(request.session[ONCE])


def _first_time(request: HttpRequest) -> bool:
    """Tell whether this form is sent for the first time; it is not after that."""
    mark = request.session.pop(ONCE, "")
    return bool(mark) and secrets.compare_digest(mark, request.POST.get("once", ""))
