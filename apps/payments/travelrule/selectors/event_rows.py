"""Events of records as plain rows, verified in bulk, for lists and tables that show many."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from apps.payments.travelrule.models import RecordKey, TravelEvent
from apps.platform.crypto import macs
from apps.platform.db.any_array import InArray
from apps.platform.ledger.envelope_encoding import encode_mac_input, envelope_encoder

SHOWN_COLUMNS = ("record_id", "number", "event", "status", "turn", "recorded_at")
PROOF_COLUMNS = ("payload", "salt", "mac_key", "mac")
ColumnValues = tuple[Any, ...]


class EventRow:
    """A verified event with what lists show; its payload is parsed at most once."""

    __slots__ = (
        "_data",
        "event",
        "number",
        "payload",
        "record_id",
        "recorded_at",
        "status",
        "turn",
    )
    purged = False

    def __init__(self, row: ColumnValues) -> None:
        self.record_id: int
        self.number: int
        self.event: str
        self.status: str
        self.turn: str
        self.recorded_at: datetime
        (
            self.record_id, self.number, self.event, self.status, self.turn, self.recorded_at,
            self.payload,
        ) = row  # fmt: skip
        self._data: dict[str, Any] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The payload as written."""
        if self._data is None:
            self._data = orjson.loads(self.payload)
        return self._data


class KeyRow(NamedTuple):
    """The key of a record, as it is kept."""

    wrapped: str
    under: str


def load_event_rows(ids: Sequence[int]) -> dict[int, list[EventRow]] | None:
    """Return the events of records by their number, in order; one query.

    None unless all of them are intact and authentic: then each is checked (verified_records.py).
    """
    own = envelope_encoder(TravelEvent, TravelEvent.PURGEABLE).own
    # each column once: rows are many
    names = tuple(dict.fromkeys((*SHOWN_COLUMNS, *PROOF_COLUMNS, *own)))
    envelope = itemgetter(*(names.index(name) for name in own))
    rows = TravelEvent.objects.filter(InArray("record_id", ids)).order_by("record_id", "number")
    grouped_event_rows: dict[int, list[EventRow]] = defaultdict(list)
    seen: set[str] = set()
    keys, shown, proved = (
        macs.ledger_keys(),
        len(SHOWN_COLUMNS),
        len(SHOWN_COLUMNS) + len(PROOF_COLUMNS),
    )
    for row in rows.values_list(*names):
        proof = row[shown:proved]
        # a MAC that occurs twice is a copied row. Whatever is wrong, the slow way reports it.
        if proof[3] in seen or not has_valid_mac(proof, envelope(row), keys):
            return None
        seen.add(proof[3])
        grouped_event_rows[row[0]].append(EventRow(row[: shown + 1]))
    return grouped_event_rows


def has_valid_mac(proof: ColumnValues, envelope: ColumnValues, keys: Mapping[str, bytes]) -> bool:
    """Tell whether an event that was not purged has a MAC of ours.

    `proof` is in the order of PROOF_COLUMNS, `envelope` in that of the `own` columns of events;
    `keys` are those of ledgers.
    """
    payload, salt, key, mac = proof
    mac_key = keys.get(key)
    if mac_key is None or not payload:
        return False
    content = hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest()
    bare = envelope_encoder(TravelEvent, TravelEvent.PURGEABLE).bare(envelope)
    return (
        macs.compute_mac(
            mac_key, encode_mac_input(ledger=TravelEvent.LEDGER, content=content, record=bare)
        )
        == mac
    )


def load_key_rows(ids: Sequence[int]) -> dict[int, KeyRow]:
    """Return the keys of records by their number; one query."""
    rows = RecordKey.objects.filter(InArray("record_id", ids)).values_list(
        "record_id", "wrapped", "under"
    )
    return {number: KeyRow(wrapped, under) for number, wrapped, under in rows}
