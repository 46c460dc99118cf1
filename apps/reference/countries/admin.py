"""Country listings, which two senior officers change."""

from typing import Any, ClassVar

import pycountry
from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest

from apps.platform.common.clock import now
from apps.platform.common.country_names import country_name
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.previews import PreviewedForm
from apps.platform.desk.proposal_admin import ProposalAdmin
from apps.platform.desk.time_formats import format_days_in_text
from apps.reference.countries import approvals, services
from apps.reference.countries.models import CountryChange, CountryListing
from apps.reference.countries.regions import is_region_code, region_name


class InForceFilter(admin.SimpleListFilter):
    """Whether a listing holds today: most of a list's history no longer does."""

    title, parameter_name = "standing", "stands"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("now", "In force today"),
            ("ahead", "From a later day"),
            ("ended", "Ended"),
        ]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[CountryListing]
    ) -> QuerySet[CountryListing]:
        today = now().date()
        chosen = {
            "now": Q(since__lte=today) & (Q(until=None) | Q(until__gt=today)),
            "ahead": Q(since__gt=today) & (Q(until=None) | Q(until__gt=F("since"))),
            # also one that was withdrawn before it began, which may lie ahead
            "ended": Q(until__lte=today) | Q(until=F("since")),
        }
        return queryset.filter(chosen.get(self.value() or "", Q()))


@admin.register(CountryListing)
class CountryListingAdmin(ReadOnlyAdmin):
    """Which country is on which list, since when and until when."""

    list_display = ("called", "list", "since", "until", "told")
    list_filter = ("list", InForceFilter)
    fields = readonly_fields = ("called", "list", "since", "until", "told")
    search_fields = ("country",)
    search_help_text = "Country name or code"
    list_per_page = 100

    @admin.display(description="Country", ordering="country")
    def called(self, listing: CountryListing) -> str:
        return format_country_or_region(listing.country)

    @admin.display(description="Source", ordering="source")
    def told(self, listing: CountryListing) -> str:
        return format_days_in_text(listing.source)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[CountryListing], search_term: str
    ) -> tuple[QuerySet[CountryListing], bool]:
        """Find countries and regions by a part of their name, or by their code."""
        term = search_term.strip().casefold()
        if not term:
            return queryset, False
        # the rows have codes only: names are compared here, over some hundred countries
        codes = set(CountryListing.objects.values_list("country", flat=True).order_by().distinct())
        return queryset.filter(
            country__in=[c for c in codes if term in format_country_or_region(c).casefold()]
        ), False


def format_country_or_region(code: str) -> str:
    """Return a country or region with its code: `Crimea (UA-43)`."""
    return f"{region_name(code) if is_region_code(code) else country_name(code)} ({code})"


class ProposalForm(PreviewedForm, forms.ModelForm):
    """What a proposed change must say."""

    country = forms.CharField(max_length=80, help_text="The country's name, or a code: FR, UA-43")

    class Meta:
        model = CountryChange
        fields = ("kind", "list", "country", "effective", "source", "reason")
        widgets: ClassVar[dict[str, Any]] = {
            name: forms.Textarea(attrs={"rows": 3, "cols": 70}) for name in ("source", "reason")
        } | {"effective": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}

    def clean_country(self) -> str:
        text = str(self.cleaned_data["country"]).strip()
        code = text.upper()
        if pycountry.countries.get(alpha_2=code) is not None or is_region_code(code):
            return code
        try:
            return str(pycountry.countries.lookup(text).alpha_2)
        except LookupError as error:
            raise forms.ValidationError(
                "No country has this name, and it is neither an ISO 3166-1 alpha-2 country code "
                "nor an ISO 3166-2 region code."
            ) from error

    def judge(self, values: dict[str, Any]) -> None:
        services.check_change(CountryChange(**values), today=now().date())


@admin.register(CountryChange)
class CountryChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = ProposalForm
    list_display = ("country", "list", "kind", "effective", "state", "proposed_by", "decided_by")
    list_filter = ("state", "list")
    pending = approvals.PENDING
    turn_down = staticmethod(services.reject_change)
    decider = "senior officer"
    asking = "Propose a change of country listings"

    def means(self, change: CountryChange) -> tuple[str, ...]:
        return approvals.describe_consequences(change, now())

    def propose(self, form: Any, by: User) -> CountryChange:
        return services.propose_change(by=by, now=now(), **form.cleaned_data)

    def approve(self, change: CountryChange, by: User, note: str) -> str:
        services.approve_change(change=change, by=by, now=now(), note=note)
        return f"approved, with effect from {change.effective:%d %b %Y}."
