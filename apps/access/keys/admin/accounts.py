"""Pages of accounts and their usage."""

from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html

from apps.access.keys import metering
from apps.access.keys.models import Account, UsageCount
from apps.access.keys.serializers import MONTHS
from apps.platform.common.clock import now
from apps.platform.desk import charts
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.forms import VisibleTextForm
from config.prices import UNITS


class AccountForm(VisibleTextForm, forms.ModelForm):
    """The form of a new account."""


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Tenants: added here, never renamed or removed, because their data outlives them."""

    form = AccountForm
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
        # ApiKeyQuerySet.usable, written for a join: the count must not run once for each account
        works = (Q(keys__revoked_at=None) | Q(keys__revoked_at__gt=moment)) & (
            Q(keys__expires_at=None) | Q(keys__expires_at__gt=moment)
        )
        return super().get_queryset(request).annotate(working=Count("keys", filter=works))

    @admin.display(description="Active keys", ordering="working")
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
        month = self._read_month(request)
        account = get_object_or_404(Account, pk=pk)
        report = metering.build_usage_report(
            account_id=account.pk, account=account.name, month=month
        )
        shown = {"title": f"Usage of {account.name}", "account": account, "report": report}
        shown["units"] = [(UNITS[unit["unit"]].title, unit["tiers"]) for unit in report["units"]]
        # months counted from year 0, so that a year boundary needs no case of its own
        last = now().year * 12 + now().month - 1
        months = [
            f"{month_number // 12:04}-{month_number % 12 + 1:02}"
            for month_number in range(last - 11, last + 1)
        ]
        # the chart: calls of the last twelve months, each column a link to its month
        rows = UsageCount.objects.filter(account=account, month__in=months).values_list("month")
        calls = dict(rows.annotate(total=Sum("calls")))
        columns = (
            "in",
            [calls.get(month, 0) for month in months],
            [f"?month={month}" for month in months],
        )
        day_chart = charts.build_day_chart(labels=months, series=[columns]) if calls else []
        usage_chart = {
            "chart": day_chart,
            "width": charts.WIDTH,
            "height": charts.HEIGHT,
            "base": charts.BASE,
        }
        shown |= {"month": month} | usage_chart
        return self._draw_usage_page(request, "access/usage.html", shown)

    def all_usage(self, request: HttpRequest) -> HttpResponse:
        """Show every account's calls and cost in a month."""
        month = self._read_month(request)
        calls: dict[int, dict[str, int]] = {}
        rows = UsageCount.objects.filter(month=month).values_list("account_id", "unit", "calls")
        for account_id, unit, number in rows:
            # a unit comes once for each of its shards
            by_unit = calls.setdefault(account_id, {})
            by_unit[unit] = by_unit.get(unit, 0) + number
        # accounts are protected from deletion, so each counted one is found
        names = Account.objects.in_bulk(list(calls))
        accounts = [
            (names[pk], sum(by_unit.values()), _compute_cost(by_unit))
            for pk, by_unit in calls.items()
        ]
        accounts.sort(key=lambda row: (-row[2], row[0].name))
        shown = {"title": "Usage", "rows": accounts, "month": month}
        total = sum((row[2] for row in accounts), Decimal(0))
        return self._draw_usage_page(request, "access/usage_all.html", shown | {"total": total})

    def _read_month(self, request: HttpRequest) -> str:
        if not request.user.has_perm("access.view_usage_page"):
            raise PermissionDenied
        month = request.GET.get("month") or metering.get_month(now())
        year, _, number = month.partition("-")
        # not `isdigit` alone: it accepts digits of other scripts, which no stored month has
        if not (len(year) == 4 and year.isascii() and year.isdigit() and number in MONTHS):
            raise Http404
        return month

    def _draw_usage_page(
        self, request: HttpRequest, template: str, shown: dict[str, Any]
    ) -> HttpResponse:
        usage_counts = (
            UsageCount.objects.order_by("-month").values_list("month", flat=True).distinct()
        )
        months = list(usage_counts[:12])
        return self.draw(request, template, {"months": months} | shown)


def _compute_cost(calls: dict[str, int]) -> Decimal:
    """Return what a month's calls cost, each unit by its own tiers."""
    return sum(
        (
            line.cost
            for unit in UNITS.values()
            for line in metering.split_calls_by_tier(
                calls=calls.get(unit.name, 0), tiers=unit.tiers
            )
        ),
        Decimal(0),
    )
