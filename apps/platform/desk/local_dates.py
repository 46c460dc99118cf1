"""Dates in the desk's time zone: periods of days are counted there, not in UTC."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings


def local_date(moment: datetime, *, zone: str = "") -> date:
    """Return a moment's date in a zone; by default in settings.DESK_TIME_ZONE."""
    return moment.astimezone(ZoneInfo(zone or settings.DESK_TIME_ZONE)).date()
