"""The ledger of decisions, for examiners."""

from django.contrib import admin

from apps.desk.pages import ReadOnly
from apps.review.models import DecisionEvent


@admin.register(DecisionEvent)
class DecisionEventAdmin(ReadOnly):
    """The ledger of decisions, for examiners."""

    list_display = ("recorded_at", "case", "action", "outcome", "by")
    fields = ("recorded_at", "case", "action", "outcome", "by", "payload", "salt")
    list_filter = ("action", "outcome")
    list_select_related = ("case", "by")
    ordering = ("-pk",)
    show_full_result_count = False
