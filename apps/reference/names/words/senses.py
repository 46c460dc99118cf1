"""What the words of a company's name mean across languages (`trading` and `handel` are one sense).

The dictionary is rigour's. Names of persons have none: theirs merges too much to tell people apart.
"""

from functools import lru_cache

from rigour.names import NameTypeTag, analyze_names


@lru_cache(maxsize=16384)
def find_word_senses(token: str) -> frozenset[str]:
    """Return the senses of a company word, each as its kind and name: `SYMBOL:TRADE`, `LOC:de`."""
    if len(token) < 2:
        return frozenset()
    names = analyze_names(NameTypeTag.ORG, [token], phonetics=False)
    return frozenset(
        f"{symbol.category.value}:{symbol.id}"
        for name in names
        for symbol in name.symbols
        if symbol.category.value in ("SYMBOL", "DOMAIN", "LOC")
    )
