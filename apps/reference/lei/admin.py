"""GLEIF files and LEI records, read-only."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.reference.lei.models import GleifFile, LeiRecord, LeiUse, Relationship, ReportingException


@admin.register(GleifFile)
class GleifFileAdmin(ReadOnlyAdmin):
    """Imports, the newest first; LIVE ones are what lookups see."""

    list_display = (
        "name", "kind", "source", "state", "delta", "partial", "as_of", "rows", "refused",
        "live_at", "note",
    )  # fmt: skip
    list_filter = ("state", "kind", "source")
    list_per_page = 50


class GleifRowAdmin(ReadOnlyAdmin):
    """Rows of files: found by whole LEI, because there are millions."""

    show_full_result_count = False
    list_select_related = ("file",)
    list_per_page = 50
    search_help_text = "The whole LEI"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        # rows of replaced files stay until they are purged, and decide nothing
        return super().get_queryset(request).filter(file__state=GleifFile.State.LIVE)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find by exact equality: the admin's own `=` ignores case, and so every index."""
        # as GLEIF prints it: upper case, without blanks around or inside
        text = "".join(search_term.split()).upper()
        if not text:
            return queryset, False
        condition = Q()
        for field in self.search_fields:
            condition |= Q(**{field: text})
        return queryset.filter(condition), False


@admin.register(LeiRecord)
class LeiRecordAdmin(GleifRowAdmin):
    """Level 1: who the entity is."""

    list_display = (
        "lei", "legal_name", "jurisdiction", "entity_status", "registration_status",
        "next_renewal", "file",
    )  # fmt: skip
    search_fields = ("lei",)


@admin.register(Relationship)
class RelationshipAdmin(GleifRowAdmin):
    """Level 2: who owns whom."""

    list_display = ("child", "kind", "parent", "status", "since", "until", "file")
    search_fields = ("child",)


@admin.register(ReportingException)
class ReportingExceptionAdmin(GleifRowAdmin):
    """Level 2: why no owner is named."""

    list_display = ("lei", "kind", "reason", "file")
    search_fields = ("lei",)


@admin.register(LeiUse)
class LeiUseAdmin(ReadOnlyAdmin):
    """LEIs that were screened or registered, and when they were last looked up at GLEIF."""

    list_display = ("lei", "used_on", "refreshed_at", "chain_at", "missing_at")
    search_fields = ("=lei",)
    ordering = ("-used_on", "lei")
    show_full_result_count = False
