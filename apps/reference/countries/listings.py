"""The country listings in force at a moment; read from the database every three seconds."""

import time
from datetime import date, datetime

from apps.reference.countries.models import CountryListing
from apps.reference.countries.rules import Listings, Spell, listings_in_force

# every screen needs the listings. An approved change takes effect in all processes after this time,
# and at once in the one that approved it
CACHED_SECONDS = 3.0
CachedSpells = tuple[tuple[Spell, ...], dict[date, Listings]]
_cached: list[tuple[float, CachedSpells]] = []


def listings_at(now: datetime, *, known_at: datetime | None = None) -> Listings:
    """Return the listings in force at `now`; read from the database every three seconds.

    `known_at` leaves out what was recorded later: with it an old screen replays as it was.
    """
    spells, by_day = _load_spells()
    day = now.date()
    # a replay of an old screen is rare, and every screen has another time: not kept
    if known_at is not None:
        return listings_in_force(spells, day, known_at)
    if day not in by_day:
        by_day[day] = listings_in_force(spells, day, None)
    return by_day[day]


def country_label(country: str, now: datetime) -> str:
    """Return a country's most severe label at `now`."""
    return listings_at(now).label(country)


def clear_listings_cache() -> None:
    """Drop this process's copy, so that the next call reads the database."""
    _cached.clear()


def _load_spells() -> CachedSpells:
    """Return the spells and the listings built from them, at most three seconds old."""
    now = time.monotonic()
    if _cached and now - _cached[0][0] < CACHED_SECONDS:
        return _cached[0][1]
    columns = ("list", "country", "since", "until", "recorded_at", "ended_at")
    spells = tuple(Spell(*row) for row in CountryListing.objects.values_list(*columns))
    _cached[:] = [(now, (spells, {}))]
    return _cached[0][1]
