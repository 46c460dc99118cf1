"""Regions under an embargo of their own, and the names that addresses use for them. Pure.

Which regions are listed, and since when, are rows of the country listings, by their code of
ISO 3166-2. This module has the names of those that a gazetteer does not list by their usual names.
"""

from collections.abc import Collection
from functools import cache

import pycountry

from apps.reference.names.words.territories import territory_code
from apps.reference.names.words.word_splitting import split_plain_words

# the names of the so-called republics and of their chief
# towns: the rest of a province is not under the embargo
_SPELLINGS_BY_REGION = {
    "UA-09": """luhansk people s republic, luhansk peoples republic, lugansk people s republic,
        lugansk peoples republic, луганская народная республика, лнр, lnr, lpr, luhansk, lugansk,
        luhans k, lougansk, луганск, луганськ, alchevsk, алчевск, алчевськ, stakhanov, стаханов""",
    "UA-14": """donetsk people s republic, donetsk peoples republic, донецкая народная республика,
        днр, dnr, dpr, donetsk, donets k, donezk, donieck, донецк, донецьк, makiivka, makeevka,
        makeyevka, макеевка, макіївка, horlivka, gorlovka, горловка, горлівка, yenakiieve,
        enakievo, енакиево, єнакієве""",
    "UA-43": """crimea, krym, sevastopol, sebastopol, крым, крим, севастополь, simferopol,
        симферополь, сімферополь, kerch, керчь, керч, feodosia, feodosiya, феодосия, феодосія,
        yevpatoria, yevpatoriya, evpatoria, евпатория, євпаторія, yalta, ялта, dzhankoi, джанкой""",
}
NAMES = {"UA-09": "Luhansk", "UA-14": "Donetsk", "UA-43": "Crimea"}
# a state that addresses of another's regions give behind them
CLAIMED_BY = {"UA": frozenset({"RU"})}


def is_region_code(code: str) -> bool:
    """Return whether a code is that of a region of a country, in ISO 3166-2."""
    return "-" in code and pycountry.subdivisions.get(code=code) is not None


def region_name(code: str) -> str:
    """Return the usual name of a region, by its code of ISO 3166-2."""
    subdivision = pycountry.subdivisions.get(code=code)
    return NAMES.get(code) or (subdivision.name if subdivision else code)


def can_lie_in_country(region: str, country: str) -> bool:
    """Return whether an address of a region may end with a country; "" is none."""
    state = region[:2]
    return country in {"", state} | CLAIMED_BY.get(state, frozenset())


def find_listed_region(text: str, *, listed: Collection[str]) -> str:
    """Return the code of the listed region whose name a text ends with, else "".

    A so-called republic is not the whole province: only its own names identify it.
    """
    words = [word for word in split_plain_words(text) if not any(char.isdigit() for char in word)]
    # the longest ending first, so that `donetsk people s republic` is found before `republic`
    endings = [" ".join(words[start:]) for start in range(len(words))]
    listed_region = next(
        (_regions_by_spelling()[ending] for ending in endings if ending in _regions_by_spelling()),
        "",
    )
    if listed_region in listed:
        return listed_region
    others = frozenset(listed) - _SPELLINGS_BY_REGION.keys()
    codes = (territory_code(ending) for ending in endings) if others else ()
    return next((code for code in codes if code in others), "")


@cache
def _regions_by_spelling() -> dict[str, str]:
    return {
        " ".join(split_plain_words(part)): code
        for code, names in _SPELLINGS_BY_REGION.items()
        for part in names.split(",")
    }
