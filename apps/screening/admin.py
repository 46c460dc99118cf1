"""Screens to read."""

import json

from django.contrib import admin
from django.utils.html import format_html

from apps.desk.pages import ReadOnly
from apps.screening.models import Screen


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
