"""Country listings, which two senior officers change."""

from typing import Any, cast

import pycountry
from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.core.clock import now
from apps.core.problems import DomainError
from apps.countries import actions
from apps.countries.models import CountryChange, CountryListing
from apps.countries.regions import is_region
from apps.desk.pages import ReadOnly
from apps.desk.proposals import ProposalAdmin


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
        if pycountry.countries.get(alpha_2=code) is None and not is_region(code):
            raise forms.ValidationError(
                "This is neither an ISO 3166-1 alpha-2 country code nor an ISO 3166-2 region code."
            )
        return code

    def clean(self) -> dict[str, Any]:
        """Let the domain judge, so that a contradiction is a message and not a failure."""
        values = super().clean() or {}
        if not self.errors:
            try:
                actions.check_change(CountryChange(**values), today=now().date())
            except DomainError as error:
                raise forms.ValidationError(error.detail) from error
        return values


@admin.register(CountryChange)
class CountryChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = ProposalForm
    list_display = ("country", "list", "kind", "effective", "state", "proposed_by", "decided_by")
    list_filter = ("state", "list")
    change_form_template = "countries/change.html"

    def save_model(self, request: HttpRequest, obj: CountryChange, form: Any, change: bool) -> None:
        made = actions.propose_change(by=cast(User, request.user), now=now(), **form.cleaned_data)
        obj.pk = made.pk

    def approve(self, change: CountryChange, by: User) -> str:
        actions.approve_change(change=change, by=by, now=now())
        return f"approved, with effect from {change.effective}."

    def reject(self, change: CountryChange, by: User, note: str) -> None:
        actions.reject_change(change=change, by=by, now=now(), note=note)
