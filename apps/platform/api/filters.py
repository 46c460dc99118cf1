"""FilterSets of lists whose query is already validated, by a serializer or by the desk's page."""

from typing import Any

from django.db.models import QuerySet
from django_filters import FilterSet


class QueryFilterSet(FilterSet):
    """Filter rows by values that are already validated.

    No form validates them again: that would take a third of a call's time, and might silently
    refuse what the request's serializer accepts.
    """

    @property
    def qs(self) -> QuerySet[Any]:
        """The rows that pass every filter with a value."""
        rows = self.queryset.all()
        for name in self.filters.keys() & self.data.keys():
            rows = self.filters[name].filter(rows, self.data[name])
        return rows
