"""The SAR log, for those who may know that it exists."""

import json

from django.contrib import admin
from django.utils.html import format_html

from apps.core.desk import ReadOnly
from apps.sar.models import SarEntry


@admin.register(SarEntry)
class SarEntryAdmin(ReadOnly):
    """Blocked outcomes, newest first."""

    list_display = ("recorded_at", "kind", "ref")
    ordering = ("-pk",)
    list_per_page = 50
    show_full_result_count = False
    fields = readonly_fields = ("recorded_at", "kind", "ref", "record")

    @admin.display(description="record")
    def record(self, entry: SarEntry) -> str:
        """Show what was blocked and why; a purged entry says so."""
        if entry.purged:
            return "The payload was purged at the end of its retention."
        return format_html("<pre>{}</pre>", json.dumps(entry.data, indent=2, ensure_ascii=False))
