"""A listed party while a parser gathers it, and the cleaning of what files say."""

import re

from apps.watchlists.sources import countries, dates
from apps.watchlists.sources.reading import FormatError
from apps.watchlists.values import Identifier, ListedEntity, ListedName, Position, Schema, Topic

ID_LIMIT = 190
NAME_LIMIT = 1000
TEXT_LIMIT = 20_000

_SPACE = re.compile(r"\s+")
# Control characters, and halves of surrogate pairs that JSON escapes can smuggle in: neither
# can be stored in PostgreSQL.
_REFUSED = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_WIKIDATA = re.compile(r"Q\d{4,}", re.ASCII)  # stands in for a name that a wiki lacks
_GENDERS = {"m": "male", "male": "male", "f": "female", "female": "female"}


def clean(text: str | None, limit: int = NAME_LIMIT) -> str:
    """Return text without control characters and with single spaces, at most `limit` long."""
    if not text:
        return ""
    return _SPACE.sub(" ", _REFUSED.sub(" ", text)).strip()[:limit].strip()


class Draft:
    """What a parser has learnt so far of one listed party; every method ignores empty values."""

    def __init__(self, entity_id: str, schema: Schema, topic: Topic = "sanction") -> None:
        """Begin a party; an id that is empty or too long is a FormatError."""
        self.entity_id = clean(entity_id, TEXT_LIMIT)
        if not self.entity_id or len(self.entity_id) > ID_LIMIT:
            raise FormatError(f"expected an entity id of 1-{ID_LIMIT} characters, found {self!r}")
        self.schema: Schema = schema
        self.topic: Topic = topic
        self.gender = ""
        self.listed_on = ""
        self._names: dict[str, ListedName] = {}
        self._countries: dict[str, None] = {}
        self._births: dict[str, None] = {}
        self._identifiers: dict[tuple[str, str], Identifier] = {}
        self._positions: dict[Position, None] = {}
        self._programs: dict[str, None] = {}
        self._addresses: dict[str, None] = {}
        self._remarks: dict[str, None] = {}

    def __repr__(self) -> str:
        return repr(self.entity_id[:40])

    def name(self, full: str | None, kind: str = "alias", *, weak: bool = False) -> None:
        """Add a name; one given twice keeps its stronger reading."""
        text = clean(full)
        if not text or _WIKIDATA.fullmatch(text):
            return
        known = self._names.get(text)
        rank = {"primary": 0, "alias": 1, "former": 2}
        if known is None or (rank[kind], weak) < (rank[known.kind], known.weak):
            self._names[text] = ListedName(full=text, kind=kind, weak=weak)  # type: ignore[arg-type]

    def country(self, text: str | None) -> None:
        """Add a country given as name or code; what is no country is left out."""
        if code := countries.alpha2(clean(text)):
            self._countries[code] = None

    def birth(self, text: str | None) -> None:
        """Add a birth date as printed, with every date that it may stand for."""
        self.birth_dates(dates.spread(clean(text)))

    def birth_dates(self, values: tuple[str, ...]) -> None:
        """Add ISO dates."""
        self._births.update(dict.fromkeys(values))

    def identifier(self, kind: str, value: str | None, country: str = "", asset: str = "") -> None:
        """Add an identifier as the list prints it."""
        text = clean(value, 200)
        if text:
            where = countries.alpha2(clean(country))
            self._identifiers.setdefault((kind, text), Identifier(kind, text, where, asset))

    def position(
        self, title: str | None, country: str = "", since: str = "", until: str = ""
    ) -> None:
        """Add an office held; dates as printed."""
        text = clean(title)
        if text:
            where = countries.office_of(clean(country))
            office = Position(text, where, dates.single(since or ""), dates.single(until or ""))
            self._positions[office] = None

    def program(self, text: str | None) -> None:
        """Add the sanctions programme or legal basis."""
        _add(self._programs, clean(text, 200))

    def address(self, *parts: str | None) -> None:
        """Add an address from its parts, joined with commas."""
        _add(self._addresses, ", ".join(filter(None, (clean(part) for part in parts))))

    def remark(self, text: str | None) -> None:
        """Add free text."""
        _add(self._remarks, clean(text, TEXT_LIMIT))

    def sex(self, text: str | None) -> None:
        """Set the gender when the list gives one."""
        self.gender = _GENDERS.get(clean(text).casefold(), self.gender)

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
        )


def _add(into: dict[str, None], text: str) -> None:
    if text:
        into[text] = None
