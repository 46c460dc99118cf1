"""What the country of a PEP screen did: who stays, why, and how a report says it. Pure.

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

# how somebody stands to the country asked for
CountryTie = Literal["ASKED_FOR_NONE", "OF_IT", "NOT_KNOWN", "ABOVE_STATES", "ELSEWHERE"]

EVERYWHERE = "No country was given: office holders of every country counted."


def classify_country_tie(
    *, country: str, countries: Collection[str], offices: Collection[Office]
) -> CountryTie:
    """Tell how somebody stands to a country, or to `EU`.

    `countries` are those known of the person and his offices. Officials of the EU, the UN and
    other bodies above states stand above each state that they serve.
    """
    code = country.upper()
    if not code:
        return "ASKED_FOR_NONE"
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
    """Say in a sentence whom the country left in, and how many of those found it left out."""
    if not country:
        return EVERYWHERE
    code = country.upper()
    european = code == EU or code in EU_MEMBERS
    bodies = "the EU, the UN" if european else "the UN"
    text = "1 office holder" if left_out == 1 else f"{left_out} office holders"
    return (
        f"Narrowed to {code}: counted were its office holders, officials of {bodies} and other "
        f"bodies above states, and those of whom no country is known; {text} found of other "
        "countries left out."
    )


def explain_inclusion(*, country: str, standing: CountryTie) -> str:
    """Say why somebody stays who is not known to be of the country; empty where nothing is odd."""
    reasons = {
        "NOT_KNOWN": f"No country is known, so the narrowing to {country.upper()} excludes nobody.",
        "ABOVE_STATES": f"Counts for {country.upper()} as an official of a body above states.",
    }
    return reasons.get(standing, "")
