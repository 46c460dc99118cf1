"""Screens to read, and country listings that two senior officers change."""

import json
from typing import Any, cast

import pycountry
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from apps.core.clock import now
from apps.core.desk import ReadOnly
from apps.core.problems import DomainError
from apps.screening import countries
from apps.screening.models import CountryChange, CountryListing, Screen


@admin.register(Screen)
class ScreenAdmin(ReadOnly):
    """Every screen as it was recorded; found by its whole id."""

    list_display = ("screen_id", "recorded_at", "owner", "decision", "risk_score", "sample")
    list_filter = ("decision", "sample", "rules_version")
    search_fields = ("=screen_id",)
    search_help_text = "The whole screenId"
    list_per_page = 50
    show_full_result_count = False
    fields = readonly_fields = (
        "screen_id",
        "recorded_at",
        "owner",
        "decision",
        "risk_score",
        "rules",
        "rules_version",
        "lists",
        "sample",
        "record",
    )

    @admin.display(description="record")
    def record(self, screen: Screen) -> str:
        """Show the payload; a purged one says so."""
        if screen.purged:
            return "The payload was purged at the end of its retention."
        return format_html("<pre>{}</pre>", json.dumps(screen.data, indent=2, ensure_ascii=False))


@admin.register(CountryListing)
class CountryListingAdmin(ReadOnly):
    """Which country is on which list, since when and until when."""

    list_display = ("country", "list", "since", "until", "source")
    list_filter = ("list",)
    search_fields = ("country",)
    list_per_page = 100


class ProposalForm(forms.ModelForm):
    """What a proposed change must say."""

    class Meta:
        model = CountryChange
        fields = ("kind", "list", "country", "effective", "source", "reason")

    def clean_country(self) -> str:
        code = str(self.cleaned_data["country"]).upper()
        if pycountry.countries.get(alpha_2=code) is None:
            raise forms.ValidationError("This is not an ISO 3166-1 alpha-2 country code.")
        return code

    def clean(self) -> dict[str, Any]:
        """Let the domain judge, so that a contradiction is a message and not a failure."""
        values = super().clean() or {}
        if not self.errors:
            try:
                countries.check_change(CountryChange(**values))
            except DomainError as error:
                raise forms.ValidationError(error.detail) from error
        return values


@admin.register(CountryChange)
class CountryChangeAdmin(ReadOnly):
    """Proposals: one senior officer makes them, another decides."""

    form = ProposalForm
    list_display = ("country", "list", "kind", "effective", "state", "proposed_by", "decided_by")
    list_filter = ("state", "list")
    list_select_related = ("proposed_by", "decided_by")
    change_form_template = "desk/country_change.html"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("screening.propose_countrychange")

    def save_model(self, request: HttpRequest, obj: CountryChange, form: Any, change: bool) -> None:
        made = countries.propose_change(by=cast(User, request.user), now=now(), **form.cleaned_data)
        obj.pk = made.pk

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        decide = wrap(require_POST(self.decide))
        address = path("<int:pk>/decide/", decide, name="screening_countrychange_decide")
        return [address, *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        change = context.get("original")
        context["decides"] = (
            change is not None
            and change.state == CountryChange.State.PROPOSED
            and change.proposed_by_id != request.user.pk
            and request.user.has_perm("screening.decide_countrychange")
        )
        return super().render_change_form(request, context, *rest, **more)

    def decide(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Approve or reject, as another officer than the proposer."""
        if not request.user.has_perm("screening.decide_countrychange"):
            raise PermissionDenied
        change = get_object_or_404(CountryChange, pk=pk)
        by = cast(User, request.user)
        try:
            if request.POST.get("decision") == "approve":
                countries.approve_change(change=change, by=by, now=now())
                messages.success(request, f"{change}: in force from {change.effective}.")
            else:
                note = request.POST.get("note", "").strip()
                countries.reject_change(change=change, by=by, now=now(), note=note)
                messages.success(request, f"{change}: rejected.")
        except DomainError as error:
            messages.error(request, error.detail)
        return HttpResponseRedirect(reverse("admin:screening_countrychange_change", args=[pk]))
