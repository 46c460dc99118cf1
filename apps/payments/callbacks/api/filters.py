"""Filters of callbacks' lists."""

from django_filters import CharFilter

from apps.platform.api.filters import QueryFilterSet


class CallbackFilter(QueryFilterSet):
    """Callbacks by status."""

    state = CharFilter("state")


class DeskCallbackFilter(CallbackFilter):
    """Filter the desk's callbacks: of all clients, of one, or to one endpoint."""

    client = CharFilter("owner")
    endpoint = CharFilter("endpoint")
