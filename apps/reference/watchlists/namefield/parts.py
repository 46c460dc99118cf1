"""What a name field holds: the names in it, the identifiers, and what could not be read."""

import re
from dataclasses import dataclass
from typing import Literal

from apps.reference.watchlists.listed_entity import Identifier, Schema
from apps.reference.watchlists.matching.index import Hit
from apps.reference.watchlists.matching.name_normalization import MAX_TOKENS

Kind = Literal[
    "MAIN",
    "FORMER",
    "ALIAS",
    "TRADING_AS",
    "CARE_OF",
    "ON_BEHALF",
    "HOLDER",
    "BRACKET",
    "SEGMENT",
    "WHOLE",
    "READING",
    "JAPANESE",
    "THAI",
    "APART",
    "KOREAN",
    "GROUP",
    "CUT",
]
READINGS: frozenset[Kind] = frozenset(["JAPANESE", "THAI", "APART", "KOREAN"])
"""Readings of the field's characters: at most one of them is right."""

_NO_LETTER = re.compile(r"[\W_]+")

_TOLD: dict[Kind, str] = {
    "FORMER": "a former name",
    "ALIAS": "another name",
    "TRADING_AS": "the name under which it trades",
    "CARE_OF": "the care-of party",
    "ON_BEHALF": "the party that it acts for",
    "HOLDER": "one of several parties",
    "BRACKET": "text in brackets or quotation marks",
    "SEGMENT": "words within a longer text",
    "READING": "the Korean reading of its characters",
    "JAPANESE": "a Japanese reading of its characters",
    "THAI": "a reading of its Thai letters",
    "APART": "its syllables, divided into words",
    "KOREAN": "a Korean name in Cyrillic letters",
    "GROUP": "the name that lists use for it",
    "CUT": "a line that ends within a longer name",
}


@dataclass(frozen=True, slots=True)
class NamePart:
    """One name of a field, and its role there.

    MAIN is the name itself. FORMER, ALIAS, TRADING_AS, CARE_OF and ON_BEHALF are introduced as
    such, HOLDER is one of several parties, BRACKET is in brackets, SEGMENT is a run of words in a
    text too long for one name, WHOLE the field as written, if it was split, READING the Korean
    reading of Chinese characters, JAPANESE and THAI a romanised reading of such characters, APART a
    foreign name in Hangul with spaces, KOREAN a Korean name read from Cyrillic letters, GROUP the
    lists' name of a group named in another language, CUT a line that may end within a name.
    `schema_hint` is the type that the text itself indicates; it never narrows the search.
    """

    text: str
    kind: Kind = "MAIN"
    schema_hint: Schema | None = None

    @property
    def told(self) -> str:
        """The role of the part in words; empty for the name itself and for the whole field."""
        return _TOLD.get(self.kind, "")


@dataclass(frozen=True, slots=True)
class NameField:
    """A name field as it was read: at least one part, and in `unread` sentences for an officer.

    An empty `unread` means that every word was compared.
    """

    parts: tuple[NamePart, ...]
    identifiers: tuple[Identifier, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[NamePart, ...]:
        """The parts written in the field, without readings of their characters."""
        return tuple(part for part in self.parts if part.kind not in READINGS)

    @property
    def searched(self) -> tuple[NamePart, ...]:
        """The parts that are searched by themselves.

        A divided text is also searched whole, once for each reading of its letters, unless it has
        more words than are compared: then only its names are searched, and listed names are spotted
        in it.
        """
        wholes = [part for part in self.parts if part.kind == "WHOLE"]
        # reversed, so that of equal ones the first is kept
        kept = {_NO_LETTER.sub("", part.text): part for part in reversed(wholes)}.values()
        return tuple(
            part
            for part in self.parts
            if part.kind != "WHOLE" or (part in kept and len(part.text.split()) <= MAX_TOKENS)
        )


@dataclass(frozen=True, slots=True)
class PartHit:
    """A listed party that a part of the field found; `part` is the one that found it best."""

    hit: Hit
    part: NamePart
