"""The first words of what may divide a name field: without one there is nothing to do."""

from functools import lru_cache

from apps.names.field import markers
from apps.names.field.holders import AND
from apps.names.field.telling import first_words_of, phrases
from apps.names.words.titles import TITLES
from apps.watchlists.namefield.codes import CODE_WORDS
from apps.watchlists.namefield.edges import edge_words
from apps.watchlists.namefield.tail_words import PURPOSES
from apps.watchlists.namefield.vessels import PREFIX_WORDS


@lru_cache(maxsize=1)
def first_words() -> frozenset[str]:
    """Return words in lower case, one of which stands in every field of plain words to divide."""
    listed = phrases(f"{PURPOSES}, {TITLES}")
    divided = markers.first_words() | first_words_of(listed) | AND | PREFIX_WORDS
    return divided | CODE_WORDS | edge_words()
