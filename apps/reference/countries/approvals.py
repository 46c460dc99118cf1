"""Changes of country listings that wait for another senior officer, in words."""

from datetime import date, datetime

import pycountry

from apps.platform.desk.proposal_admin import PendingProposals
from apps.reference.countries.listings import listings_at
from apps.reference.countries.models import CountryChange, CountryList

# the effect of a listing on a screen whose payment comes from or goes to a country, and its risk;
# the rules of screens decide it, and a test compares the two
SCREEN_EFFECTS = {
    "FATF_CALL_FOR_ACTION": ("blocked", 100),
    "FATF_INCREASED_MONITORING": ("flagged", 60),
    "EU_HIGH_RISK": ("flagged", 50),
    "EMBARGO": ("flagged", 60),
}


def format_country(code: str) -> str:
    """Return a country or region by its code in words: `Nigeria (NG)`."""
    place = pycountry.countries.get(alpha_2=code) or pycountry.subdivisions.get(code=code)
    return f"{place.name} ({code})" if place else code


def list_changed_values(change: CountryChange) -> tuple[tuple[str, str, str], ...]:
    """Return the effect of a change, as (what, was, becomes)."""
    day = _format_day(change.effective)
    on, off = "on the list", "not on the list"
    was, becomes = (off, on) if change.kind == CountryChange.Kind.ADD else (on, off)
    return (
        (
            f"{format_country(change.country)}, {change.get_list_display()}",
            was,
            f"{becomes} from {day}",
        ),
    )


def describe_consequences(change: CountryChange, now: datetime) -> tuple[str, ...]:
    """Describe in sentences what a change means for screens, or meant if it is decided."""
    if change.state != CountryChange.State.PROPOSED:
        return _describe_screen_effects(change)
    listed = listings_at(now).by_country.get(change.country, frozenset()) - {change.list}
    names = [CountryList(name).label for name in CountryList.values if name in listed]
    other_country_lists = (
        f"It is also on {' and on '.join(names)}, whose consequences remain."
        if names
        else "It is on no other list today."
    )
    return (*_describe_screen_effects(change), other_country_lists)


def _describe_screen_effects(change: CountryChange) -> tuple[str, ...]:
    done, risk = SCREEN_EFFECTS[change.list]
    begins = f"Screens of payments from or to it are {done}, with a risk of at least {risk}"
    text = "Earlier screens are not changed."
    if change.kind == CountryChange.Kind.ADD:
        return (f"{begins}, from {_format_day(change.effective)} on.", text)
    ends = f"For this list, screens of payments from or to it are no longer {done}"
    return (f"{ends} from {_format_day(change.effective)} on.", text)


def _format_day(day: date) -> str:
    return f"{day:%d %b %Y}"


PENDING = PendingProposals(
    CountryChange,
    kind="Country change",
    title=lambda change: (
        f"{change.get_kind_display()} {change.get_list_display()}: {format_country(change.country)}"
    ),
    changes=lambda change: (*list_changed_values(change), ("Source", "", change.source)),
)
