"""The first words of what may divide a name field: without one there is nothing to do."""

from functools import lru_cache

from apps.reference.names.field import markers
from apps.reference.names.field.joint_holders import AND
from apps.reference.names.field.word_tests import collect_first_words, parse_phrases
from apps.reference.names.words.titles import TITLES
from apps.reference.watchlists.namefield.identifiers import CODE_WORDS
from apps.reference.watchlists.namefield.payment_words import edge_words
from apps.reference.watchlists.namefield.tail_words import BRANCHES, PURPOSES
from apps.reference.watchlists.namefield.vessels import PREFIX_WORDS


@lru_cache(maxsize=1)
def collect_dividing_words() -> frozenset[str]:
    """Return lower-case words; every field to divide at plain words has one of them."""
    listed = parse_phrases(f"{PURPOSES}, {TITLES}, {BRANCHES}")
    divided = markers.marker_first_words() | collect_first_words(listed) | AND | PREFIX_WORDS
    return divided | CODE_WORDS | edge_words()
