"""Kinds of cases: what officers decide on, and whom the decision concerns.

`review` knows no domain. A kind names the function that is called, inside the decision's
transaction, when a case of it has been decided: `decided(*, ref, outcome, now) -> None`. It is
told the outcome and nothing of what officers wrote: reasons and notes never leave the desk.
`picture(evidence) -> dict` turns the domain's evidence into what the case page draws
(apps/review/evidence.py has the shapes).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.review.rules_hours import Hours


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of case, with dotted paths; empty where there is nothing to call."""

    title: str
    decided: str = ""
    picture: str = ""


KINDS: dict[str, Kind] = {
    "screen": Kind(title="Flagged screen", picture="apps.screening.picture.picture"),
}


def working_hours() -> Hours:
    """Return when the desk is open: weekdays 8 to 18 in settings.DESK_TIME_ZONE (UTC).

    settings.DESK_HOLIDAYS are ISO dates on which nobody works. ImproperlyConfigured for a zone
    or a date that is none.
    """
    return _hours(settings.DESK_TIME_ZONE, tuple(settings.DESK_HOLIDAYS))


@lru_cache(maxsize=4)
def _hours(zone: str, holidays: Iterable[str]) -> Hours:
    try:
        found = ZoneInfo(zone)
    except (LookupError, ValueError, OSError):
        raise ImproperlyConfigured(
            f"DESK_TIME_ZONE is {zone!r}: write a name such as Europe/Zurich."
        ) from None
    try:
        days = frozenset(date.fromisoformat(day) for day in holidays)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"DESK_HOLIDAYS: {error}; write dates as 2026-12-25, separated by commas."
        ) from None
    return Hours(zone=found, holidays=days)
