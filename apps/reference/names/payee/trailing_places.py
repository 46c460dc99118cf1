"""Countries and regions behind a name: another company of a group; a town is an address. Pure.

The towns are written by us: of places that are known by name all others are countries or regions.
"""

from collections.abc import Sequence
from functools import lru_cache

from apps.reference.names.field.word_tests import is_place_name
from apps.reference.names.payee.word_roles import role_of_word

_TOWN_WORDS = """
london manchester birmingham leeds glasgow edinburgh dublin belfast cardiff berlin hamburg munchen
muenchen munich koln koeln cologne frankfurt stuttgart dusseldorf duesseldorf leipzig dresden
hannover nurnberg bremen wien vienna salzburg graz zurich zuerich basel bern geneva geneve genf
lausanne zug paris lyon marseille lille toulouse nice bordeaux nantes strasbourg madrid barcelona
valencia sevilla bilbao malaga lisboa lisbon porto roma rome milano milan torino napoli bologna
firenze venezia genova amsterdam rotterdam utrecht eindhoven hague antwerp antwerpen brussels
bruxelles brussel gent copenhagen kobenhavn aarhus stockholm goteborg malmo oslo bergen helsinki
tampere reykjavik warszawa warsaw krakow gdansk wroclaw poznan praha prague brno bratislava
budapest bucuresti bucharest sofia beograd belgrade zagreb ljubljana athens athina istanbul ankara
izmir moscow moskva kyiv kiev riga tallinn vilnius york angeles chicago houston boston dallas
miami seattle atlanta denver toronto montreal vancouver delhi mumbai bangalore bengaluru chennai
shanghai beijing shenzhen guangzhou taipei tokyo osaka seoul sydney melbourne brisbane perth
auckland johannesburg cairo lagos nairobi casablanca north south east west nord sud ost northern
southern eastern western washington city
"""
_TOWNS = frozenset(_TOWN_WORDS.split())
_MOST = 4
"""Words of the name of a country."""


@lru_cache(maxsize=8192)
def is_country_name(words: str) -> bool:
    """Return whether folded words are the name of a country or region, and of no town."""
    if words in _TOWNS or any(word.isdigit() for word in words.split()):
        return False
    return is_place_name(words)


def count_trailing_country_words(words: Sequence[str]) -> int:
    """Return of how many folded words at the end of a name a country or region is made."""
    # the longest first: `South Korea` is one country, not a name with `Korea` behind it
    for size in range(min(_MOST, len(words)), 0, -1):
        if is_country_name(" ".join(words[-size:])):
            return size
    return 0


def is_name_with_place(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Return whether a name is another one with a place behind it (`Goldman Sachs Australia`)."""
    size = count_trailing_country_words(longer) or (
        role_of_word(longer[-1]) == "place" if longer else 0
    )
    return 0 < size < len(longer) and list(longer[:-size]) == list(shorter)
