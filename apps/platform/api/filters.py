"""FilterSets of lists whose query was validated before: by a serializer, or by the desk's page."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.db.models import QuerySet
from django_filters import FilterSet
from rest_framework.request import Request


class QueryFilterSet(FilterSet):
    """Filters rows by values that are validated already.

    No form reads them again: that would cost a third of a call, and might refuse in silence what
    the request's serializer takes.
    """

    def __init__(
        self, data: Mapping[str, Any], queryset: QuerySet[Any], *, request: Request | None = None
    ) -> None:
        """Keep what is asked; only the filters that have a value are copied."""
        self.data, self.queryset = data, queryset
        self.request: Any = request

    @property
    def qs(self) -> QuerySet[Any]:
        """The rows that every filter with a value lets pass."""
        rows = self.queryset.all()
        for name in self.base_filters.keys() & self.data.keys():
            one = deepcopy(self.base_filters[name])
            one.parent = self
            rows = one.filter(rows, self.data[name])
        return rows
