"""Lists in the admin: what is live, what each import changed, a button to refresh."""

import json
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.core.clock import now
from apps.core.desk import ReadOnly
from apps.core.jobs import enqueue
from apps.watchlists.models import EntityState, ListVersion, Party, Source

REFRESH = "watchlists.refresh"
SHOWN = 50  # examples per kind of change on a version's page


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Sources: what an operator may set is how they are judged, not what they say."""

    list_display = ("slug", "title", "topic", "kind", "enabled", "live_version", "last_checked_at")
    list_filter = ("topic", "kind", "enabled")
    list_select_related = ("live",)
    search_fields = ("slug", "title")
    fields = (
        ("slug", "title"),
        ("topic", "kind", "format"),
        "enabled",
        ("max_age_hours", "minimum_percent"),
        "urls",
        "columns",
        "licence",
        ("live_version", "live_since", "last_checked_at"),
        "last_error",
    )
    readonly_fields = (
        "slug",
        "topic",
        "kind",
        "format",
        "columns",
        "live_version",
        "live_since",
        "last_checked_at",
        "last_error",
    )
    actions = ("refresh",)

    @admin.display(description="live version")
    def live_version(self, source: Source) -> str:
        return f"{source.live.sequence} ({source.live.total} parties)" if source.live else "-"

    @admin.action(description="Refresh the selected lists now", permissions=["refresh"])
    def refresh(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        with_address = [source for source in queryset if source.urls]
        for source in with_address:
            enqueue(job=REFRESH, key=source.slug, now=now())
        without = queryset.count() - len(with_address)
        messages.success(request, f"{len(with_address)} lists will be refreshed in the background.")
        if without:
            messages.warning(request, f"{without} have no address; load their files instead.")

    def save_model(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        """Save; switching a source on or off counts as a change of what is screened against."""
        if "enabled" in form.changed_data:
            obj.live_since = now()
        super().save_model(request, obj, form, change)

    def has_refresh_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("watchlists.refresh_source")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(ListVersion)
class ListVersionAdmin(ReadOnly):
    """Imports and what they changed."""

    list_display = (
        "source",
        "sequence",
        "status",
        "fetched_at",
        "total",
        "added",
        "changed",
        "removed",
    )
    list_filter = ("source", "status")
    list_select_related = ("source",)
    date_hierarchy = "fetched_at"
    fields = (
        ("source", "sequence", "status"),
        ("fetched_at", "live_at"),
        ("total", "added", "changed", "removed"),
        "error",
        "notes",
        "added_examples",
        "changed_examples",
        "removed_examples",
        "read_files",
        "checksum",
    )
    readonly_fields = (
        "error",
        "notes",
        "added_examples",
        "changed_examples",
        "removed_examples",
        "read_files",
    )

    @admin.display(description="error")
    def error(self, version: ListVersion) -> str:
        return version.report.get("error", "-")

    @admin.display(description="notes on the files")
    def notes(self, version: ListVersion) -> str:
        return " ".join(version.report.get("notes", ())) or "-"

    @admin.display(description="added")
    def added_examples(self, version: ListVersion) -> SafeString | str:
        return _examples(version, "added")

    @admin.display(description="changed")
    def changed_examples(self, version: ListVersion) -> SafeString | str:
        return _examples(version, "changed")

    @admin.display(description="removed")
    def removed_examples(self, version: ListVersion) -> SafeString | str:
        return _examples(version, "removed")

    @admin.display(description="files")
    def read_files(self, version: ListVersion) -> str:
        return ", ".join(f"{file['name']} ({file['size']} bytes)" for file in version.files)


@admin.register(EntityState)
class EntityStateAdmin(ReadOnly):
    """Listed parties as they stand and stood."""

    list_display = ("entity_id", "name", "source", "first_sequence", "last_sequence")
    list_filter = ("source",)
    list_select_related = ("source",)
    search_fields = ("=entity_id",)
    show_full_result_count = False
    fields = ("source", "entity_id", ("first_sequence", "last_sequence"), "readable")
    readonly_fields = ("readable",)

    @admin.display(description="name")
    def name(self, state: EntityState) -> str:
        return next((name["full"] for name in state.data.get("names", ())), "-")

    @admin.display(description="as listed")
    def readable(self, state: EntityState) -> SafeString:
        text = json.dumps(state.data, indent=1, ensure_ascii=False)
        return format_html("<pre>{}</pre>", text)


@admin.register(Party)
class PartyAdmin(ReadOnly):
    """Parties that were screened or registered."""

    list_display = ("name", "kind", "schema", "country", "reference", "first_seen", "last_seen")
    list_filter = ("kind", "schema")
    search_fields = ("keys", "=reference")
    show_full_result_count = False


def _examples(version: ListVersion, kind: str) -> SafeString | str:
    rows = version.report.get(kind, ())[:SHOWN]
    if not rows:
        return "-"
    cells = ((row["name"], row["id"], ", ".join(row.get("fields", ()))) for row in rows)
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{} ({}) {}</li>", cells))
