"""Evidence and lookups at the desk, read only."""

from django.contrib import admin

from apps.insight.esg.models import EsgLookup, Evidence
from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.platform.desk.base_admin import ReadOnlyAdmin


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    """Every figure about entities and countries; the last of a source and period counts."""

    list_display = ("subject", "key", "value", "unit", "period", "source", "as_of", "estimated")
    list_filter = ("source", "estimated", "key")
    search_fields = ("=subject",)
    search_help_text = "A complete LEI, or a two-letter country code"
    list_per_page = 50
    # counting all rows of a table that only grows would slow down every page of the list
    show_full_result_count = False
    fields = readonly_fields = (
        "subject", "key", "title", "value", "unit", "period", "period_end", "source", "url",
        "as_of", "estimated", "recorded_at",
    )  # fmt: skip

    @admin.display(description="unit")
    def unit(self, evidence: Evidence) -> str:
        """Say what the value counts."""
        return MEASURES_BY_KEY[evidence.key].unit if evidence.key in MEASURES_BY_KEY else ""

    @admin.display(description="title")
    def title(self, evidence: Evidence) -> str:
        """Say what the measure is."""
        return MEASURES_BY_KEY[evidence.key].title if evidence.key in MEASURES_BY_KEY else ""


@admin.register(EsgLookup)
class EsgLookupAdmin(ReadOnlyAdmin):
    """When the sources were asked about an entity, and which gave no answer."""

    list_display = ("lei", "name", "country", "asked_at", "done_at", "found")
    search_fields = ("=lei",)
    search_help_text = "A complete LEI"
    list_per_page = 50
    show_full_result_count = False
    fields = readonly_fields = (
        "lei", "name", "country", "asked_at", "done_at", "found", "faults",
    )  # fmt: skip
