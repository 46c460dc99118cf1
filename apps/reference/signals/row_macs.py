"""Proofs of observations: that this platform stored a value, with a key outside the database.

An attacker who can write the database can insert a row, because append-only triggers stop no
INSERT. So a row carries the MAC of what answers rely on: series, day, value, source and vintage
(crypto/macs.py, cut to 128 bits as RFC 2104 section 5 allows). A row without it is treated as
missing: it is no value, and withdraws none. `verify_ledger` names it, and so does its page at the
desk.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.db import models

from apps.platform.crypto import macs

LENGTH = 32  # hex digits
LONGEST = macs.LONGEST_ID + 1 + LENGTH
MOST_REMEMBERED = 100_000  # rows that a process remembers to have proven themselves: some 40 MB
# what is proven, and the proof, in the order of `ProofRow`
COLUMNS = ("series", "observed_on", "value", "source", "vintage", "proof")
ProofRow = tuple[str, date, Decimal | None, str, datetime, str]


@dataclass(slots=True)
class _ProvenRows:
    """The rows that proved themselves to this process, by these keys."""

    keys: Mapping[str, bytes] = field(default_factory=dict)
    rows: set[ProofRow] = field(default_factory=set)

    def by(self, keys: Mapping[str, bytes]) -> set[ProofRow]:
        # a new set of keys may lack the one of a row that is remembered
        if keys is not self.keys or len(self.rows) > MOST_REMEMBERED:
            self.keys, self.rows = keys, set()
        return self.rows


_PROVEN_ROWS = _ProvenRows()


class ProofField(models.CharField):  # type: ignore[type-arg]
    """The proof of a row. It is made as the row is written, however it is: by save or in bulk."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the proof of a row that is being inserted; of another, what it carries."""
        if add:
            setattr(model_instance, self.attname, make_proof(model_instance))
        return str(getattr(model_instance, self.attname))


def make_proof(row: Any) -> str:
    """Return the proof of an observation, `key id:32 hex`, by the key that signs now."""
    meta = row._meta
    fields = [meta.get_field(name).to_python(getattr(row, name)) for name in COLUMNS[:-1]]
    name, key = next(iter(macs.ledger_keys().items()))
    return f"{name}:{_compute_row_mac(key, *fields)}"


def filter_proven_rows(rows: Iterable[ProofRow]) -> Iterator[ProofRow]:
    """Yield the rows with a valid proof. A process verifies most of them only once."""
    proven, holds = None, None
    for row in rows:
        if proven is None or holds is None:  # an empty table asks for no key
            proven, holds = _PROVEN_ROWS.by(macs.ledger_keys()), make_proof_check()
        # most rows are read again and again, and a MAC takes longer than a look-up in a set
        if row in proven:
            yield row
        elif holds(row):
            proven.add(row)
            yield row


def find_proof_fault(row: Any) -> str:
    """Return the fault of an observation's proof, or an empty text."""
    if not row.proof:
        return "it has no proof that this platform stored it"
    is_proven = make_proof_check()(tuple(getattr(row, name) for name in COLUMNS))
    return "" if is_proven else "its proof is not valid: this platform did not store it"


def make_proof_check() -> Callable[[Any], bool]:
    """Return what tells of a row, in the order of COLUMNS, whether its proof holds."""
    keys = macs.ledger_keys()

    def holds(row: ProofRow) -> bool:
        series, day, value, source, at, proof = row
        name, _, mac = proof.partition(":")
        key = keys.get(name)
        if key is None:
            return False
        row_mac = _compute_row_mac(key, series, day, value, source, at)
        return hmac.compare_digest(row_mac.encode(), mac.encode())

    return holds


def _compute_row_mac(
    key: bytes,
    series: str,
    day: date,
    value: Decimal | None,
    source: str,
    at: datetime,
) -> str:
    """Return the MAC of a row. Names are quoted, so that no two rows read alike."""
    # PostgreSQL keeps no sign of a zero, and what is less than half a digit becomes one
    text = "" if value is None else f"{value:z.8f}"
    moment = at.astimezone(UTC).isoformat(timespec="microseconds")
    return macs.compute_mac(key, f"observation\n{series!r}\n{day}\n{text}\n{source!r}\n{moment}")[
        :LENGTH
    ]
