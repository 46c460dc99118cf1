"""Filters of agents' lists."""

from django_filters import IsoDateTimeFilter

from apps.platform.api.filters import QueryFilterSet


class RevocationFilter(QueryFilterSet):
    """Revocations since a given time."""

    revoked_from = IsoDateTimeFilter("at", "gte")
