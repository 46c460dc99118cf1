"""A listed party while a parser gathers it, and the cleaning of what files say."""

import re

from apps.reference.watchlists.listed_entity import (
    Identifier,
    ListedEntity,
    ListedName,
    Position,
    Schema,
    Topic,
)
from apps.reference.watchlists.sources import countries, dates, hijri
from apps.reference.watchlists.sources.stream_readers import FormatError

ID_LIMIT = 190
NAME_LIMIT = 1000
TEXT_LIMIT = 20_000

_SPACE = re.compile(r"\s+")
# Control characters, and halves of surrogate pairs that JSON escapes can smuggle in: neither
# can be stored in PostgreSQL.
_REFUSED = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_WIKIDATA = re.compile(r"Q\d{4,}", re.ASCII)  # placeholder for a name that a wiki lacks
_GENDERS = {"m": "male", "male": "male", "f": "female", "female": "female"}


def clean_text(text: str | None, limit: int = NAME_LIMIT) -> str:
    """Return text without control characters and with single spaces, at most `limit` long."""
    if not text:
        return ""
    return _SPACE.sub(" ", _REFUSED.sub(" ", text)).strip()[:limit].strip()


class EntityDraft:
    """What a parser has learnt so far of one listed party; every method ignores empty values."""

    def __init__(self, entity_id: str, schema: Schema, topic: Topic = "sanction") -> None:
        """Begin a party; an id that is empty or too long is a FormatError."""
        self.entity_id = clean_text(entity_id, TEXT_LIMIT)
        if not self.entity_id or len(self.entity_id) > ID_LIMIT:
            raise FormatError(f"expected an entity id of 1-{ID_LIMIT} characters, found {self!r}")
        self.schema: Schema = schema
        self.topic: Topic = topic
        self.gender = ""
        self.listed_on = ""
        self._names: dict[str, ListedName] = {}
        self._countries: dict[str, None] = {}
        self._births: dict[str, None] = {}
        self._birth_notes: dict[str, None] = {}
        self._identifiers: dict[tuple[str, str], Identifier] = {}
        self._false: dict[tuple[str, str], Identifier] = {}
        self._measures: dict[str, None] = {}
        self._positions: dict[Position, None] = {}
        self._programs: dict[str, None] = {}
        self._addresses: dict[str, None] = {}
        self._remarks: dict[str, None] = {}

    def __repr__(self) -> str:
        return repr(self.entity_id[:40])

    def name(self, full: str | None, kind: str = "alias", *, weak: bool = False) -> None:
        """Add a name; one given twice keeps its stronger reading."""
        text = clean_text(full)
        if not text or _WIKIDATA.fullmatch(text):
            return
        known = self._names.get(text)
        rank = {"primary": 0, "alias": 1, "former": 2}
        # lists repeat names: the reading that lets a name count more is kept
        if known is None or (rank[kind], weak) < (rank[known.kind], known.weak):
            self._names[text] = ListedName(full=text, kind=kind, weak=weak)  # type: ignore[arg-type]

    def country(self, text: str | None) -> None:
        """Add a country given as name or code; what is no country is left out."""
        if code := countries.parse_country_code(clean_text(text)):
            self._countries[code] = None

    def birth(self, text: str | None) -> None:
        """Add a birth date as printed, with every date that it may mean.

        A year before 1500 is not a Gregorian birth year of a listed person.
        """
        printed = clean_text(text)
        if hijri.parse_hijri_date(printed):
            self.hijri_birth(printed)
            return
        possible_dates = dates.parse_possible_dates(printed)
        self.birth_dates(possible_dates)
        if len(possible_dates) != 1 and any(character.isdigit() for character in printed):
            _add_text(self._birth_notes, printed)

    def birth_dates(self, values: tuple[str, ...], *, printed: str = "") -> None:
        """Add ISO dates, and how the list prints them where that is no plain date."""
        self._births.update(dict.fromkeys(values))
        _add_text(self._birth_notes, clean_text(printed))

    def hijri_birth(self, text: str | None, *, circa: bool = False) -> None:
        """Add a birth date of a Hijri calendar, with every Gregorian date that it may mean.

        Readings after the listing date are dropped: a listed person was born before. An unreadable
        date is shown as printed.
        """
        printed = clean_text(text)
        hijri_date = hijri.parse_hijri_date(printed)
        readings = hijri_date.readings(until=self.listed_on) if hijri_date else {}
        words = []
        for calendar, date_texts in readings.items():
            meant = dates.widen_approximate_dates(date_texts) if circa else date_texts
            self.birth_dates(meant)
            words.append(f"{' or '.join(date_texts)} if {calendar}")
        if len(readings) == 1:
            words = [words[0].partition(" if ")[0]]
        about = "circa " if circa else ""
        if printed:
            meaning = f"; in the Gregorian calendar {', '.join(words)}" if words else ""
            _add_text(self._birth_notes, f"{about}{printed} of the Hijri calendar{meaning}")

    def identifier(
        self,
        kind: str,
        value: str | None,
        country: str = "",
        asset: str = "",
        *,
        known_false: bool = False,
    ) -> None:
        """Add an identifier as the list prints it; one that it calls false is kept apart."""
        text = clean_text(value, 200)
        if text:
            identifiers = self._false if known_false else self._identifiers
            where = countries.parse_country_code(clean_text(country))
            identifiers.setdefault((kind, text), Identifier(kind, text, where, asset))

    def measure(self, text: str | None) -> None:
        """Add a measure that is imposed on the party, as the list names it."""
        _add_text(self._measures, clean_text(text, 200))

    def position(
        self, title: str | None, country: str = "", since: str = "", until: str = ""
    ) -> None:
        """Add an office held; dates as printed."""
        text = clean_text(title)
        if text:
            where = countries.parse_office_country(clean_text(country))
            office = Position(
                text, where, dates.parse_date(since or ""), dates.parse_date(until or "")
            )
            self._positions[office] = None

    def program(self, text: str | None) -> None:
        """Add the sanctions programme or legal basis."""
        _add_text(self._programs, clean_text(text, 200))

    def address(self, *parts: str | None) -> None:
        """Add an address from its parts, joined with commas."""
        _add_text(self._addresses, ", ".join(filter(None, (clean_text(part) for part in parts))))

    def remark(self, text: str | None) -> None:
        """Add free text."""
        _add_text(self._remarks, clean_text(text, TEXT_LIMIT))

    def sex(self, text: str | None) -> None:
        """Set the gender when the list gives one."""
        self.gender = _GENDERS.get(clean_text(text).casefold(), self.gender)

    def finish(self) -> ListedEntity | None:
        """Return the party, or None when the list gives no name for it."""
        names = list(self._names.values())
        if not names:
            return None
        if not any(name.kind == "primary" for name in names):
            names[0] = ListedName(full=names[0].full, kind="primary", weak=names[0].weak)
        names.sort(key=lambda name: name.kind != "primary")
        return ListedEntity(
            entity_id=self.entity_id,
            schema=self.schema,
            names=tuple(names),
            topic=self.topic,
            countries=tuple(self._countries),
            birth_dates=tuple(self._births),
            identifiers=tuple(self._identifiers.values()),
            positions=tuple(self._positions),
            programs=tuple(self._programs),
            addresses=tuple(self._addresses),
            gender=self.gender,
            listed_on=self.listed_on,
            remarks=" ".join(self._remarks)[:TEXT_LIMIT],
            birth_notes=tuple(self._birth_notes),
            false_identifiers=tuple(
                false_identifier
                # a number that the list elsewhere calls genuine is compared
                for key, false_identifier in self._false.items()
                if key not in self._identifiers
            ),
            measures=tuple(self._measures),
        )


def _add_text(into: dict[str, None], text: str) -> None:
    if text:
        into[text] = None
