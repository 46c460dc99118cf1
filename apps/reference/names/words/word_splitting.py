"""The words of a text as places and countries are looked up by. Pure."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[\W_]+")


def split_plain_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without marks and signs between them."""
    plain = text.casefold()
    if not text.isascii():
        # taken apart, so that accents become characters of their own and can be dropped
        plain = unicodedata.normalize("NFKD", text)
        plain = "".join(char for char in plain if not unicodedata.combining(char)).casefold()
        plain = unicodedata.normalize("NFC", plain)  # syllables of Hangul are one letter again
    return [word for word in _SEPARATORS.split(plain) if word]
