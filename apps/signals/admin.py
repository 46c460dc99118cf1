"""Observations to read: what was seen for a series and when."""

from django.contrib import admin

from apps.core.desk import ReadOnly
from apps.signals.models import Observation


@admin.register(Observation)
class ObservationAdmin(ReadOnly):
    """The newest vintage of a day stands first; the others are its history."""

    list_display = ("series", "observed_on", "value", "source", "vintage")
    list_filter = ("source",)
    search_fields = ("=series",)
    search_help_text = "The whole series, such as fx.eur.USD"
    show_full_result_count = False
    list_per_page = 50
