"""Write the JSON of a ledger record's envelope column by column.

The result is the canonical form (crypto/canonical.py) that a MAC and a seal cover. Writing it this
way takes a third of the time of building a mapping and encoding that, which matters when whole
ledgers are read.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import lru_cache
from json import encoder
from typing import Any

from django.db import models

from apps.platform.common.clock import EPOCH

# a proof does not cover the proofs themselves
PROOFS = ("mac", "mac_key")
_quote_json: Callable[[str], str] = encoder.encode_basestring


@lru_cache(maxsize=128)
def envelope_columns(model: type[models.Model]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Return the columns that a MAC or a seal may cover, and how each is read."""
    fields = [field for field in model._meta.concrete_fields if field.attname not in PROOFS]
    return tuple((field.attname, field.to_python) for field in fields)


def encode_envelope_value(value: Any) -> str:
    """Return the JSON of an envelope's value: moments as microseconds, other types as texts."""
    kind = type(value)
    if kind is str:
        return _quote_json(value)
    if kind is int:
        return repr(value)
    if isinstance(value, datetime):
        since = value - EPOCH
        # whole numbers: a float of seconds would lose the last microseconds
        return repr((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds)
    if kind is bool:
        return "true" if value else "false"
    # such as an IntegerChoices member, whose own repr is its name
    if isinstance(value, int):
        return int.__repr__(value)
    return _quote_json(value if isinstance(value, str) else str(value))


class EnvelopeEncoder:
    """Writer of a model's envelopes; `names` are its columns, sorted as JSON has them.

    The id is separate from the `own` columns: a seal covers it, a MAC does not.
    """

    def __init__(self, model: type[models.Model], leave: Collection[str]) -> None:
        names = sorted(name for name, _ in envelope_columns(model) if name not in leave)
        self.names = tuple(names)
        self._keys = tuple(f"{_quote_json(name)}:" for name in names)
        self.own = tuple(name for name in names if name != "id")
        self._bare = tuple(f"{_quote_json(name)}:" for name in self.own)
        self._id = names.index("id") if "id" in names else len(names)

    def of(self, record: models.Model) -> tuple[str, str]:
        """Return the JSON of a record's envelope without its id, and with it."""
        values = record.__dict__
        return self.texts(
            [values[name] if name in values else getattr(record, name) for name in self.names]
        )

    def bare(self, values: Sequence[Any]) -> str:
        """Return the JSON of a row without the id, which a MAC covers."""
        pairs = zip(self._bare, values, strict=True)
        # nulls are left out, so that a column that is added later changes no old MAC
        members = [key + encode_envelope_value(value) for key, value in pairs if value is not None]
        return f"{{{','.join(members)}}}"

    def texts(self, values: Sequence[Any]) -> tuple[str, str]:
        """Return the same for a row whose values are as `names` has them; nulls are left out."""
        parts = [
            key + encode_envelope_value(value) if value is not None else ""
            for key, value in zip(self._keys, values, strict=True)
        ]
        whole = ",".join(filter(None, parts))
        if self._id < len(parts):
            parts[self._id] = ""
        return f"{{{','.join(filter(None, parts))}}}", f"{{{whole}}}"


@lru_cache(maxsize=256)
def envelope_encoder(model: type[models.Model], leave: tuple[str, ...]) -> EnvelopeEncoder:
    """Return the encoder of a model's envelopes, without the columns to `leave`."""
    return EnvelopeEncoder(model, leave)


def encode_mac_input(*, ledger: str, content: str, record: str) -> str:
    """Return the input of a MAC: `record` is the JSON of the envelope without the id."""
    return f'{{"content":{_quote_json(content)},"ledger":{_quote_json(ledger)},"record":{record}}}'


def encode_link_input(
    *, ledger: str, position: int, previous: str, record: str, content: str, sealed_at: datetime
) -> str:
    """Return the input of a link's digest: `record` has the id."""
    return (
        f'{{"content":{_quote_json(content)},"ledger":{_quote_json(ledger)},"position":{position},'
        f'"previous":{_quote_json(previous)},"record":{record},"sealedAt":{encode_envelope_value(sealed_at)}}}'
    )
