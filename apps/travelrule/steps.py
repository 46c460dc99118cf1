"""Events of records as rows: proved in bulk, for lists and tables that show many."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from apps.core import macs
from apps.core.among import Among
from apps.core.envelopes import form, mac_text
from apps.travelrule.models import RecordKey, TravelEvent

SHOWN = ("record_id", "number", "event", "status", "turn", "recorded_at")
PROOF = ("payload", "salt", "mac_key", "mac")
Row = tuple[Any, ...]


class Step:
    """An event that was proved, without what no list shows; its payload is read once."""

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

    def __init__(self, row: Row) -> None:
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


class Key(NamedTuple):
    """The key of a record, as it is kept."""

    wrapped: str
    under: str


def steps_of(ids: Sequence[int]) -> dict[int, list[Step]] | None:
    """Return the events of records by their number, in order; one query.

    None where not every one is whole and ours: then each has to be looked at (telling.events_of).
    """
    own = form(TravelEvent, TravelEvent.PURGEABLE).own
    names = tuple(dict.fromkeys((*SHOWN, *PROOF, *own)))  # each column once: rows are many
    envelope = itemgetter(*(names.index(one) for one in own))
    rows = TravelEvent.objects.filter(Among("record_id", ids)).order_by("record_id", "number")
    found: dict[int, list[Step]] = defaultdict(list)
    seen: set[str] = set()
    keys, shown, proved = macs.keys(), len(SHOWN), len(SHOWN) + len(PROOF)
    for row in rows.values_list(*names):
        proof = row[shown:proved]
        if proof[3] in seen or not is_ours(proof, envelope(row), keys):
            return None
        seen.add(proof[3])
        found[row[0]].append(Step(row[: shown + 1]))
    return found


def is_ours(proof: Row, envelope: Row, keys: Mapping[str, bytes]) -> bool:
    """Tell whether an event that was not purged has a MAC of ours.

    `proof` is as PROOF names the columns, `envelope` as the form of events does its `own`; `keys`
    are those of ledgers.
    """
    payload, salt, key, mac = proof
    held = keys.get(key)
    if held is None or not payload:
        return False
    content = hashlib.sha256(f"{salt}:{payload}".encode()).hexdigest()
    bare = form(TravelEvent, TravelEvent.PURGEABLE).bare(envelope)
    return macs.of(held, mac_text(ledger=TravelEvent.LEDGER, content=content, record=bare)) == mac


def keys_of(ids: Sequence[int]) -> dict[int, Key]:
    """Return the keys of records by their number; one query."""
    rows = RecordKey.objects.filter(Among("record_id", ids)).values_list(
        "record_id", "wrapped", "under"
    )
    return {number: Key(wrapped, under) for number, wrapped, under in rows}
