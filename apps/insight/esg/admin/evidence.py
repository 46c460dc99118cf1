"""ESG at the desk: scores with what they are made of, evidence, lookups. All of it is read only."""

import json
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.insight.esg import computation
from apps.insight.esg.labels import format_figure
from apps.insight.esg.models import EsgLookup, EsgScore, Evidence
from apps.insight.esg.rules.indicators import REFERENCE
from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.platform.desk.base_admin import NewestFirstAdmin, ReadOnlyAdmin
from apps.reference.lei.models import LeiRecord


@admin.register(EsgScore)
class EsgScoreAdmin(NewestFirstAdmin):
    """Every score as it was given."""

    change_form_template = "esg/score.html"
    list_display = (
        "recorded_at", "lei", "composite", "fee_tier", "coverage", "sample", "reference",
    )  # fmt: skip
    list_filter = ("fee_tier", "coverage", "sample", "recorded_at")
    search_fields = ("=lei",)
    search_help_text = "A whole LEI"
    fields = readonly_fields = (
        "lei", "lei_status", "recorded_at", "expires_at", "composite", "fee_tier", "coverage",
        "reference",
    )  # fmt: skip

    def record_context(self, request: HttpRequest, record: Any) -> dict[str, Any]:
        """Add the pillars, indicator by indicator, and whether it comes out again the same."""
        fault = "" if record.purged else record.mac_fault()
        if fault or record.purged:
            return {"fault": fault, "purged": record.purged}
        if record.reference != REFERENCE:  # another release's curves are not here any more
            return {"stored": json.dumps(record.data, indent=2, ensure_ascii=False)}
        then, anew = computation.replay_score(record.data)
        inputs = computation.parse_score_inputs(record.data["inputs"])
        lei_record = LeiRecord.objects.held([record.lei]).get(record.lei)
        name = lei_record.entity.legal_name if lei_record else ""
        explained = computation.build_explanation(inputs, record.recorded_at.date())
        for figure in explained["figures"]:
            figure |= format_figure(Decimal(figure["value"]), figure["unit"])
        for pillar in explained["pillars"]:
            for figure in pillar["indicators"]:
                if figure["value"] is not None:
                    figure["told"] = format_figure(figure["value"], figure["unit"])
        return {
            "named": name,
            "explained": explained,
            "same": then == anew,
        }


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    """Every figure about entities and countries; the last of a source and period counts."""

    list_display = ("subject", "key", "value", "unit", "period", "source", "as_of", "estimated")
    list_filter = ("source", "estimated", "key")
    search_fields = ("=subject",)
    search_help_text = "A complete LEI, or a two-letter country code"
    list_per_page = 50
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
    search_help_text = "A whole LEI"
    list_per_page = 50
    show_full_result_count = False
    fields = readonly_fields = (
        "lei", "name", "country", "asked_at", "done_at", "found", "faults",
    )  # fmt: skip
