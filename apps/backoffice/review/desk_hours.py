"""When the desk is open, from the settings."""

from collections.abc import Container, Iterable
from datetime import date
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from holidays import country_holidays

from apps.backoffice.review.rules.hours import WorkingHours


def load_working_hours() -> WorkingHours:
    """Return when the desk is open: weekdays 8 to 18 in settings.DESK_TIME_ZONE (UTC).

    The desk is closed on the public holidays of settings.DESK_HOLIDAYS_COUNTRY (`CH`, `CH-ZH`;
    empty: none are known) and on settings.DESK_HOLIDAYS, ISO dates. ImproperlyConfigured for an
    invalid zone, country or date.
    """
    dates = tuple(settings.DESK_HOLIDAYS)
    return _build_working_hours(settings.DESK_TIME_ZONE, settings.DESK_HOLIDAYS_COUNTRY, dates)


@lru_cache(maxsize=4)
def _build_working_hours(zone: str, country: str, closed: Iterable[str]) -> WorkingHours:
    try:
        zone_info = ZoneInfo(zone)
    except (LookupError, ValueError, OSError):
        raise ImproperlyConfigured(
            f"DESK_TIME_ZONE is {zone!r}: write a name such as Europe/Zurich."
        ) from None
    try:
        days = frozenset(date.fromisoformat(day) for day in closed)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"DESK_HOLIDAYS: {error}; write dates as 2026-12-25, separated by commas."
        ) from None
    return WorkingHours(zone=zone_info, holidays=days, public=_load_public_holidays(country))


def _load_public_holidays(country: str) -> Container[date]:
    """Return the public holidays of a country or of a part of it."""
    code, _, part = country.upper().partition("-")
    if not code:
        return frozenset()
    try:
        # computes each year as it is asked for: no year has to be configured
        return country_holidays(code, subdiv=part or None)
    except NotImplementedError:
        raise ImproperlyConfigured(
            f"DESK_HOLIDAYS_COUNTRY is {country!r}: write an ISO code such as CH or CH-ZH."
        ) from None
