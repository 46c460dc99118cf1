"""The country at the end of a postal address that a caller tells. Pure.

DESIGN.md section 4, Countries. Regions under a comprehensive programme of their own: Crimea with
Sevastopol (E.O. 13685 of 2014-12-19), the so-called republics of Donetsk and Luhansk (E.O. 14065
of 2022-02-21), whichever state the address gives behind them.
"""

import re
import unicodedata
from dataclasses import dataclass

from apps.countries.rules import EMBARGO, Listings
from apps.screening.rules.owners import gravest
from apps.watchlists.sources.countries import alpha2

REGIONS = {
    "crimea": "Crimea",
    "krym": "Crimea",
    "sevastopol": "Crimea",
    "sebastopol": "Crimea",
    "крым": "Crimea",
    "севастополь": "Crimea",
    "donetsk people s republic": "Donetsk",
    "donetsk peoples republic": "Donetsk",
    "luhansk people s republic": "Luhansk",
    "luhansk peoples republic": "Luhansk",
    "lugansk people s republic": "Luhansk",
    "lugansk peoples republic": "Luhansk",
}
# names of countries under a programme in other languages than that of the lists
NAMES = {
    "coree du nord": "KP",
    "corea del nord": "KP",
    "corea del norte": "KP",
    "kuba": "CU",
    "nordkorea": "KP",
    "иран": "IR",
    "куба": "CU",
    "северная корея": "KP",
    "ايران": "IR",
    "ایران": "IR",
}
REGION_STATES = frozenset({"", "RU", "UA"})  # those that an address gives behind a region
# codes of states that stand before a postal code: `New Orleans, LA 70112`
_EAST = "CT DC DE FL GA MA MD ME NC NH NJ NY PA RI SC VA VT WV"
_WEST = "AK AL AR AZ CA CO HI IA ID IL IN KS KY LA MI MN MO MS MT ND NE NM NV OH OK OR SD TN TX UT"
STATES = frozenset(f"{_EAST} {_WEST} WA WI WY".split())
BOX = frozenset({"p", "o", "po", "pob", "box", "bp"})
MOST_WORDS = 8  # the longest name of a country: Democratic People's Republic of Korea has six
SHORT = 3  # a code of two or three letters stands alone; within words it is a word

_PARTS = re.compile(r"[,;|\n\r]+")
_SEPARATORS = re.compile(r"[\W_]+")
_ZIP = re.compile(r"\d{5}(-\d{4})?")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address is: an ISO 3166-1 code, "" if it names none, and an embargoed region."""

    country: str = ""
    region: str = ""

    @property
    def said(self) -> str:
        """Name it in a sentence, empty where the address names no place."""
        if self.region:
            return f"address region {self.region}"
        return f"address country {self.country}" if self.country else ""

    def standing(self, listings: Listings) -> str:
        """Return what it is judged by: the gravest of its country and its region."""
        country = listings.standing(self.country)
        return gravest([country, EMBARGO]) if self.region else country


def place_of(address: str) -> Place:
    """Return the place at the end of an address; numbers and boxes behind it are no place."""
    parts = [part for part in map(str.strip, _PARTS.split(address)) if part]
    country, used = _country(parts)
    region = ""
    if country in REGION_STATES:
        before = parts[: len(parts) - used] if used else parts
        region = next((one for one in map(_region, reversed([*before, *parts])) if one), "")
    return Place(country, region)


def _country(parts: list[str]) -> tuple[str, int]:
    """Return the country at the end of some parts, and how many of them it took."""
    for back in range(1, len(parts) + 1):
        last = parts[-back]
        found = _of_two(parts, back) or _ending(last)
        if found:
            return found, back
        if not _is_number(last):
            break
    return "", 0


def _of_two(parts: list[str], back: int) -> str:
    """Read `Iran, Islamic Republic of`, a name that has a comma itself."""
    pair = parts[-back - 1 : len(parts) - back + 1]
    return _code(", ".join(pair)) if len(pair) > 1 else ""


def _is_number(part: str) -> bool:
    """Tell whether a part is a postal code or a box, behind which the country may stand before."""
    return all(any(char.isdigit() for char in word) or word in BOX for word in _words(part))


def _ending(part: str) -> str:
    words = part.split()
    plain = [word for word in words if not any(char.isdigit() for char in word)]
    zipped = len(plain) < len(words) and _ZIP.fullmatch(words[-1])
    if zipped and plain and plain[-1].upper() in STATES:
        return "US"
    whole = _code(" ".join(plain))
    if whole:
        return whole
    tail = _words(" ".join(plain))[-MOST_WORDS:]
    endings = (" ".join(tail[start:]) for start in range(len(tail)))
    return next((code for one in endings if len(one) > SHORT and (code := _code(one))), "")


def _code(name: str) -> str:
    return alpha2(name) or NAMES.get(" ".join(_words(name)), "")


def _region(part: str) -> str:
    words = [word for word in _words(part) if not any(char.isdigit() for char in word)]
    endings = (" ".join(words[start:]) for start in range(len(words)))
    return next((REGIONS[one] for one in endings if one in REGIONS), "")


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
    return [word for word in _SEPARATORS.split(plain) if word]
