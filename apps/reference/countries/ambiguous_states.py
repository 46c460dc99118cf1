"""States that are written like countries: `LA` is Louisiana and Laos, `Georgia` both. Pure.

The state is meant if the address says so by its town, its postal code or a country that it names;
a code by itself is the country's.
"""

import re
from functools import cache, lru_cache

import pycountry
import zipcodes

from apps.reference.names.words.territories import territory_code

FEDERAL = ("US", "CA", "AU")  # people there write the state where others write the country
_LONGEST_TOWN = 5  # words
_POSTAL = {
    "CA": re.compile(r"[A-Z]\d[A-Z]\s?\d[A-Z]\d(?!\w)", re.IGNORECASE),
    "AU": re.compile(r"\d{4}(?![\w-])"),
}
_ZIP = re.compile(r"(\d{3})\d{2}(-\d{4})?(?![\w-])")
_WORD = re.compile(r"[^\W_]+")
_WRITTEN_OUT = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}


def find_state_country(word: str, *, before: str, behind: str, named: str) -> str:
    """Return the country, US, CA or AU, of which a word of an address is a state; else "".

    `before` and `behind` are the text on both sides of it, `named` a country that the address names
    elsewhere. A place of the country with that code before it says that the country is meant.
    """
    where = _territories_ending_text(before)
    # `Vientiane, LA` is in Laos, `Baton Rouge, LA` in Louisiana
    if word.upper() in where:
        return ""
    for country, state in _states_by_key().get(_normalized_key(word), ()):
        # any one of four: the country that the address names, the state's own name before it, a
        # postal code of the state behind it, or one of its towns before it
        is_state = (
            country == named
            or f"{country}-{state}" in where
            or _is_postal_code_of(country, state, behind.strip())
            or (
                country == "US"
                and any(
                    trailing_phrase in _towns_of_state(state)
                    for trailing_phrase in _trailing_phrases(before)
                )
            )
        )
        if is_state:
            return country
    return ""


@cache
def _states_by_key() -> dict[str, list[tuple[str, str]]]:
    """Return country and code of each state by its code and its name; islands are countries."""
    states_by_key: dict[str, list[tuple[str, str]]] = {}
    for country in FEDERAL:
        for subdivision in pycountry.subdivisions.get(country_code=country):
            # Puerto Rico, Guam and the like have country codes of their own
            if subdivision.type != "Outlying area":
                state = subdivision.code.partition("-")[2]
                for written in (state, subdivision.name):
                    states_by_key.setdefault(_normalized_key(written), []).append((country, state))
    return states_by_key


@lru_cache(maxsize=1024)
def _territories_ending_text(text: str) -> frozenset[str]:
    """Return the codes of countries and regions whose name, or chief town, a text ends with."""
    codes = {
        territory_code(trailing_phrase)
        for trailing_phrase in _trailing_phrases(text)
        # two letters would be read as a code, which is what is in question
        if len(trailing_phrase) > len("xx")
    } - {""}
    return frozenset(codes | {code[:2] for code in codes if code[:2] not in FEDERAL})


def _is_postal_code_of(country: str, state: str, behind: str) -> bool:
    if country != "US":
        return _POSTAL[country].match(behind) is not None
    number = _ZIP.match(behind)
    return number is not None and number[1] in _zip_areas_of_state(state)


@cache
def _towns_of_state(state: str) -> frozenset[str]:
    """Return the towns of a state of the US that have a post office."""
    rows = zipcodes.filter_by(state=state)
    return frozenset(
        _normalized_key(name) for row in rows for name in (row["city"], *row["acceptable_cities"])
    )


@cache
def _zip_areas_of_state(state: str) -> frozenset[str]:
    """Return the first three digits of the postal codes of a state of the US."""
    return frozenset(row["zip_code"][:3] for row in zipcodes.filter_by(state=state))


def _trailing_phrases(text: str) -> list[str]:
    words = _normalized_key(text).split()[-_LONGEST_TOWN:]
    return [" ".join(words[start:]) for start in range(len(words))]


def _normalized_key(text: str) -> str:
    return " ".join(_WRITTEN_OUT.get(word, word) for word in _WORD.findall(text.casefold()))
