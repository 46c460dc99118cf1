"""Puts names of East Asian scripts into Latin letters, word by word as lists print them."""

import re

from apps.watchlists.matching import han, hangul
from apps.watchlists.matching.trade_words import translated

DENSE = re.compile(f"[\u3040-\u30ff{han.HAN}\uac00-\ud7af]")
"""A letter of a script that puts no space between words."""
DOTS = "·•・‧∙⋅=＝゠"
_DOT = re.compile(f"(?<=[^\\x00-\\x7f])[{DOTS}](?=[^\\x00-\\x7f])")


def latin(*, text: str, person: bool) -> str:
    """Return a text with what of it is Korean or Chinese in Latin letters, words apart.

    A person's name becomes family name and given name; of a company the words of business are
    put into English, and the rest is read letter by letter.
    """
    bare = text.strip(" .,")
    if person:
        korean = hangul.person(bare)
        if korean:
            return hangul.spelt(family=korean[0], given=korean[1])
        chinese = han.person(bare)
        if chinese:
            return han.spelt(family=chinese[0], given=chinese[1])
        return hangul.romanised(_DOT.sub(" ", text))
    return hangul.romanised(translated(han.simplified(_DOT.sub(" ", text))))
