"""MACs of LEI records and ownership, made as rows are imported or answered.

An attacker who can write the database can rename an entity or give it another owner. A row with an
invalid MAC is not used: its subject counts as not checked. The MAC is that of crypto/macs.py, cut
to 128 bits as RFC 2104 section 5 allows: there are millions of rows. It covers the kind of source,
not the file that a row belongs to, because a delta's rows become the full copy's.
"""

import hmac
import json
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from django.db import models

from apps.platform.crypto import macs

DIGITS = 32  # hex
LONGEST_PROOF = macs.LONGEST_ID + 1 + DIGITS
# what the MAC of a row covers, in this order, by the name of its model; then the source
COVERED: dict[str, tuple[str, ...]] = {
    "LeiRecord": (
        *("lei", "legal_name", "other_names", "jurisdiction", "country", "headquarters"),
        *("category", "legal_form", "registered_as", "managing_lou", "successor"),
        *("entity_status", "registration_status", "next_renewal", "fetched_at", "as_of"),
    ),
    "Relationship": ("child", "parent", "kind", "status", "since", "until", "share", "as_of"),
    "ReportingException": ("lei", "kind", "reason", "as_of"),
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class ProofField(models.CharField):  # type: ignore[type-arg]
    """The proof of a row, made as it is inserted by a model; imports make it themselves."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the proof of a row that is being inserted; of another, what it carries."""
        if add:
            setattr(model_instance, self.attname, prove_row(model_instance))
        return str(getattr(model_instance, self.attname))


def prove_row(row: Any) -> str:
    """Return the proof of a model's row by the key that signs now."""
    name = type(row).__name__
    fields = row._meta.get_field
    values = [
        fields(field_name).to_python(getattr(row, field_name)) for field_name in COVERED[name]
    ]
    return make_prover(name)(values, row.file.source)


def make_prover(name: str) -> Callable[[Sequence[Any], str], str]:
    """Return what makes the proof of a model's rows: values as COVERED has them, and the source."""
    # once per file and not per row
    key_id, key = next(iter(macs.ledger_keys().items()))

    def prove(values: Sequence[Any], source: str) -> str:
        return f"{key_id}:{macs.compute_mac(key, _proof_text(name, values, source))[:DIGITS]}"

    return prove


def make_verifier(name: str) -> Callable[[str, Sequence[Any], str], bool]:
    """Return what tells whether a proof holds: the proof, values as COVERED has them, source."""
    keys = macs.ledger_keys()

    def holds(proof: str, values: Sequence[Any], source: str) -> bool:
        key_id, _, mac = proof.partition(":")
        key = keys.get(key_id)
        if key is None:
            return False
        expected = macs.compute_mac(key, _proof_text(name, values, source))[:DIGITS]
        return hmac.compare_digest(expected.encode(), mac.encode())

    return holds


def _proof_text(name: str, values: Sequence[Any], source: str) -> str:
    return _ENCODER.encode([name, source, *(_to_json_value(value) for value in values)])


def _to_json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        # one form, whichever database returned the value
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.isoformat() if isinstance(value, date) else value
