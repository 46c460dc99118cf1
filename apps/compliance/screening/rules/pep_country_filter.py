"""How the country of a PEP screen filters matches, and how a report describes it. Pure.

DESIGN.md section 4, 2.6.
"""

from collections.abc import Collection
from typing import Literal

from apps.compliance.screening.rules.international_bodies import (
    EU,
    EU_MEMBERS,
    is_office_for_country,
)
from apps.compliance.screening.rules.offices import Office

# a person's relation to the requested country
CountryTie = Literal["ASKED_FOR_NONE", "OF_IT", "NOT_KNOWN", "ABOVE_STATES", "ELSEWHERE"]

EVERYWHERE = "No country was given: PEPs of every country were included."


def classify_country_tie(
    *, country: str, countries: Collection[str], offices: Collection[Office]
) -> CountryTie:
    """Return a person's relation to a country, or to `EU`.

    `countries` are the known ones of the person and their offices. Officials of the EU, the UN and
    other international bodies count for each state that the body covers.
    """
    code = country.upper()
    if not code:
        return "ASKED_FOR_NONE"
    # nobody is hidden for what a list leaves out
    if not countries:
        return "NOT_KNOWN"
    if code in countries:
        return "OF_IT"
    above = any(
        is_office_for_country(title=office.title, held_in=office.country.upper(), country=code)
        for office in offices
    )
    return "ABOVE_STATES" if above else "ELSEWHERE"


def describe_country_filter(*, country: str, left_out: int) -> str:
    """Describe whom the country filter included, and how many matches it excluded."""
    if not country:
        return EVERYWHERE
    code = country.upper()
    european = code == EU or code in EU_MEMBERS
    bodies = "the EU, the UN" if european else "the UN"
    text = "1 match" if left_out == 1 else f"{left_out} matches"
    return (
        f"Filtered by {code}: includes its PEPs, officials of {bodies} and other international "
        f"bodies, and PEPs without a known country; excludes {text} from other countries."
    )


def explain_inclusion(*, country: str, standing: CountryTie) -> str:
    """Explain why a person not known to be of the country is included; empty for all others."""
    reasons = {
        "NOT_KNOWN": f"Included for {country.upper()}: no country of this person is known.",
        "ABOVE_STATES": f"Included for {country.upper()} as an official of an international body.",
    }
    return reasons.get(standing, "")
