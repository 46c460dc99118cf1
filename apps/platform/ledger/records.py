"""Ledgers: append-only records that are chained off the hot path and can be verified.

A record is one row: an open envelope (ids, outcome, times) and a salted canonical payload.
The sealer puts a `Seal` beside it, so that any altered, missing, reordered or cut-off row
shows. A payload may leave at the end of its retention; its seal still verifies the rest. Each
record carries a MAC, made when it is written: one without a right MAC is not ours.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from django.apps import apps
from django.db import models

from apps.platform.crypto import macs
from apps.platform.crypto.canonical import canonical_json
from apps.platform.db.compiled_statements import insert_row
from apps.platform.ledger import written_record_log
from apps.platform.ledger.envelope_encoding import (
    encode_link_input,
    encode_mac_input,
    envelope_columns,
    envelope_encoder,
)

GENESIS = "0" * 64
FORGOTTEN = "forgotten"  # value of columns that were cleared together with a payload
BATCH = 100  # records per statement


class LedgerRecord(models.Model):
    """Base of everything that proves something.

    Subclasses set `LEDGER` (its name, never changed) and add columns without personal data; what is
    personal goes into `payload`, which retention can blank. A column that is added later must be
    null for the records that were there before: nulls are not part of the seal. `YEARS` is for how
    long payloads are kept. Even the existence of a `CONFIDENTIAL` ledger is hidden from everybody
    who may not see its records: in logs, health and operators' pages.
    """

    LEDGER: ClassVar[str]
    APPEND_ONLY: ClassVar[bool] = True
    PURGEABLE: ClassVar[tuple[str, ...]] = ("payload", "salt")
    CONFIDENTIAL: ClassVar[bool] = False
    # Regulation (EU) 2024/1624 Art. 77: five years, unless a ledger has a reason for more
    YEARS: ClassVar[int] = 5
    # for periods that a specification counts in seconds, unless RETENTION_YEARS overrules them
    KEPT: ClassVar[timedelta | None] = None
    # the column of the thing whose steps these records are: a hold on one holds all, future ones
    # too
    STEPS_OF: ClassVar[str] = ""

    payload = models.TextField()
    salt = models.CharField(max_length=32)
    recorded_at = models.DateTimeField()
    mac_key = models.CharField(max_length=macs.LONGEST_ID, null=True, editable=False)
    mac = models.CharField(max_length=64, null=True, editable=False)

    class Meta:
        abstract = True

    @classmethod
    def write(cls, *, payload: dict[str, Any], now: datetime, **columns: Any) -> Any:
        """Append one record with its MAC and return it; `payload` may hold no floats."""
        record = cls._made(payload, now, columns)
        # the hot path of every call: composing the INSERT takes Django longer than running it
        insert_row(record)
        written_record_log.note_records(
            ledger=cls.LEDGER, contents=[record.content_hash()], now=now
        )
        return record

    @classmethod
    def write_many(
        cls, *, payload: dict[str, Any], now: datetime, rows: Iterable[dict[str, Any]]
    ) -> None:
        """Append a record for each of `rows`, their columns, with the same payload, in batches."""
        cls.write_each(now=now, rows=((payload, columns) for columns in rows))

    @classmethod
    def write_each(
        cls, *, now: datetime, rows: Iterable[tuple[dict[str, Any], dict[str, Any]]]
    ) -> None:
        """Append a record for each payload with its columns, in batches."""
        records = [cls._made(payload, now, columns) for payload, columns in rows]
        cls._default_manager.bulk_create(records, batch_size=BATCH)
        written_record_log.note_records(
            ledger=cls.LEDGER, contents=[record.content_hash() for record in records], now=now
        )

    @classmethod
    def _made(cls, payload: dict[str, Any], now: datetime, columns: dict[str, Any]) -> Self:
        record = cls(
            payload=canonical_json(payload).decode("utf-8"),
            # without a salt, the hash that stays after a purge would let a short payload be guessed
            salt=secrets.token_hex(16),
            recorded_at=now,
            **columns,
        )
        # the MAC covers the values as the database will return them
        for name, read_back in envelope_columns(cls):
            value = getattr(record, name)
            if (same := read_back(value)) is not value:
                setattr(record, name, same)
        record.mac_key, record.mac = macs.make_mac_of_text(record._mac_text(record.content_hash()))
        return record

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Return the condition for records `before` the cutoff that still keep their payload."""
        return models.Q(pk__in=[])

    def forget(self, *, now: datetime) -> None:
        """Clear copies of this record's payload in other rows, when that is purged."""

    @property
    def data(self) -> dict[str, Any]:
        """Return the payload as written; empty after a purge."""
        return json.loads(self.payload) if self.payload else {}

    @property
    def purged(self) -> bool:
        """Tell whether the payload was purged."""
        return not self.payload and not self.salt

    def content_hash(self) -> str:
        """Return the salted SHA-256 of the payload."""
        return hashlib.sha256(f"{self.salt}:{self.payload}".encode()).hexdigest()

    def envelope(self) -> dict[str, Any]:
        """Return every column that is set, except the proofs and the purgeable columns."""
        columns = {}
        for name, _ in envelope_columns(type(self)):
            value = getattr(self, name)
            if value is not None and name not in self.PURGEABLE:
                known = isinstance(value, str | int | bool | datetime)
                columns[name] = value if known else str(value)
        return columns

    def mac_fault(self, content: str | None = None) -> str:
        """Return why the record cannot be verified as ours, or an empty text.

        `content` is the hash of a purged payload, which its seal holds.
        """
        text = self._mac_text(content or self.content_hash())
        return macs.find_mac_fault_of_text(key_id=self.mac_key, mac=self.mac, text=text)

    def _mac_text(self, content: str) -> str:
        """Return the text that the MAC covers.

        It leaves out the id, which the database assigns only on insert: a copied row is found by
        the hash of its salted content, which no other record has.
        """
        record, _ = envelope_encoder(type(self), self.PURGEABLE).of(self)
        return encode_mac_input(ledger=self.LEDGER, content=content, record=record)


def compute_link_digest(
    *,
    ledger: str,
    position: int,
    previous: str,
    record: LedgerRecord,
    content: str,
    sealed_at: datetime,
) -> str:
    """Return the digest of one link of the chain."""
    _, envelope = envelope_encoder(type(record), record.PURGEABLE).of(record)
    link_input = encode_link_input(
        ledger=ledger,
        position=position,
        previous=previous,
        record=envelope,
        content=content,
        sealed_at=sealed_at,
    )
    return hashlib.sha256(link_input.encode()).hexdigest()


def ledger_models() -> dict[str, type[LedgerRecord]]:
    """Return every ledger's model by its name."""
    return {m.LEDGER: m for m in apps.get_models() if issubclass(m, LedgerRecord)}
