"""Change country listings by two senior officers, and load those of a release.

DESIGN.md section 4, Countries.
"""

import csv
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q

from apps.platform.common.problems import Conflict
from apps.reference.countries.listings import clear_listings_cache
from apps.reference.countries.models import (
    CountryChange,
    CountryList,
    CountryListing,
    ListingRecord,
)
from apps.reference.countries.regions import is_region_code

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import QuerySet

SEED = Path(__file__).resolve().parent / "data" / "country_listings.csv"
# lists are published for the day, or for a day some months away: more is a mistyped year
FURTHEST_AHEAD = timedelta(days=365)


class Contradiction(Conflict):
    """The proposal contradicts what is listed or decided."""

    code, title = "country_listing_conflict", "This change of the country listing is not possible"


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
    """Propose to put a country on a list or take it off; Contradiction if that is not possible."""
    change = CountryChange(
        kind=kind,
        list=list,
        country=country.upper(),
        effective=effective,
        source=source,
        reason=reason,
    )
    check_change(change, today=now.date())
    contradiction = Contradiction("A change to this country on this list is already proposed.")
    change.propose(by=by, now=now, taken=contradiction)
    return change


@transaction.atomic
def approve_change(
    *, change: CountryChange, by: "User", now: datetime, note: str = ""
) -> CountryListing:
    """Put a proposal into force; Contradiction for the proposer, or if it is already decided."""
    # locks the proposal, so two approvals at once cannot both go on
    change.settle(approved=True, by=by, note=note, now=now, refused=Contradiction)
    # again: the listings may have changed since the proposal
    check_change(change, today=now.date())
    if change.kind == CountryChange.Kind.ADD:
        # a spell of that day that was withdrawn before it began is opened again
        listing, _ = CountryListing.objects.update_or_create(
            list=change.list,
            country=change.country,
            since=change.effective,
            defaults={
                "until": None,
                "ended_at": None,
                "source": change.source,
                "recorded_at": now,
            },
        )
    else:
        listing = CountryListing.objects.get(
            list=change.list, country=change.country, until__isnull=True
        )
        listing.until, listing.ended_at = change.effective, now
        # at most 300 characters each; the column has 620
        listing.source = f"{listing.source}; ended: {change.source}"
        listing.save(update_fields=["until", "ended_at", "source"])
    ListingRecord.of(listing, now=now, change=change)
    # after the commit, or this process could read the old state and keep it
    transaction.on_commit(clear_listings_cache)
    return listing


@transaction.atomic
def reject_change(*, change: CountryChange, by: "User", now: datetime, note: str) -> None:
    """Reject a proposal; Contradiction as for approving, and without a reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=Contradiction)


def check_change(change: CountryChange, *, today: date) -> None:
    """Raise Contradiction when a change does not fit what is listed, or lies too far ahead.

    A spell that has not begun `today` may be ended from its own first day: it then never holds.
    """
    if is_region_code(change.country) and change.list != CountryList.EMBARGO:
        raise Contradiction("Only a programme lists regions: this list has countries.")
    spells = CountryListing.objects.filter(list=change.list, country=change.country)
    if change.kind == CountryChange.Kind.END:
        _check_listing_end(change, spells, today)
        return
    _check_not_too_far(change, today)
    # a spell that was withdrawn before it began, `until` = `since`, never holds
    in_the_way = spells.exclude(until=F("since")).filter(
        Q(until__isnull=True) | Q(until__gt=change.effective)
    )
    spell = in_the_way.order_by("since").first()
    if spell is None:
        return
    if spell.since <= change.effective:
        raise Contradiction(f"{change.country} is on this list on {change.effective}.")
    raise Contradiction(
        f"{change.country} is on this list from {spell.since}, which the new spell would run "
        f"into{_withdrawal_hint(spell, today)}."
    )


def _check_listing_end(
    change: CountryChange, spells: "QuerySet[CountryListing]", today: date
) -> None:
    current = spells.filter(until__isnull=True).first()
    if current is None:
        last = spells.filter(until__gt=today).order_by("-until").first()
        text = f" from {last.until} on" if last else ""
        raise Contradiction(f"{change.country} is not on this list{text}.")
    # withdrawn before it begins: `until` = `since`
    if current.since > today and change.effective == current.since:
        return
    if change.effective <= current.since:
        raise Contradiction(
            f"{change.country} is on this list since {current.since}."
            if current.since <= today
            else f"{change.country} is on this list from {current.since}"
            f"{_withdrawal_hint(current, today)}."
        )
    _check_not_too_far(change, today)


def _check_not_too_far(change: CountryChange, today: date) -> None:
    if change.effective > today + FURTHEST_AHEAD:
        raise Contradiction(f"{change.effective} is more than a year ahead: check the year.")


def _withdrawal_hint(spell: CountryListing, today: date) -> str:
    if spell.since <= today or spell.until is not None:
        return ""
    return f": to withdraw that, take it off the list from {spell.since}"


# --- first content ------------------------------------------------------------------


def load_country_listings(*, now: datetime) -> int:
    """Add the listings that ship with this release and are not there yet; return how many.

    Spells that officers changed stay as they are: a spell is identified by list, country and start,
    and a country that already has an open spell on a list gets no second one.
    """
    added = 0
    with SEED.open(newline="", encoding="utf-8") as stream, transaction.atomic():
        country_listings = {
            (row.list, row.country, row.since): row for row in CountryListing.objects.all()
        }
        open_now = {
            (name, land) for (name, land, _), row in country_listings.items() if row.until is None
        }
        for row in csv.DictReader(stream):
            since = date.fromisoformat(row["from"])
            until = date.fromisoformat(row["until"]) if row["until"] else None
            key = (row["list"], row["country"])
            if (*key, since) in country_listings or (until is None and key in open_now):
                continue
            listing = CountryListing.objects.create(
                list=row["list"],
                country=row["country"],
                since=since,
                until=until,
                source=row["source"],
                recorded_at=now,
                ended_at=now if until else None,
            )
            ListingRecord.of(listing, now=now, change=None)
            added += 1
    clear_listings_cache()
    return added
