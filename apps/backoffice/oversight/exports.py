"""Exports: a ZIP streamed while it is made, with a signed manifest of its hash at the end.

An export is on record before its first byte leaves, and again, with its hash, when it is whole.
"""

import hashlib
import json
import uuid
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.backoffice.oversight.models import ExportEvent, Phase, ReadEvent
from apps.platform.common import clock
from apps.platform.common.clock import format_utc
from apps.platform.common.spreadsheets import stream_csv
from apps.platform.common.stream_buffer import StreamBuffer
from apps.platform.crypto.signatures import sign_statement
from apps.platform.desk.export_registry import BATCH, EXPORTS, Export, ExportRequest, Row
from apps.platform.ledger.verification.verified_reads import read_chain_end

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def load_export_types() -> dict[str, Export]:
    """Return what can be exported, by name, as the apps declare it."""
    return dict(sorted(EXPORTS.items()))


def start_export(*, asked: ExportRequest, by: "User", now: datetime) -> Iterator[bytes]:
    """Record that an export starts and return its bytes, which are made as they are read.

    KeyError for a kind that no app registers.
    """
    # no generator itself: a generator would record nothing before its first byte is asked for
    kind = load_export_types()[asked.what]
    export_id = uuid.uuid4()
    span = {"from": format_utc(asked.since), "until": format_utc(asked.until)}
    columns = {"export_id": export_id, "by": by, "what": asked.what}
    ExportEvent.write(payload=span, now=now, phase=Phase.STARTED, **columns)
    position, head = read_chain_end(kind.ledger)
    manifest = span | {
        "export": str(export_id),
        "exportedBy": by.get_username(),
        "exportedAt": format_utc(now),
        "what": asked.what,
        "ledger": {"name": kind.ledger, "position": position, "digest": head},
    }
    return _stream_export(asked, kind, manifest, columns)


def _stream_export(
    export_request: ExportRequest, kind: Export, manifest: dict[str, Any], columns: dict[str, Any]
) -> Iterator[bytes]:
    buffer, hashed, count = StreamBuffer(), hashlib.sha256(), 0

    def counted() -> Iterator[Row]:
        nonlocal count
        for row in _iterate_rows_with_heading(kind, export_request):
            count += 1
            yield row

    name = f"{export_request.what}.csv"
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        # the size is not known before the end, and may exceed the 2 GiB of a plain ZIP entry
        with archive.open(name, "w", force_zip64=True) as out:
            for text in stream_csv(counted(), at_once=BATCH):
                hashed.update(text)
                out.write(text)
                yield buffer.take()
        # without the heading
        finished_export = {"file": name, "rows": count - 1, "sha256": hashed.hexdigest()}
        archive.writestr(
            "manifest.json", json.dumps(sign_statement(manifest | finished_export), indent=1)
        )
        archive.writestr("HOW-TO-VERIFY.txt", VERIFY)
    # before the last bytes: whoever has the whole file is on record as having it
    ExportEvent.write(payload=finished_export, now=clock.now(), phase=Phase.FINISHED, **columns)
    yield buffer.take()


VERIFY = """The CSV's SHA-256 is in manifest.json; compare it with `sha256sum FILE.csv`.
The manifest is signed (Ed25519); the public keys are at /compliance/.well-known/jwks.json.
A cell that a spreadsheet would take for a formula begins with an apostrophe.
"""


def _iterate_rows_with_heading(kind: Export, export_request: ExportRequest) -> Iterator[Row]:
    yield kind.columns
    yield from kind.rows(export_request)


def _iterate_read_rows(export_request: ExportRequest) -> Iterator[Row]:
    read_events = ReadEvent.objects.filter(
        recorded_at__gte=export_request.since, recorded_at__lt=export_request.until
    )
    for event in read_events.select_related("by").order_by("pk").iterator(BATCH):
        data = event.data
        seen = (event.what, event.ref, data.get("address", ""), data.get("query", ""))
        yield (event.pk, format_utc(event.recorded_at), event.by.get_username(), *seen)


READS = Export(
    "Who opened personal data",
    "reads",
    ("event", "at", "who", "what", "id", "address", "query"),
    _iterate_read_rows,
)
