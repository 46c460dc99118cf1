"""Changes of country listings that wait for another senior officer, in words."""

from datetime import date, datetime
from typing import TYPE_CHECKING

import pycountry
from django.urls import reverse

from apps.countries.listings import listings_at
from apps.countries.models import CountryChange, CountryList
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# What a listing does to a screen whose payment comes from or goes to a country, and its risk:
# told here, decided by the rules of screens, and a test holds the two together
DOES = {
    "FATF_CALL_FOR_ACTION": ("blocked", 100),
    "FATF_INCREASED_MONITORING": ("flagged", 60),
    "EU_HIGH_RISK": ("flagged", 50),
    "EMBARGO": ("flagged", 60),
}


def changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("countries.decide_countrychange"):
        return None
    return pending(CountryChange.objects.all(), user, waiting)


def waiting(change: CountryChange) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    title = f"{change.get_kind_display()} {change.get_list_display()}: {named(change.country)}"
    return Waiting(
        kind="Country change",
        title=title,
        changes=(*turns(change), ("Source", "", change.source)),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=reverse("admin:countries_countrychange_change", args=[change.pk]),
    )


def named(code: str) -> str:
    """Return a country or region by its code in words: `Nigeria (NG)`."""
    found = pycountry.countries.get(alpha_2=code) or pycountry.subdivisions.get(code=code)
    return f"{found.name} ({code})" if found else code


def turns(change: CountryChange) -> tuple[tuple[str, str, str], ...]:
    """Return what a change turns, as (what, was, becomes)."""
    day = _day(change.effective)
    on, off = "on the list", "not on the list"
    was, becomes = (off, on) if change.kind == CountryChange.Kind.ADD else (on, off)
    return (
        (f"{named(change.country)}, {change.get_list_display()}", was, f"{becomes} from {day}"),
    )


def means(change: CountryChange, now: datetime) -> tuple[str, ...]:
    """Return what follows from a change for screens, in sentences; once decided, what did."""
    if change.state != CountryChange.State.PROPOSED:
        return _follows(change)
    return (*_follows(change), _beside(change, now))


def _beside(change: CountryChange, now: datetime) -> str:
    """Say on which other lists the country stands now."""
    listed = listings_at(now).by_country.get(change.country, frozenset()) - {change.list}
    names = [CountryList(name).label for name in CountryList.values if name in listed]
    if names:
        return f"It is on {' and on '.join(names)} as well: what follows from that stays."
    return "It is on no other list now."


def _follows(change: CountryChange) -> tuple[str, ...]:
    done, risk = DOES[change.list]
    begins = f"Screens of payments from or to it are {done}, with a risk of at least {risk}"
    held = "Screens that were answered before stay as they are."
    if change.kind == CountryChange.Kind.ADD:
        return (f"{begins}, from {_day(change.effective)} on.", held)
    ends = f"For this list, screens of payments from or to it are no longer {done}"
    return (f"{ends} from {_day(change.effective)} on.", held)


def _day(day: date) -> str:
    return f"{day:%d %b %Y}"
