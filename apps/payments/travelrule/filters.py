"""Filters of travel-rule records."""

from datetime import datetime

from django.db.models import QuerySet
from django_filters import CharFilter, IsoDateTimeFilter, NumberFilter

from apps.payments.travelrule.models import TravelRecord
from apps.platform.api.filters import QueryFilterSet


class TravelRecordFilter(QueryFilterSet):
    """Records by when they were made, both ends inclusive, and by status."""

    from_ = IsoDateTimeFilter("created_at", "gte")
    to = IsoDateTimeFilter(method="made_until")
    status = CharFilter("status")

    def made_until(
        self, rows: QuerySet[TravelRecord], name: str, value: datetime
    ) -> QuerySet[TravelRecord]:
        """Return records until the end of a second: the query is in whole ones."""
        return rows.filter(created_at__lte=value.replace(microsecond=999_999))


class DeskTravelRecordFilter(TravelRecordFilter):
    """Records of the desk: by institution, direction, and why the rule applies or not."""

    owner = CharFilter("owner")
    direction = CharFilter("direction")
    reason = CharFilter("reason")
    least = NumberFilter("amount_usd", "gte")
    most = NumberFilter("amount_usd", "lte")
