"""The ledger of decisions, for examiners."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from apps.backoffice.review.models import DecisionEvent
from apps.backoffice.review.views.case_timeline import build_timeline_step
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.filters import ActorFilter
from apps.platform.desk.list_pages import parse_row_number_place
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.verified_reads import filter_verified_records

PURGED = "The payload was purged. The seal remains."
# parts of a payload that `build_timeline_step` puts into words; what else there may be is shown by
# its name
IN_WORDS = frozenset(
    {
        "basis",
        "cause",
        "digest",
        "due",
        "from",
        "into",
        "known",
        "note",
        "overdue",
        "proof",
        "reason",
        "reason_code",
        "to",
        "until",
        "with_case",
    }
)


@admin.register(DecisionEvent)
class DecisionEventAdmin(ReadOnlyAdmin):
    """The ledger of decisions, for examiners."""

    list_display = ("recorded_at", "case", "action", "outcome", "by")
    fields = readonly_fields = (
        "recorded_at", "case", "action", "outcome", "by", "said", "facts_digest", "sealed",
    )  # fmt: skip
    list_filter = ("action", "outcome", "recorded_at", ("by", ActorFilter))
    search_fields = ("case", "by")
    search_help_text = "Case number or officer"
    list_select_related = ("case", "by")
    ordering = ("-pk",)
    show_full_result_count = False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[DecisionEvent], search_term: str
    ) -> tuple[QuerySet[DecisionEvent], bool]:
        """Find the steps of a case by its number, and those of a person: each has an index."""
        term = search_term.strip()
        number = parse_row_number_place(term)
        condition = Q(case_id=int(number)) if number else Q(by__username=term)
        return queryset.filter(condition) if term else queryset, False

    @admin.display(description="Details")
    def said(self, event: DecisionEvent) -> str:
        paragraphs = format_html_join("", "<p>{}</p>", ((line,) for line in _describe_event(event)))
        return paragraphs or "–"

    @admin.display(description="Evidence digest")
    def facts_digest(self, event: DecisionEvent) -> str:
        return event.data.get("digest", "") or "–"

    @admin.display(description="Ledger")
    def sealed(self, event: DecisionEvent) -> str:
        seal = Seal.objects.filter(ledger=DecisionEvent.LEDGER, record_id=event.pk).first()
        stands = f"Sealed at position {seal.position}, {seal.digest}" if seal else "Not sealed yet"
        return stands if filter_verified_records([event]) else f"{stands}. Integrity check failed."


def _describe_event(event: DecisionEvent) -> Iterator[str]:
    """Yield what a step says, in words; of a payload that left, that it did."""
    if event.purged:
        yield PURGED
    timeline_step: Any = build_timeline_step(event.case, event, None)
    yield from filter(None, (timeline_step.more, timeline_step.reason, timeline_step.note))
    for name, value in event.data.items():
        if name not in IN_WORDS:
            yield f"{name.replace('_', ' ').capitalize()}: {value}"
