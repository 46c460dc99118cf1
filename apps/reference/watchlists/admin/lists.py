"""Lists in the admin: live versions, changes of each import, a button to refresh."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.platform.common.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.forms import VisibleTextForm
from apps.platform.jobs.job_queue import enqueue_job
from apps.reference.watchlists import change_preview
from apps.reference.watchlists.admin.source_changes import render_text_list
from apps.reference.watchlists.catalog import PUBLISHERS
from apps.reference.watchlists.choices import REFRESH
from apps.reference.watchlists.list_status import describe_source_status
from apps.reference.watchlists.live_list_sets import build_live_source, general_age_limit
from apps.reference.watchlists.models import (
    EntityState,
    ListVersion,
    Source,
    SourceChange,
    VersionStatus,
)

SHOWN = 50  # examples per kind of change on a version's page


@dataclass(frozen=True, slots=True)
class RunningImport:
    """An import that is being staged, or was left behind; `staged` counts what it changes."""

    version: ListVersion
    staged: int
    minutes: int


def list_running_imports(moment: datetime) -> list[RunningImport]:
    """Return the imports that are being staged, the newest first."""
    list_versions = ListVersion.objects.filter(status=VersionStatus.STAGING).select_related(
        "source"
    )
    return [
        RunningImport(
            version=version,
            staged=EntityState.objects.filter(
                source=version.source, first_sequence=version.sequence
            ).count(),
            minutes=max(0, int((moment - version.fetched_at).total_seconds() // 60)),
        )
        for version in list_versions
    ]


class SourceForm(VisibleTextForm, forms.ModelForm):
    """What of a source one operator may change."""


@admin.register(Source)
class SourceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Sources: how they are judged, and where they come from, takes two operators."""

    form = SourceForm
    change_list_template = "watchlists/lists.html"
    change_form_template = "watchlists/source.html"
    list_display = (
        "title", "standing", "topic", "publisher", "live_version", "latest", "last_checked_at",
    )  # fmt: skip
    list_filter = ("topic", "kind", "enabled")
    list_select_related = ("live",)
    search_fields = ("slug", "title")
    fields = (
        ("short", "title"),
        ("publisher", "topic"),
        ("kind", "format"),
        ("enabled", "required_now"),
        ("age_limit", "floor"),
        "addresses",
        "mapping",
        "licence",
        ("live_version", "published", "live_since", "last_checked_at"),
        "last_error",
    )
    readonly_fields = (
        "short",
        "publisher",
        "topic",
        "kind",
        "format",
        "enabled",
        "required_now",
        "age_limit",
        "floor",
        "published",
        "addresses",
        "mapping",
        "live_version",
        "live_since",
        "last_checked_at",
        "last_error",
    )
    actions = ("refresh",)

    @admin.display(description="published by")
    def publisher(self, source: Source) -> str:
        """Say who publishes a list; one that an operator added is the house's own."""
        return PUBLISHERS.get(source.slug) or source.get_kind_display()

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        shown = {"title": "Lists", "imports": list_running_imports(now())}
        return super().changelist_view(request, shown | (extra_context or {}))

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        """Show, with the source, the effects of switching it off or on again."""
        if source := context.get("original"):
            turned = not source.enabled
            if not request.user.has_perm("watchlists.propose_sourcechange"):
                proposal_link = ""
            else:
                value = "yes" if turned else "no"
                query = urlencode({"source": source.pk, "field": "enabled", "value": value})
                address = f"{reverse('admin:watchlists_sourcechange_add')}?{query}"
                words = "Propose with a reason; another operator decides"
                proposal_link = format_html('<p><a href="{}">{}</a></p>', address, words)
            context |= {
                "meaning": change_preview.preview_change(
                    source=source, field="enabled", after=turned, now=now()
                ),
                "meaning_title": f"Switching it {'on' if turned else 'off'} would mean",
                "meaning_link": proposal_link,
            }
        return super().render_change_form(request, context, *rest, **more)

    @admin.display(description="standing")
    def standing(self, source: Source) -> SafeString:
        tone, words = describe_source_status(source, now())
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
        place = reverse("admin:watchlists_sourcechange_add")
        name, words = "source", "changing this and the settings above takes two operators"
        if source.changes.filter(state=SourceChange.State.PROPOSED).exists():
            place = reverse("admin:watchlists_sourcechange_changelist")
            name, words = "source__id__exact", "another is proposed"
        link = format_html('<a href="{}?{}={}">{}</a>', place, name, source.pk, words)
        return format_html("{} {}", render_text_list(source.urls), link)

    @admin.display(description="short name")
    def short(self, source: Source) -> str:
        return source.slug

    @admin.display(description="required", boolean=True)
    def required_now(self, source: Source) -> bool:
        """Say whether nothing is screened without it: by the settings, or by two operators."""
        return build_live_source(source).required

    @admin.display(description="age limit")
    def age_limit(self, source: Source) -> str:
        """Say how old it may grow, by its own limit or by the general one."""
        if hours := source.max_age_hours:
            return f"{hours:,} hours from its publication"
        general = general_age_limit(kind=source.kind, topic=source.topic)
        limit = f"{general:,} hours from its publication" if general else "any age"
        return f"{limit}, the general limit"

    @admin.display(description="least share of the live version")
    def floor(self, source: Source) -> str:
        return f"{source.minimum_percent} %: a file with fewer parties is refused"

    @admin.display(description="columns")
    def mapping(self, source: Source) -> SafeString | str:
        """Say which column of an in-house file each field is read from."""
        pairs = source.columns.items() if isinstance(source.columns, dict) else ()
        return render_text_list([f"{field.replace('_', ' ')}: {column}" for field, column in pairs])

    @admin.display(description="published")
    def published(self, source: Source) -> str:
        live = source.live
        if live is None:
            return "-"
        text = f"{live.published_at:%F %R} UTC" if live.published_at else "date not given"
        by = ", stated by an operator" if live.by_hand else ""
        return f"{text}{by}{', part of the list' if live.partial else ''}"

    @admin.display(description="latest change")
    def latest(self, source: Source) -> str:
        live = source.live
        return f"+{live.added:,} ~{live.changed:,} -{live.removed:,}" if live else "-"

    @admin.action(description="Refresh the selected lists now", permissions=["refresh"])
    def refresh(self, request: HttpRequest, queryset: QuerySet[Source]) -> None:
        with_address = [source for source in queryset if source.urls]
        # a job for each: a download may take many minutes, and its failure must not stop others
        for source in with_address:
            enqueue_job(job=REFRESH, key=source.slug, now=now())
        without = queryset.count() - len(with_address)
        count = len(with_address)
        refresh_message = (
            f"{count} list{'' if count == 1 else 's'} will be refreshed in the background."
        )
        messages.success(request, refresh_message)
        if without:
            messages.warning(request, f"{without} have no address; load their files instead.")

    def has_refresh_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("watchlists.refresh_source")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(ListVersion)
class ListVersionAdmin(ReadOnlyAdmin):
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
        return _render_examples(version, "added")

    @admin.display(description="changed")
    def changed_examples(self, version: ListVersion) -> SafeString | str:
        return _render_examples(version, "changed")

    @admin.display(description="removed")
    def removed_examples(self, version: ListVersion) -> SafeString | str:
        return _render_examples(version, "removed")

    @admin.display(description="files")
    def read_files(self, version: ListVersion) -> str:
        return ", ".join(f"{file['name']} ({file['size']} bytes)" for file in version.files)


def _render_examples(version: ListVersion, kind: str) -> SafeString | str:
    rows = version.report.get(kind, ())[:SHOWN]
    if not rows:
        return "-"
    cells = ((row["name"], row["id"], ", ".join(row.get("fields", ()))) for row in rows)
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{} ({}) {}</li>", cells))
