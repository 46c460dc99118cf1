"""Ledgers: append-only records that are chained off the hot path and can be verified.

A record is one row: an open envelope (ids, outcome, times) and a salted canonical payload.
The sealer puts a `Seal` beside it, so that any altered, missing, reordered or cut-off row
shows. A payload may leave at the end of its retention; its seal still verifies the rest.
"""

import hashlib
import json
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from django.apps import apps
from django.db import models

from apps.core.canonical import canonical, digest

GENESIS = "0" * 64
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class LedgerRecord(models.Model):
    """Base of everything that proves something.

    Subclasses set `LEDGER` (its name, never changed) and add columns without personal data;
    what is personal goes into `payload`, which retention can blank. A column that is added
    later must be null for the records that were there before: nulls are not part of the seal.
    """

    LEDGER: ClassVar[str]
    APPEND_ONLY: ClassVar[bool] = True
    PURGEABLE: ClassVar[tuple[str, ...]] = ("payload", "salt")

    payload = models.TextField()
    salt = models.CharField(max_length=32)
    recorded_at = models.DateTimeField()

    class Meta:
        abstract = True

    @classmethod
    def write(cls, *, payload: dict[str, Any], now: datetime, **columns: Any) -> Any:
        """Append one record and return it; `payload` may hold no floats."""
        return cls._default_manager.create(
            payload=canonical(payload).decode("utf-8"),
            salt=secrets.token_hex(16),
            recorded_at=now,
            **columns,
        )

    @property
    def data(self) -> dict[str, Any]:
        """The payload as written; empty when it has been purged."""
        return json.loads(self.payload) if self.payload else {}

    @property
    def purged(self) -> bool:
        """Whether retention has blanked the payload."""
        return not self.payload and not self.salt

    def content_hash(self) -> str:
        """Return the salted SHA-256 of the payload."""
        return hashlib.sha256(f"{self.salt}:{self.payload}".encode()).hexdigest()

    def envelope(self) -> dict[str, Any]:
        """Return every column that is set, but the purgeable ones, each in one exact form."""
        found = {}
        for field in self._meta.concrete_fields:
            value = field.value_from_object(self)
            if field.attname not in self.PURGEABLE and value is not None:
                known = isinstance(value, str | int | bool | datetime)
                found[field.attname] = value if known else str(value)
        return found


def link(
    *,
    ledger: str,
    position: int,
    previous: str,
    record: LedgerRecord,
    content: str,
    sealed_at: datetime,
) -> str:
    """Return the digest of one link of the chain."""
    return digest(
        {
            "ledger": ledger,
            "position": position,
            "previous": previous,
            "record": {name: _plain(value) for name, value in record.envelope().items()},
            "content": content,
            "sealedAt": _plain(sealed_at),
        }
    )


def _plain(value: Any) -> Any:
    """Express moments as epoch microseconds: databases return different time zones."""
    return (value - _EPOCH) // timedelta(microseconds=1) if isinstance(value, datetime) else value


def ledgers() -> dict[str, type[LedgerRecord]]:
    """Return every ledger's model by its name."""
    return {m.LEDGER: m for m in apps.get_models() if issubclass(m, LedgerRecord)}
