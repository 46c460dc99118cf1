"""The country at the end of a postal address that a caller tells. Pure.

DESIGN.md section 4, Countries. A region that a programme lists by itself (Crimea, the so-called
republics of Donetsk and Luhansk) is told whichever state the address gives behind it; a code or
name of a state that is also a country's (`LA`, `Georgia`) is read by what stands around it.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from apps.countries.regions import may_be_in, name_of, region_of
from apps.countries.rules import EMBARGO, Listings
from apps.countries.states import state_of
from apps.screening.rules.owners import gravest
from apps.watchlists.sources.countries import alpha2

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
BOX = frozenset({"p", "o", "po", "pob", "box", "bp"})
MOST_WORDS = 8  # the longest name of a country: Democratic People's Republic of Korea has six
SHORT = 3  # a code of two or three letters stands alone; within words it is a word

_PARTS = re.compile(r"[,;|\n\r]+")
_SEPARATORS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address is: an ISO 3166-1 code, "" if it names none, and a listed region's code."""

    country: str = ""
    region: str = ""

    @property
    def said(self) -> str:
        """Name it in a sentence, empty where the address names no place."""
        if self.region:
            return f"address region {name_of(self.region)}"
        return f"address country {self.country}" if self.country else ""

    def standing(self, listings: Listings) -> str:
        """Return what it is judged by: the gravest of its country and its region."""
        country = listings.standing(self.country)
        return gravest([country, EMBARGO]) if listings.embargoed(self.region) else country


def place_of(address: str, *, regions: Collection[str]) -> Place:
    """Return the place at the end of an address; numbers and boxes behind it are no place.

    Of regions only those that are listed are told.
    """
    parts = [part for part in map(str.strip, _PARTS.split(address)) if part]
    country, used = _country(parts)
    before = parts[: len(parts) - used] if used else parts
    found = (region_of(part, listed=regions) for part in reversed([*before, *parts]))
    region = next((one for one in found if one and may_be_in(one, country)), "")
    return Place(country, region)


def _country(parts: list[str]) -> tuple[str, int]:
    """Return the country at the end of some parts, and how many of them it took."""
    for back in range(1, len(parts) + 1):
        last = parts[-back]
        found = _of_two(parts, back) or _state(parts, back) or _ending(last)
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


def _state(parts: list[str], back: int) -> str:
    """Return the country of the state that a part ends with, where the address says it is one."""
    words = parts[-back].split()
    behind = [*words, *parts[len(parts) - back + 1 :]]
    while words and any(char.isdigit() for char in words[-1]):
        words.pop()
    if not words:
        return ""
    elsewhere = (_code(part) for part in parts[: len(parts) - back])
    return state_of(
        words[-1],
        before=" ".join(words[:-1]) or "".join(parts[-back - 1 : len(parts) - back]),
        behind=" ".join(behind[len(words) :]),
        named=next((one for one in elsewhere if one), ""),
    )


def _ending(part: str) -> str:
    plain = [word for word in part.split() if not any(char.isdigit() for char in word)]
    whole = _code(" ".join(plain))
    if whole:
        return whole
    tail = _words(" ".join(plain))[-MOST_WORDS:]
    endings = (" ".join(tail[start:]) for start in range(len(tail)))
    return next((code for one in endings if len(one) > SHORT and (code := _code(one))), "")


def _code(name: str) -> str:
    return alpha2(name) or NAMES.get(" ".join(_words(name)), "")


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
    return [word for word in _SEPARATORS.split(plain) if word]
