"""Locate a party by its address, nationality and name field. Pure.

DESIGN.md section 4, Countries. A region that a programme lists by itself (Crimea, the so-called
republics of Donetsk and Luhansk) counts whichever state the address gives after it; a code or
name of a state that is also a country's (`LA`, `Georgia`) is read by its context.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import pycountry

from apps.compliance.screening.rules.embargoed_country_towns import countries_by_town
from apps.compliance.screening.rules.owners import COUNTRY_RISKS, STANDINGS, worst_country_label
from apps.reference.countries.ambiguous_states import find_state_country
from apps.reference.countries.regions import can_lie_in_country, find_listed_region, region_name
from apps.reference.countries.rules import EMBARGO, Listings
from apps.reference.names.words.everyday_words import BUSINESS_WORDS
from apps.reference.names.words.territories import territory_code
from apps.reference.names.words.word_classes import KIND_WORDS
from apps.reference.names.words.word_splitting import split_plain_words
from apps.reference.watchlists.matching.country_name_variants import replace_country_names
from apps.reference.watchlists.matching.token_weights import is_business_term
from apps.reference.watchlists.sources.countries import parse_country_code

# names of countries under a programme in other languages than that of the lists
NAMES = {
    "coree du nord": "KP",
    "corea del nord": "KP",
    "corea del norte": "KP",
    "kuba": "CU",
    "nordkorea": "KP",
    "иран": "IR",
    "кндр": "KP",
    "북한": "KP",
    "조선민주주의인민공화국": "KP",
    "куба": "CU",
    "северная корея": "KP",
    "ايران": "IR",
    "ایران": "IR",
}
BOX = frozenset({"p", "o", "po", "pob", "box", "bp"})  # words of a post-office box
MOST_WORDS = 8  # the longest name of a country: Democratic People's Republic of Korea has six
SHORT = 3  # a code of two or three letters; within words it is a word unless it is in capitals
POSTCODE_OF_ITALY = re.compile(r"\d{5}")  # before the town, which its province follows

MOST_LETTERS = 10  # of a country where names are written without a space, the larger place first

EMBASSIES = ("embass", "embajad", "embaix", "ambasci", "ambassad", "botschaft", "consul", "konsul",
             "mission", "посольств", "консульств", "سفار")  # fmt: skip
EASTERN_EMBASSIES = ("大使馆", "大使館", "대사관", "领事馆", "領事館", "영사관")
_GRAVEST = frozenset({"CALL_FOR_ACTION", EMBARGO})  # of a country in a company's name
_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")  # kana, Han, Hangul
_PARTS = re.compile(r"[,;|\n\r،、，；]+")
_BEHIND_NAME = re.compile(r"(?<=\S)\s*[,;|\n\r(\[،、，；（]\s*")
_BRACKETS = re.compile(r"[()\[\]（）]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A place: an ISO 3166-1 code, "" if none is named, a listed region's code, what names it."""

    country: str = ""
    region: str = ""
    source: str = "address"

    @property
    def said(self) -> str:
        """Name it in a sentence, empty where no place is named."""
        if self.region:
            return f"{self.source} region {region_name(self.region)}"
        return f"{self.source} country {self.country}" if self.country else ""

    def embargoed(self, listings: Listings) -> bool:
        """Return whether a comprehensive programme is in force against its country or region."""
        return listings.embargoed(self.country) or listings.embargoed(self.region)

    def standing(self, listings: Listings) -> str:
        """Return what it is judged by: the gravest of its country and its region."""
        country = listings.standing(self.country)
        return (
            worst_country_label([country, EMBARGO]) if listings.embargoed(self.region) else country
        )


def highest_risk_place(*, name: str, address: str, nationality: str, listings: Listings) -> Place:
    """Return the place of a party with the most serious listing, else that of its address.

    The address gives the place at its end, and each country next to one of its towns; the name
    field the text after the name, and the end of a company's name; the nationality is a country.
    """
    places = [Place()]
    if address:
        places = [parse_place(address, regions=listings.regions)]
        places += (Place(country) for country in _countries_named_with_town(address))
    places.append(Place(nationality, source="nationality"))
    if match := _BEHIND_NAME.search(name):
        behind = _BRACKETS.sub(",", name[match.end() :])
        within = parse_place(behind, regions=listings.regions)
        places.append(replace(within, source="name field"))
    places.append(replace(_place_of_company_name(name, listings), source="name field"))
    listed = [place for place in places if place.standing(listings) in COUNTRY_RISKS]
    ranked = list(STANDINGS)
    return min(listed, key=lambda place: ranked.index(place.standing(listings)), default=places[0])


def _place_of_company_name(name: str, listings: Listings) -> Place:
    """Return the place under a programme or a call for action that a company's name ends with.

    `Tehran Steel Iran LLC` is there, in all likelihood. Before other words a country is what a
    company deals in (`Cuba Libre Bar`), a person may have a country's name (`Juan Cuba`), and that
    a country is otherwise listed means nothing for companies named after it (`Mombasa Coffee
    Kenya`). An embassy belongs to the country that it names, at any position.
    """
    # an embassy belongs to the country that it names, at any position
    words = replace_country_names(split_plain_words(name))
    if any(word.startswith(EMBASSIES) or word.endswith(EASTERN_EMBASSIES) for word in words):
        # every run of words that may be the name of a country
        runs = (
            " ".join(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, min(len(words), start + MOST_WORDS) + 1)
        )
        countries = {_country_code(run) or _leading_country([run]) for run in runs}
        gravest_country_named = next(
            (code for code in sorted(countries) if listings.standing(code) in _GRAVEST), ""
        )
        return Place(gravest_country_named)
    if not any(map(_names_business, words)):
        return Place()
    # legal forms after the country: `Tehran Steel Iran LLC`
    while words and words[-1] in KIND_WORDS:
        words.pop()
    tail = words[-MOST_WORDS:]
    endings = [" ".join(tail[start:]) for start in range(1, len(tail))]
    country = next(
        (code for ending in endings if len(ending) > SHORT and (code := _country_code(ending))), ""
    )
    if listings.standing(country) not in _GRAVEST:
        country = ""
    return Place(country, find_listed_region(" ".join(tail[1:]), listed=listings.regions))


def _names_business(word: str) -> bool:
    """Return whether a word says what kind of body or business bears a name; no particle does."""
    return len(word) > len("al") and (word in BUSINESS_WORDS or is_business_term(word))


def _countries_named_with_town(address: str) -> set[str]:
    """Return the countries that an address names by name, and a chief town of each before it."""
    parts = [" ".join(split_plain_words(part)) for part in _PARTS.split(address)]
    towns_named = {_town_index().get(part, "") for part in parts}
    named = {_country_code(part) for part in parts if not _is_code(part)}
    for words in map(str.split, parts):
        for at in range(1, len(words)):
            # a town of one or two words right before the country
            before = (" ".join(words[start:at]) for start in range(max(0, at - 2), at))
            country = (
                _country_code(" ".join(words[at:])) if len(" ".join(words[at:])) > SHORT else ""
            )
            if country and any(_town_index().get(town) == country for town in before):
                named.add(country)
                towns_named.add(country)
    return (towns_named & named) - {""}


def parse_place(address: str, *, regions: Collection[str]) -> Place:
    """Return the place at the end of an address; numbers and boxes after it are skipped.

    Of regions only listed ones are returned.
    """
    parts = [part for part in map(str.strip, _PARTS.split(address)) if part]
    country, used = _find_country(parts)
    before = parts[: len(parts) - used] if used else parts
    listed_regions = (
        find_listed_region(part, listed=regions) for part in reversed([*before, *parts])
    )
    region = next(
        (
            listed_region
            for listed_region in listed_regions
            if listed_region and can_lie_in_country(listed_region, country)
        ),
        "",
    )
    return Place(country, region)


def _find_country(parts: list[str]) -> tuple[str, int]:
    """Return the country at the end of some parts, and how many of them it took."""
    for back in range(1, len(parts) + 1):
        last = parts[-back]
        # `Iran, Islamic Republic of`, a name that has a comma itself
        pair = parts[-back - 1 : len(parts) - back + 1]
        country_of_two_parts = _country_code(", ".join(pair)) if len(pair) > 1 else ""
        countries = (
            country_of_two_parts or _country_of_state(parts, back) or _trailing_country(last)
        )
        if countries:
            return countries, back
        # whether a part is a postal code or a box, behind which the country may stand before
        is_number = all(
            any(char.isdigit() for char in word) or word in BOX for word in split_plain_words(last)
        )
        if not is_number:
            break
    return _leading_country(parts), 0


def _leading_country(parts: list[str]) -> str:
    """Return the country that an address begins with, as some write it: `Iran, Teheran, ...`."""
    begins = " ".join(split_plain_words(parts[0])) if len(parts) > 1 else ""
    if (
        begins
        and not _is_code(begins)
        and (country := _country_code(begins) or _country_of_territory(begins))
    ):
        return country
    if not parts or not _EASTERN.match(parts[0]):
        return ""
    # Chinese, Japanese and Korean addresses begin with the country, without a space after it
    starts = (parts[0][:length] for length in range(MOST_LETTERS, 1, -1))
    return next((country for start in starts if (country := _country_of_place(start))), "")


def _country_of_state(parts: list[str], back: int) -> str:
    """Return the country of the state that a part ends with, where the address says it is one."""
    words = parts[-back].split()
    # all that follows, taken before postal codes are cut from `words`; sliced below
    behind = [*words, *parts[len(parts) - back + 1 :]]
    while words and any(char.isdigit() for char in words[-1]):
        words.pop()
    if not words:
        return ""
    elsewhere = (_country_code(part) for part in parts[: len(parts) - back])
    return find_state_country(
        words[-1],
        before=" ".join(words[:-1]) or "".join(parts[-back - 1 : len(parts) - back]),
        behind=" ".join(behind[len(words) :]),
        named=next((country for country in elsewhere if country), ""),
    )


def _trailing_country(part: str) -> str:
    """Return the country whose name, code or main town one part of an address ends with."""
    plain = [word for word in part.split() if not any(char.isdigit() for char in word)]
    whole = (
        _country_code(" ".join(plain))
        or _country_of_place(" ".join(plain))
        or _country_of_place(_text_after_number(part))
    )
    if whole:
        return whole
    if code := _code_after_town(part, plain):
        return code
    tail = split_plain_words(" ".join(plain))[-MOST_WORDS:]
    endings = (" ".join(tail[start:]) for start in range(len(tail)))
    return next(
        (code for ending in endings if len(ending) > SHORT and (code := _country_code(ending))), ""
    )


def _code_after_town(part: str, plain: list[str]) -> str:
    """Return the country whose code follows a town: `15875 Tehran IR`, `Georgia (US)`.

    In capitals any code counts, in small letters only after a place of that country. After an
    Italian postal code and a town it may be the province: `24121 Bergamo BG`.
    """
    written = "".join(filter(str.isalpha, plain[-1])) if len(plain) > 1 else ""
    code = _country_code(written) if _is_code(written) else ""
    if not code:
        return ""
    town = plain[:-1]
    here = any(_country_of_place(" ".join(town[start:])) == code for start in range(len(town)))
    if here or not written.isupper():
        return code if here else ""
    number = POSTCODE_OF_ITALY.match(part)
    return "IT" if number and written in _italian_provinces() else code


def _is_code(word: str) -> bool:
    return word.isascii() and len(word) <= SHORT


@cache
def _italian_provinces() -> frozenset[str]:
    """Return the codes that addresses in Italy give behind a town."""
    rows = pycountry.subdivisions.get(country_code="IT")
    return frozenset(row.code.partition("-")[2] for row in rows)


def _text_after_number(part: str) -> str:
    """Return the text after a house number or a town's code."""
    words = part.split()
    last = max((at for at, word in enumerate(words) if any(map(str.isdigit, word))), default=-1)
    return " ".join(words[last + 1 :])


def _country_of_place(name: str) -> str:
    """Return the country with this name, or main town of this name, in any language."""
    key = " ".join(split_plain_words(name))
    return _town_index().get(key, "") or _country_of_territory(key)


@cache
def _town_index() -> dict[str, str]:
    return {
        " ".join(split_plain_words(name)): country for name, country in countries_by_town().items()
    }


@lru_cache(maxsize=4096)
def _country_of_territory(name: str) -> str:
    """Return the state of a name in the gazetteer; regions are handled separately."""
    code = "" if not name or _is_code(name) else territory_code(name)
    # a longer code is a region's
    return code if len(code) == len("XX") else ""


def _country_code(name: str) -> str:
    return parse_country_code(name) or NAMES.get(" ".join(split_plain_words(name)), "")
