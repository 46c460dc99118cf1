"""Links between FollowTheMoney entities, kept in a temporary file while a list is read."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from apps.reference.watchlists.sources.identifier_kinds import classify_identifier
from apps.reference.watchlists.temporary_store import TemporaryStore

Statement = Mapping[str, Any]

PLACES = {"Position": "name", "Address": "full"}
DOCUMENTS = {"Passport": "passport", "Identification": "national_id"}


class StatementLinks(TemporaryStore):
    """Offices, documents, wallets, addresses and sanctions by the party that they belong to."""

    TABLES: ClassVar[tuple[str, ...]] = (
        "link (holder TEXT, kind TEXT, data TEXT)",
        "place (id TEXT PRIMARY KEY, title TEXT, country TEXT)",
    )

    def __init__(self) -> None:
        super().__init__()
        self._indexed = False

    def add(self, statement: Statement) -> None:
        """Keep a statement when it is a link; parties are ignored."""
        schema = statement["schema"]
        if schema in PLACES:
            self._place(statement, PLACES[schema])
        elif schema == "Occupancy":
            for post in _property_values(statement, "post"):
                office_period = {
                    "since": _first_value(statement, "startDate"),
                    "until": _first_value(statement, "endDate"),
                }
                self._link(
                    statement,
                    "holder",
                    "position",
                    {"post": post, **office_period},
                )
        elif schema in DOCUMENTS:
            country = _first_value(statement, "country")
            for number in _property_values(statement, "number"):
                data = {"kind": DOCUMENTS[schema], "number": number, "country": country}
                self._link(statement, "holder", "document", {**data, "asset": ""})
        elif schema == "CryptoWallet":
            for key in _property_values(statement, "publicKey"):
                asset = _first_value(statement, "currency") or classify_identifier(key)[1]
                data = {"kind": "wallet", "number": key, "country": "", "asset": asset}
                self._link(statement, "holder", "document", data)
        elif schema == "Sanction":
            program = _first_value(statement, "programId") or _first_value(statement, "program")
            data = {"program": program, "since": _first_value(statement, "startDate")}
            self._link(statement, "entity", "sanction", data)

    def of(self, holder: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield (kind, data) of what belongs to a party; an office without a title is left out."""
        if not self._indexed:
            # after the first pass: filling an indexed table is slower
            self._store.execute("CREATE INDEX link_holder ON link (holder)")
            self._indexed = True
        rows = self._store.execute(
            "SELECT kind, data FROM link WHERE holder = ? ORDER BY rowid", (_make_storable(holder),)
        )
        for kind, text in rows.fetchall():
            data = json.loads(text)
            if kind == "position":
                title, country = self._look(data["post"])
                if not title:
                    continue
                data |= {"title": title, "country": country}
            yield kind, data

    def address(self, address_id: str) -> str:
        """Return an address by its entity's id, "" when it is not in the file."""
        return self._look(address_id)[0]

    def _look(self, place_id: str) -> tuple[str, str]:
        row = self._store.execute(
            "SELECT title, country FROM place WHERE id = ?", (_make_storable(place_id),)
        ).fetchone()
        return (row[0], row[1]) if row else ("", "")

    def _place(self, statement: Statement, title: str) -> None:
        row = (
            _make_storable(statement["id"]),
            _make_storable(_first_value(statement, title)),
            _make_storable(_first_value(statement, "country")),
        )
        # several deltas may have the same place: the last one is what it is now
        self._store.execute("INSERT OR REPLACE INTO place VALUES (?, ?, ?)", row)

    def _link(self, statement: Statement, name: str, kind: str, data: Mapping[str, str]) -> None:
        text = json.dumps(data)
        rows = [
            (_make_storable(holder), kind, text) for holder in _property_values(statement, name)
        ]
        self._store.executemany("INSERT INTO link VALUES (?, ?, ?)", rows)


def _property_values(statement: Statement, name: str) -> list[str]:
    values = statement["properties"].get(name, ())
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def _first_value(statement: Statement, name: str) -> str:
    return next(iter(_property_values(statement, name)), "")


def _make_storable(text: str) -> str:
    """Return text that SQLite can store: JSON escapes can carry halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode("utf-8")
