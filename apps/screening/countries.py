"""Which countries are listed when, and how the listings change.

DESIGN.md section 4, Countries: a screen is judged by the lists in force at its time; a country
on several lists bears the gravest label; two senior officers change the listings.
"""

import csv
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Q

from apps.core.problems import Conflict
from apps.screening.models.countries import CountryChange, CountryList, CountryListing

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SEED = Path(__file__).resolve().parent / "data" / "country_listings.csv"
CACHED_SECONDS = 3.0

STANDARD, NOT_PROVIDED = "STANDARD", "NOT_PROVIDED"
# gravest first; DESIGN.md section 4, Countries
LABELS: Mapping[str, str] = {
    CountryList.CALL_FOR_ACTION: "CALL_FOR_ACTION",
    CountryList.INCREASED_MONITORING: "INCREASED_MONITORING",
    CountryList.EU_HIGH_RISK: "EU_HIGH_RISK",
}


@dataclass(frozen=True, slots=True)
class Spell:
    """One listing as the judgement needs it; `until` is the first day off the list."""

    list: str
    country: str
    since: date
    until: date | None
    recorded_at: datetime
    ended_at: datetime | None

    def holds(self, day: date, known_at: datetime | None) -> bool:
        """Tell whether it was in force on `day`, as far as was known at `known_at`."""
        if day < self.since or (known_at is not None and self.recorded_at > known_at):
            return False
        end_known = known_at is None or (self.ended_at is not None and self.ended_at <= known_at)
        return self.until is None or not end_known or day < self.until


@dataclass(frozen=True, slots=True)
class Listings:
    """The listings in force on one day: country to its lists."""

    day: date
    by_country: Mapping[str, frozenset[str]]

    def label(self, country: str) -> str:
        """Return the gravest label of an ISO 3166-1 alpha-2 code; NOT_PROVIDED for none."""
        if not country:
            return NOT_PROVIDED
        lists = self.by_country.get(country.upper(), frozenset())
        return next((label for name, label in LABELS.items() if name in lists), STANDARD)


class Contradiction(Conflict):
    """The proposal contradicts what is listed or decided."""

    code, title = "country_listing_conflict", "The country listing cannot be changed so"


Held = tuple[tuple[Spell, ...], dict[date, Listings]]
_cached: list[tuple[float, Held]] = []


def listings_at(now: datetime, *, known_at: datetime | None = None) -> Listings:
    """Return the listings in force at `now`; read from the database every three seconds.

    `known_at` leaves out what was recorded later: with it an old screen replays as it was.
    """
    spells, by_day = _held()
    day = now.date()
    if known_at is not None:
        return _in_force(spells, day, known_at)
    if day not in by_day:
        by_day[day] = _in_force(spells, day, None)
    return by_day[day]


def _in_force(spells: tuple[Spell, ...], day: date, known_at: datetime | None) -> Listings:
    found: dict[str, set[str]] = {}
    for spell in spells:
        if spell.holds(day, known_at):
            found.setdefault(spell.country, set()).add(spell.list)
    return Listings(day, {country: frozenset(lists) for country, lists in found.items()})


def label(country: str, now: datetime) -> str:
    """Return the gravest label that a country bears at `now`."""
    return listings_at(now).label(country)


def forget() -> None:
    """Drop this process's copy, so that the next question reads the database."""
    _cached.clear()


def _held() -> Held:
    """Return the spells and what was made of them, at most three seconds old."""
    now = time.monotonic()
    if _cached and now - _cached[0][0] < CACHED_SECONDS:
        return _cached[0][1]
    columns = ("list", "country", "since", "until", "recorded_at", "ended_at")
    spells = tuple(Spell(*row) for row in CountryListing.objects.values_list(*columns))
    _cached[:] = [(now, (spells, {}))]
    return _cached[0][1]


# --- changes ------------------------------------------------------------------------


def propose_change(
    *,
    by: "User",
    kind: str,
    list: str,
    country: str,
    effective: date,
    source: str,
    reason: str = "",
    now: datetime,
) -> CountryChange:
    """Propose that a country goes on or off a list; Contradiction when that cannot be."""
    change = CountryChange(
        kind=kind,
        list=list,
        country=country.upper(),
        effective=effective,
        source=source,
        reason=reason,
        proposed_by=by,
        proposed_at=now,
    )
    check_change(change)
    try:
        with transaction.atomic():
            change.save()
    except IntegrityError as error:
        raise Contradiction("A change of this country on this list is proposed already.") from error
    return change


@transaction.atomic
def approve_change(*, change: CountryChange, by: "User", now: datetime) -> CountryListing:
    """Put a proposal into force; Contradiction for the proposer, or when it is decided."""
    _decide(change, CountryChange.State.APPROVED, by, now, "")
    check_change(change)
    if change.kind == CountryChange.Kind.ADD:
        listing = CountryListing.objects.create(
            list=change.list,
            country=change.country,
            since=change.effective,
            source=change.source,
            recorded_at=now,
        )
    else:
        listing = CountryListing.objects.get(
            list=change.list, country=change.country, until__isnull=True
        )
        listing.until, listing.ended_at = change.effective, now
        listing.source = f"{listing.source}; ended: {change.source}"[:300]
        listing.save(update_fields=["until", "ended_at", "source"])
    transaction.on_commit(forget)
    return listing


def reject_change(*, change: CountryChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason; Contradiction as for approving."""
    _decide(change, CountryChange.State.REJECTED, by, now, note)


def _decide(change: CountryChange, state: str, by: "User", now: datetime, note: str) -> None:
    if change.proposed_by_id == by.pk:
        raise Contradiction("Another officer than the proposer must decide.")
    won = CountryChange.objects.filter(pk=change.pk, state=CountryChange.State.PROPOSED).update(
        state=state, decided_by=by, decided_at=now, note=note
    )
    if not won:
        raise Contradiction("This proposal is decided already.")
    change.refresh_from_db()


def check_change(change: CountryChange) -> None:
    """Raise Contradiction when a change does not fit what is listed."""
    spells = CountryListing.objects.filter(list=change.list, country=change.country)
    if change.kind == CountryChange.Kind.END:
        current = spells.filter(until__isnull=True).first()
        if current is None:
            raise Contradiction(f"{change.country} is not on this list.")
        if change.effective <= current.since:
            raise Contradiction(f"{change.country} is on this list since {current.since}.")
        return
    if spells.filter(Q(until__isnull=True) | Q(until__gt=change.effective)).exists():
        raise Contradiction(f"{change.country} is on this list on {change.effective}.")


# --- first content ------------------------------------------------------------------


def load_country_listings(*, now: datetime) -> int:
    """Add the listings that ship with this release and are not there yet; return how many.

    Spells that officers changed stay as they are: a spell is known by list, country and start,
    and a country whose listing has begun otherwise gets no second open spell.
    """
    added = 0
    with SEED.open(newline="", encoding="utf-8") as stream, transaction.atomic():
        held = {(row.list, row.country, row.since): row for row in CountryListing.objects.all()}
        open_now = {(name, land) for (name, land, _), row in held.items() if row.until is None}
        for row in csv.DictReader(stream):
            since = date.fromisoformat(row["from"])
            until = date.fromisoformat(row["until"]) if row["until"] else None
            key = (row["list"], row["country"])
            if (*key, since) in held or (until is None and key in open_now):
                continue
            CountryListing.objects.create(
                list=row["list"],
                country=row["country"],
                since=since,
                until=until,
                source=row["source"],
                recorded_at=now,
                ended_at=now if until else None,
            )
            added += 1
    forget()
    return added
