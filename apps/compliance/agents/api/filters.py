"""Filters of agents' lists."""

from django_filters import IsoDateTimeFilter

from apps.platform.core.api.filters import QueryFilterSet


class RevocationFilter(QueryFilterSet):
    """Revocations from a moment on."""

    revoked_from = IsoDateTimeFilter("at", "gte")
