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
        return _build_score_page(record)


def _build_score_page(score: EsgScore) -> dict[str, Any]:
    fault = "" if score.purged else score.mac_fault()
    if fault or score.purged:
        return {"fault": fault, "purged": score.purged}
    if score.reference != REFERENCE:  # another release's curves are not here any more
        return {"stored": json.dumps(score.data, indent=2, ensure_ascii=False)}
    then, anew = computation.replay_score(score.data)
    inputs = computation.parse_score_inputs(score.data["inputs"])
    lei_record = LeiRecord.objects.held([score.lei]).get(score.lei)
    name = lei_record.entity.legal_name if lei_record else ""
    return {
        "named": name,
        "explained": _format_explanation(
            computation.build_explanation(inputs, score.recorded_at.date())
        ),
        "same": then == anew,
    }


def _format_explanation(explained: dict[str, Any]) -> dict[str, Any]:
    for one in explained["figures"]:
        one |= format_figure(Decimal(one["value"]), one["unit"])
    for pillar in explained["pillars"]:
        for one in pillar["indicators"]:
            if one["value"] is not None:
                one["told"] = format_figure(one["value"], one["unit"])
    return explained


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    """Every figure about entities and countries; the last of a source and period counts."""

    list_display = ("subject", "key", "value", "unit", "period", "source", "as_of", "estimated")
    list_filter = ("source", "estimated", "key")
    search_fields = ("=subject",)
    search_help_text = "A whole LEI, or a country's two letters"
    list_per_page = 50
    show_full_result_count = False
    fields = readonly_fields = (
        "subject", "key", "title", "value", "unit", "period", "period_end", "source", "url",
        "as_of", "estimated", "recorded_at",
    )  # fmt: skip

    @admin.display(description="unit")
    def unit(self, one: Evidence) -> str:
        """Say what the value counts."""
        return MEASURES_BY_KEY[one.key].unit if one.key in MEASURES_BY_KEY else ""

    @admin.display(description="title")
    def title(self, one: Evidence) -> str:
        """Say what the measure is."""
        return MEASURES_BY_KEY[one.key].title if one.key in MEASURES_BY_KEY else ""


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
