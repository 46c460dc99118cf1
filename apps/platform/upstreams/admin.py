"""The state of the upstreams: when each last answered, and which breaker is open."""

from django.contrib import admin

from apps.platform.common.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.upstreams.models import UpstreamState


@admin.register(UpstreamState)
class UpstreamStateAdmin(ReadOnlyAdmin):
    list_display = ("name", "answers", "failures", "last_ok_at", "last_error_at", "last_error")
    fields = (
        "name", "answers", "failures", "open_until", "last_ok_at", "last_error_at", "last_error",
    )  # fmt: skip
    ordering = ("name",)

    @admin.display(description="Called", boolean=True)
    def answers(self, state: UpstreamState) -> bool:
        """Whether calls go through: the breaker is closed."""
        return state.open_until is None or state.open_until <= now()
