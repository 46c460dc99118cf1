"""ESG scores on the desk."""

import json
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.insight.esg import computation
from apps.insight.esg.labels import format_figure
from apps.insight.esg.models import EsgScore
from apps.insight.esg.rules.indicators import REFERENCE
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.reference.lei.models import LeiRecord


@admin.register(EsgScore)
class EsgScoreAdmin(NewestFirstAdmin):
    """Every score as it was given."""

    change_form_template = "esg/score.html"
    list_display = (
        "recorded_at", "lei", "composite", "fee_tier", "coverage", "sample", "reference",
    )  # fmt: skip
    list_filter = ("fee_tier", "coverage", "sample", "recorded_at")
    # an exact match uses the index on lei; a substring would scan the ledger
    search_fields = ("=lei",)
    search_help_text = "A whole LEI"
    fields = readonly_fields = (
        "lei", "lei_status", "recorded_at", "expires_at", "composite", "fee_tier", "coverage",
        "reference",
    )  # fmt: skip

    def record_context(self, request: HttpRequest, record: Any) -> dict[str, Any]:
        """Add the pillars by indicator, and whether a replay gives the same result."""
        fault = "" if record.purged else record.mac_fault()
        if fault or record.purged:
            return {"fault": fault, "purged": record.purged}
        # curves of an earlier reference are no longer in the code, so it cannot be recomputed
        if record.reference != REFERENCE:
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
