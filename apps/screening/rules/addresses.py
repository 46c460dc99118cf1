"""The country at the end of a postal address that a caller tells. Pure.

DESIGN.md section 4, Countries. A region that a programme lists by itself (Crimea, the so-called
republics of Donetsk and Luhansk) is told whichever state the address gives behind it; a code or
name of a state that is also a country's (`LA`, `Georgia`) is read by what stands around it.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache

import pycountry
from rigour.territories import lookup_territory

from apps.countries.regions import may_be_in, name_of, region_of
from apps.countries.rules import EMBARGO, Listings
from apps.countries.states import state_of
from apps.screening.rules.owners import gravest
from apps.screening.rules.towns import towns
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
SHORT = 3  # a code of two or three letters; within words it is a word unless it is in capitals
POSTCODE_OF_ITALY = re.compile(r"\d{5}")  # stands before the town, whose province is behind it

MOST_LETTERS = 10  # of a country where names are written without a space, the larger place first

_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")  # kana, Han, Hangul
_PARTS = re.compile(r"[,;|\n\r،、，；]+")
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

    def embargoed(self, listings: Listings) -> bool:
        """Tell whether a comprehensive programme is in force against its country or region."""
        return listings.embargoed(self.country) or listings.embargoed(self.region)

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
    return _first(parts), 0


def _first(parts: list[str]) -> str:
    """Return the country that an address begins with, as some write it: `Iran, Teheran, ...`."""
    begins = " ".join(_words(parts[0])) if len(parts) > 1 else ""
    if begins and not _is_code(begins) and (found := _code(begins) or _territory(begins)):
        return found
    text = parts[0] if parts and _EASTERN.match(parts[0]) else ""
    starts = (text[:length] for length in range(MOST_LETTERS, 1, -1))
    return next((found for one in starts if (found := _place(one))), "")


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
    """Return the country whose name, code or chief town one part of an address ends with."""
    plain = [word for word in part.split() if not any(char.isdigit() for char in word)]
    whole = _code(" ".join(plain)) or _place(" ".join(plain)) or _place(_behind_number(part))
    if whole:
        return whole
    if code := _code_behind(part, plain):
        return code
    tail = _words(" ".join(plain))[-MOST_WORDS:]
    endings = (" ".join(tail[start:]) for start in range(len(tail)))
    return next((code for one in endings if len(one) > SHORT and (code := _code(one))), "")


def _code_behind(part: str, plain: list[str]) -> str:
    """Return the country whose code stands behind a town: `15875 Tehran IR`, `Georgia (US)`.

    In capitals any code counts, in small letters only behind a place of that country. Behind a
    postal code of Italy and a town it may be the province: `24121 Bergamo BG`.
    """
    written = "".join(filter(str.isalpha, plain[-1])) if len(plain) > 1 else ""
    code = _code(written) if _is_code(written) else ""
    if not code:
        return ""
    town = plain[:-1]
    here = any(_place(" ".join(town[start:])) == code for start in range(len(town)))
    if here or not written.isupper():
        return code if here else ""
    number = POSTCODE_OF_ITALY.match(part)
    return "IT" if number and written in _provinces() else code


def _is_code(word: str) -> bool:
    return word.isascii() and len(word) <= SHORT


@cache
def _provinces() -> frozenset[str]:
    """Return the codes that addresses in Italy give behind a town."""
    rows = pycountry.subdivisions.get(country_code="IT")
    return frozenset(one.code.partition("-")[2] for one in rows)


def _behind_number(part: str) -> str:
    """Return what stands behind the number of a house or the code of a town."""
    words = part.split()
    last = max((at for at, one in enumerate(words) if any(map(str.isdigit, one))), default=-1)
    return " ".join(words[last + 1 :])


def _place(name: str) -> str:
    """Return the country that is called so in any language, or whose chief town is."""
    key = " ".join(_words(name))
    return _by_town().get(key, "") or _territory(key)


@cache
def _by_town() -> dict[str, str]:
    return {" ".join(_words(name)): country for name, country in towns().items()}


@lru_cache(maxsize=4096)
def _territory(name: str) -> str:
    """Return the state of a name in the gazetteer; its regions are told by themselves."""
    found = None if not name or _is_code(name) else lookup_territory(name)
    code = found.code.upper() if found else ""
    return code if len(code) == len("XX") else ""


def _code(name: str) -> str:
    return alpha2(name) or NAMES.get(" ".join(_words(name)), "")


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
    return [word for word in _SEPARATORS.split(plain) if word]
