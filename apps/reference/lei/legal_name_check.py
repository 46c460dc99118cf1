"""Whether a name given for an LEI is the legal name that GLEIF has.

Stricter than list matching on purpose: there a near miss is shown to an officer, here an
agreement proves an identity (DESIGN.md section 4, Fail closed).
"""

import unicodedata

from rapidfuzz.distance import OSA
from rigour.names import remove_org_types, tokenize_name
from rigour.text import ascii_text

from apps.reference.lei.values import Entity

# share of the letters of the longer word; "internatonal" agrees, "traders"/"trading" do not
TOKEN_SIMILARITY = 0.85
MOST_OTHER_NAMES = 8  # former and trading names, beside the legal ones
# kinds of further names that are the legal name in another script or language
_LEGAL_KINDS = frozenset(
    {
        "ALTERNATIVE_LANGUAGE_LEGAL_NAME",
        "AUTO_ASCII_TRANSLITERATED_LEGAL_NAME",
        "PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME",
    }
)
# forms missing from the dictionary of legal forms, and words that do not distinguish names
_WEAK_WORDS = (
    "the and of a an co company corp corporation incorporated inc ltd limited llc plc lp llp "
    "sa ag ab as nv bv se kk kabushiki kaisha gmbh spa srl sarl oy oyj pjsc jsc oao ooo pao ao "
    "aktiengesellschaft"
)
_WEAK = frozenset(_WEAK_WORDS.split())


def fold_name(name: str) -> str:
    """Return a name for comparing and finding: compatibility form, case folded, single blanks."""
    # folding can undo the composition, so it is made twice
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def is_legal_name(name: str, entity: Entity) -> bool:
    """Return whether `name` is the entity's legal name.

    Case, punctuation, script and legal form may differ and each word may hold a small slip;
    a word more or less is another company. Former and trading names do not count.
    """
    words = _strong_words(name)
    return bool(words) and any(
        _is_same_name(words, _strong_words(legal_name)) for legal_name in list_legal_names(entity)
    )


def is_any_name(name: str, entity: Entity) -> bool:
    """Return whether `name` is any name of the entity: legal, former or trading."""
    words = _strong_words(name)
    known_names = (entity.legal_name, *(other.name for other in entity.other_names))
    return bool(words) and any(
        _is_same_name(words, _strong_words(known_name)) for known_name in known_names
    )


def list_legal_names(entity: Entity) -> tuple[str, ...]:
    """Return the legal name and its forms in other scripts and languages."""
    others = [other.name for other in entity.other_names if other.type in _LEGAL_KINDS]
    return (entity.legal_name, *others)


def list_all_names(entity: Entity) -> tuple[str, ...]:
    """Return the legal names, then former and trading ones, at most `MOST_OTHER_NAMES` of those."""
    legal = list_legal_names(entity)
    others = [other.name for other in entity.other_names if other.name not in legal]
    return (*legal, *others[:MOST_OTHER_NAMES])


def _strong_words(name: str) -> tuple[str, ...]:
    folded = fold_name(name)
    bare = tokenize_name(ascii_text(remove_org_types(folded)).casefold())
    strong = tuple(word for word in bare if word not in _WEAK)
    # a name of weak words only ("The Limited") is compared unchanged
    return strong or tuple(tokenize_name(ascii_text(folded).casefold()))


def _is_same_name(words: tuple[str, ...], known_words: tuple[str, ...]) -> bool:
    if not known_words:
        return False
    # `Data Bank` and `Databank`
    if "".join(words) == "".join(known_words):
        return True
    if len(words) != len(known_words):
        return False
    left = list(known_words)
    for word in words:
        # each word of one name is matched with another word of the other: order does not count
        best = max(left, key=lambda other: OSA.normalized_similarity(word, other))
        if not _are_words_alike(word, best):
            return False
        left.remove(best)
    return True


def _are_words_alike(first: str, other: str) -> bool:
    if first == other:
        return True
    # numbers tell funds and series apart: "Fund 3" is not "Fund 8"
    if any(character.isdigit() for character in first + other):
        return False
    return OSA.normalized_similarity(first, other) >= TOKEN_SIMILARITY
