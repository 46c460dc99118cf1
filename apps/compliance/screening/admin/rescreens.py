"""Runs over known parties: their progress, their findings, and matches that were not news."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rules.rescreening import RULINGS
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.time_formats import format_moment


@admin.register(Rescreen)
class RescreenAdmin(ReadOnlyAdmin):
    """Each change of a list, and how known parties were screened against it, the newest first."""

    list_display = ("__str__", "standing", "entries", "parties", "candidates", "looked", "opened",
                    "none", "planned_at")  # fmt: skip
    list_filter = ("stage", "source")
    list_select_related = ("source",)
    show_full_result_count = False
    fields = (
        "source",
        ("since", "through"),
        "standing",
        ("entries", "immaterial", "removed"),
        ("parties", "candidates", "verified"),
        "opened",
        "no_news",
        ("planned_at", "late_look", "finished_at"),
        "fault",
    )
    readonly_fields = ("standing", "no_news", "late_look", "fault")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("source")

    @admin.display(description="status")
    def standing(self, run: Rescreen) -> str:
        if run.last_error:
            return "Stopped: it resumes automatically, or from the failed jobs"
        # before the first slice is done there is no position to report
        if run.stage == Stage.MAIN and run.entry:
            return f"Running: {run.verified:,} looked up so far"
        return Stage(run.stage).label

    @admin.display(description="looked up", ordering="verified")
    def looked(self, run: Rescreen) -> str:
        return f"{run.verified:,}"

    @admin.display(description="without a case")
    def none(self, run: Rescreen) -> str:
        return f"{sum(run.skipped.values()):,}"

    @admin.display(description="without a case, by reason")
    def no_news(self, run: Rescreen) -> str:
        words = {ruling.code: ruling.title for ruling in RULINGS}
        parts = [f"{words.get(why, why)}: {count:,}" for why, count in sorted(run.skipped.items())]
        return "\n".join(parts) or "none"

    @admin.display(description="late check")
    def late_look(self, run: Rescreen) -> str:
        if run.settles_at is None:
            return "not planned yet"
        return f"{format_moment(run.settles_at)}: parties screened in the meantime are checked then"

    @admin.display(description="error")
    def fault(self, run: Rescreen) -> str:
        return run.last_error or "none"
