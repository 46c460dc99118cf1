"""Observations to read: what was seen for a series and when."""

from django.contrib import admin

from apps.desk.pages import ReadOnly
from apps.signals.models import Observation
from apps.signals.series import row_of


@admin.register(Observation)
class ObservationAdmin(ReadOnly):
    """The newest vintage of a day stands first; the others are its history."""

    list_display = ("series", "observed_on", "value", "unit", "source", "vintage")
    list_filter = ("source",)
    search_fields = ("=series",)
    search_help_text = "The whole series, such as fx.eur.USD"
    show_full_result_count = False
    list_per_page = 50
    fields = (*list_display, "title", "licence", "fetched_at")

    @admin.display(description="Unit")
    def unit(self, one: Observation) -> str:
        """Say what a value counts."""
        row = row_of(one.series)
        return row.unit_of(one.series) if row else ""

    @admin.display(description="Title")
    def title(self, one: Observation) -> str:
        """Say what the series is."""
        row = row_of(one.series)
        return row.title if row else ""

    @admin.display(description="Licence")
    def licence(self, one: Observation) -> str:
        """Say on what terms its publisher gives it; the sample has terms of its own."""
        row = row_of(one.series)
        return row.licence if row and one.source == row.source else ""
