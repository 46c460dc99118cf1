"""When two postal addresses are the same place, and when they are only in the same city. Pure.

A city has a million people: the same city does not identify a party. What does is the street, the
postal code or the number of the building together with the city.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from apps.reference.watchlists.sources.countries import parse_country_code

Agreement = Literal["SAME", "CONSISTENT", "NONE"]

# what a street is called, as lists and callers write it; `st` at the beginning is a saint
_ENGLISH = (
    "alley ave avenue blvd boulevard bypass close court crescent ct dr drive highway hwy lane ln "
    "parade pkwy parkway quay rd road row sq square st str street terrace way"
)
_ROMANCE = (
    "av avda avenida avinguda calle camino carrera carretera chaussee corso cours impasse paseo "
    "piazza piazzale place plaza praca prolongacion quai rua rue ruelle strada travessa via viale"
)
_GERMANIC = "allee gasse laan platz plein ring straat strasse straße weg"
_SLAVIC = (
    "bulvar naberezhnaya nab per pereulok ploshchad pl pr prosp prospekt prospect proezd sh "
    "shosse ul ulica ulitsa vul vulytsia улица ул проспект пр переулок пер шоссе вулиця площадь"
)
_EASTERN = (
    "bulvari cadde caddesi cad sokak sokagi jalan jln jl dalan dong gil khiaban khiyaban kucheh "
    "lu dajie jie marg nagar shara sharia shari soi thanon dori"
)
STREETS = frozenset(f"{_ENGLISH} {_ROMANCE} {_GERMANIC} {_SLAVIC} {_EASTERN}".split())
_ENDINGS = ("strasse", "straße", "straat", "gasse", "gatan", "gata", "allee", "platz", "weg")
# beside a number these say what it numbers, and in a name they are half a hundred cities'
_BESIDE = (
    "and apartment apt bldg block bld box building bus city county da de del della der des di "
    "district do dom el flat floor house krai kv la las le level los new no number oblast of "
    "office p po pob prefecture province region republic room saint san santa state suite the "
    "und unit y д дом кв корп обл область"
)
_FILLERS = frozenset(_BESIDE.split())
_SAINT = frozenset({"st"})
_SHORT = 3  # a number of fewer characters is on every street
_POSTAL = 5  # characters that postal codes have and hardly any number of a house
_HOUSE = re.compile(r"\d{1,3}[a-zа-я]?")
_PARTS = re.compile(r"[,;|\n\r]+")
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _AddressParts:
    """What an address names: words of its street, of its city, its numbers."""

    streets: frozenset[str]
    cities: frozenset[str]
    numbers: frozenset[str]


def compare_addresses(one: str, other: str) -> Agreement:
    """Return whether two addresses are the same place.

    SAME: the city agrees, and the street, the postal code or the building too; or the street and
    a postal code agree, or the street and any longer number where a side names no city.
    CONSISTENT: no more than the city agrees. NONE: not even that.
    """
    left, right = _parse_address(one), _parse_address(other)
    # what one side writes as part of the city is no street there
    towns = left.cities | right.cities
    streets = (left.streets & right.streets) - towns
    numbers = left.numbers & right.numbers
    postal = {number for number in numbers if len(number) >= _SHORT}
    # a house of that number is in a street of that name in many cities: where both name one, only
    # a postal code shows that two spellings of it are the same
    least = _POSTAL if left.cities and right.cities else _SHORT
    if streets and any(len(number) >= least for number in numbers):
        return "SAME"
    if not left.cities & right.cities:
        return "NONE"
    elsewhere = bool(left.streets and right.streets)  # both name one, and another
    # the same small number in another street is another house
    same = streets or postal or (numbers and not elsewhere)
    return "SAME" if same else "CONSISTENT"


@lru_cache(maxsize=4096)
def _parse_address(address: str) -> _AddressParts:
    parts = [_split_address_words(part) for part in _PARTS.split(address)]
    parts = [part for part in parts if part]
    if len(parts) == 1:
        parts = _divide_address(parts[0])
    # of a state that is a city the name is that of the city, where no other part is one
    if any(_city_words(part) for part in (*parts[:-1], _strip_country(parts[-1] if parts else []))):
        parts[-1] = _strip_country(parts[-1])
    streets, cities = set[str](), set[str]()
    for part in parts:
        cities |= _city_words(part)
        streets |= _naming_words(part) - STREETS if _is_street_part(part) else set()
    numbers = {word for part in parts for word in part if _contains_digit(word)}
    return _AddressParts(frozenset(streets), frozenset(cities), frozenset(numbers))


def _naming_words(part: list[str]) -> set[str]:
    return {word for word in part if word not in _FILLERS and not _contains_digit(word)}


def _city_words(part: list[str]) -> set[str]:
    """Return the words of a part that is not a street; two letters are a state."""
    if _is_street_part(part):
        return set()
    short = {word for word in part if len(word) == len("NY") and word.isascii()}
    return _naming_words(part) - STREETS - short


def _split_address_words(text: str) -> list[str]:
    # Ă and a, full-width digits and plain ones: callers and lists write either
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return [_stem_street_word(word) for word in _WORDS.findall(plain)]


def _stem_street_word(word: str) -> str:
    """Cut the street off a name that is written together with it: `hauptstr`, `hauptstrasse`."""
    for ending in (*_ENDINGS, "str"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return f"{word.removesuffix(ending)}-"
    return word


def _contains_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _is_street_part(part: list[str]) -> bool:
    """Return whether a part names a street: by what streets are called, or by a house number."""
    called = any(
        (word in STREETS and not (word in _SAINT and place == 0)) or word.endswith("-")
        for place, word in enumerate(part)
    )
    named = any(not _contains_digit(word) and word not in _FILLERS for word in part)
    return called or (named and any(_HOUSE.fullmatch(word) for word in part))


def _divide_address(words: list[str]) -> list[list[str]]:
    """Divide an address without commas: what follows its last number or street is the city."""
    last = max(
        (place for place, word in enumerate(words) if _contains_digit(word) or word in STREETS),
        default=-1,
    )
    parts = [words[: last + 1], words[last + 1 :]]
    return [part for part in parts if part]


def _strip_country(part: list[str]) -> list[str]:
    """Return a part without the country at its end, and without the numbers behind that."""
    plain = [word for word in part if not _contains_digit(word)]
    # the longest ending first: `South Korea` before `Korea`
    for start in range(len(plain)):
        if parse_country_code(" ".join(plain[start:])):
            gone = plain[start:]
            return [word for word in part if word not in gone]
    return part
