"""Lists in the admin: what is live, what each import changed, a button to refresh."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.core.clock import now
from apps.core.jobs import enqueue
from apps.desk.pages import ReadOnly
from apps.watchlists.admin.changes import lines
from apps.watchlists.models import EntityState, ListVersion, Party, Source, SourceChange, Status
from apps.watchlists.sets import live_source

REFRESH = "watchlists.refresh"
SHOWN = 50  # examples per kind of change on a version's page


@dataclass(frozen=True, slots=True)
class Import:
    """An import that is being staged, or was left behind; `staged` counts what it changes."""

    version: ListVersion
    staged: int
    minutes: int


def running(moment: datetime) -> list[Import]:
    """Return the imports that are being staged, the newest first."""
    found = ListVersion.objects.filter(status=Status.STAGING).select_related("source")
    return [
        Import(
            version=version,
            staged=EntityState.objects.filter(
                source=version.source, first_sequence=version.sequence
            ).count(),
            minutes=max(0, int((moment - version.fetched_at).total_seconds() // 60)),
        )
        for version in found
    ]


def judge(source: Source, moment: datetime) -> tuple[str, str]:
    """Return the tone and the words of how a list stands; a failed refresh says so first."""
    if not source.enabled:
        return "info", "Switched off"
    if source.last_error:
        return "bad", "Last refresh failed"
    if source.live is None:
        return "warn", "Nothing loaded"
    if live_source(source).why_not(moment):
        return "bad", "Too old"
    return ("warn", "Held in part") if source.live.partial else ("ok", "Current")


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Sources: how they are judged, and where they come from, takes two operators."""

    change_list_template = "watchlists/lists.html"
    list_display = (
        "title", "standing", "topic", "kind", "live_version", "latest", "last_checked_at",
    )  # fmt: skip
    list_filter = ("topic", "kind", "enabled")
    list_select_related = ("live",)
    search_fields = ("slug", "title")
    fields = (
        ("slug", "title"),
        ("topic", "kind", "format"),
        ("enabled", "required_now"),
        ("max_age_hours", "minimum_percent"),
        "addresses",
        "columns",
        "licence",
        ("live_version", "published", "live_since", "last_checked_at"),
        "last_error",
    )
    readonly_fields = (
        "slug",
        "topic",
        "kind",
        "format",
        "enabled",
        "required_now",
        "max_age_hours",
        "minimum_percent",
        "published",
        "addresses",
        "columns",
        "live_version",
        "live_since",
        "last_checked_at",
        "last_error",
    )
    actions = ("refresh",)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = {"title": "Lists", "imports": running(now())}
        return super().changelist_view(request, shown | (extra_context or {}))

    @admin.display(description="standing")
    def standing(self, source: Source) -> SafeString:
        tone, words = judge(source, now())
        return format_html('<span class="badge {}">{}</span>', tone, words)

    @admin.display(description="live version")
    def live_version(self, source: Source) -> SafeString | str:
        live = source.live
        if live is None:
            return "-"
        address = reverse("admin:watchlists_listversion_change", args=[live.pk])
        words = f"{live.total:,} parties"
        return format_html('<a href="{}">{}</a> {}', address, f"no. {live.sequence}", words)

    @admin.display(description="addresses")
    def addresses(self, source: Source) -> SafeString:
        """Show where it is downloaded from, and where another place is proposed."""
        place = reverse("admin:watchlists_sourcechange_changelist")
        words = "this, and what stands above, is changed by two operators"
        if source.changes.filter(state=SourceChange.State.PROPOSED).exists():
            words = "another is proposed"
        link = format_html('<a href="{}?source__id__exact={}">{}</a>', place, source.pk, words)
        return lines(source.urls) + link

    @admin.display(description="required", boolean=True)
    def required_now(self, source: Source) -> bool:
        """Say whether nothing is screened without it: by the settings, or by two operators."""
        return live_source(source).required

    @admin.display(description="published")
    def published(self, source: Source) -> str:
        live = source.live
        if live is None:
            return "-"
        said = f"{live.published_at:%F %R} UTC" if live.published_at else "nobody said when"
        by = ", given by hand" if live.by_hand else ""
        return f"{said}{by}{', a part of the list' if live.partial else ''}"

    @admin.display(description="latest change")
    def latest(self, source: Source) -> str:
        live = source.live
        return f"+{live.added:,} ~{live.changed:,} -{live.removed:,}" if live else "-"

    @admin.action(description="Refresh the selected lists now", permissions=["refresh"])
    def refresh(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        with_address = [source for source in queryset if source.urls]
        for source in with_address:
            enqueue(job=REFRESH, key=source.slug, now=now())
        without = queryset.count() - len(with_address)
        messages.success(request, f"{len(with_address)} lists will be refreshed in the background.")
        if without:
            messages.warning(request, f"{without} have no address; load their files instead.")

    def has_refresh_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("watchlists.refresh_source")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(ListVersion)
class ListVersionAdmin(ReadOnly):
    """Imports and what they changed."""

    change_form_template = "watchlists/version.html"
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
