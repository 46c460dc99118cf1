"""Exports: a ZIP streamed while it is made, with a signed manifest of its hash at the end.

An export is on record before its first byte leaves, and again, with its hash, when it is whole.
"""

import csv
import hashlib
import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.module_loading import import_string

from apps.core.batches import chunks
from apps.core.clock import now as present
from apps.core.sealing import last_seal
from apps.core.shapes import iso
from apps.core.signing import attest
from apps.desk.exports import BATCH, Asked, Export, Row
from apps.oversight.models import ExportEvent, Phase, ReadEvent
from apps.oversight.rules import cell
from config.desk import EXPORTS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def kinds() -> dict[str, Export]:
    """Return what can be exported, by name, as the apps declare it."""
    return {name: import_string(path) for name, path in EXPORTS.items()}


@dataclass
class Buffer(io.RawIOBase):
    """Collects what the archive writes until it is sent; it cannot seek, so nothing is kept."""

    parts: list[bytes] = field(default_factory=list)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken


def start(*, asked: Asked, by: "User", now: datetime) -> Iterator[bytes]:
    """Record that an export starts and return its bytes, which are made as they are read.

    KeyError for a kind that config/desk.py does not list.
    """
    kind = kinds()[asked.what]
    export_id = uuid.uuid4()
    span = {"from": iso(asked.since), "until": iso(asked.until)}
    columns = {"export_id": export_id, "by": by, "what": asked.what}
    ExportEvent.write(payload=span, now=now, phase=Phase.STARTED, **columns)
    position, head = last_seal(kind.ledger)
    manifest = span | {
        "export": str(export_id),
        "exportedBy": by.get_username(),
        "exportedAt": iso(now),
        "what": asked.what,
        "ledger": {"name": kind.ledger, "position": position, "digest": head},
    }
    return _stream(asked, kind, manifest, columns)


def _stream(
    asked: Asked, kind: Export, manifest: dict[str, Any], columns: dict[str, Any]
) -> Iterator[bytes]:
    buffer, hashed, count = Buffer(), hashlib.sha256(), 0
    name = f"{asked.what}.csv"
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open(name, "w", force_zip64=True) as out:
            for rows in chunks(_with_heading(kind, asked), BATCH):
                text = _lines(rows)
                hashed.update(text)
                out.write(text)
                count += len(rows)
                yield buffer.take()
        found = {"file": name, "rows": count - 1, "sha256": hashed.hexdigest()}
        archive.writestr("manifest.json", json.dumps(attest(manifest | found), indent=1))
        archive.writestr("HOW-TO-VERIFY.txt", VERIFY)
    ExportEvent.write(payload=found, now=present(), phase=Phase.FINISHED, **columns)
    yield buffer.take()


VERIFY = """The CSV's SHA-256 stands in manifest.json; compare it with `sha256sum FILE.csv`.
The manifest is signed (Ed25519); the public keys are at /compliance/.well-known/jwks.json.
A cell that a spreadsheet would take for a formula begins with an apostrophe.
"""


def _with_heading(kind: Export, asked: Asked) -> Iterator[Row]:
    yield kind.columns
    yield from kind.rows(asked)


def _lines(rows: list[Row]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _reads(asked: Asked) -> Iterator[Row]:
    found = ReadEvent.objects.filter(recorded_at__gte=asked.since, recorded_at__lt=asked.until)
    for event in found.select_related("by").order_by("pk").iterator(BATCH):
        data = event.data
        seen = (event.what, event.ref, data.get("address", ""), data.get("query", ""))
        yield (event.pk, iso(event.recorded_at), event.by.get_username(), *seen)


READS = Export(
    "Who opened personal data",
    "reads",
    ("event", "at", "who", "what", "id", "address", "query"),
    _reads,
)
