"""A ZIP of chosen records, streamed while it is made: it proves itself as a whole export does.

Beside the lines that are verified stands a folder for each record, for people: its message, what
came, its history. What is in it is on record before its first byte leaves, and again when it is
whole.
"""

import json
import uuid
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.payments.payments.models import Payment
from apps.payments.travelrule.export import manifest as stating
from apps.payments.travelrule.export.lines import read_lines
from apps.payments.travelrule.export.manifest import ExportFile, TreeAnchor
from apps.payments.travelrule.export.snapshot import open_snapshot
from apps.payments.travelrule.export.streams import (
    DATA,
    PROOF_TEXT,
    VERIFY_TEXT,
    close_archive,
    prove_lines,
)
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.proofs.merkle import Frontier
from apps.payments.travelrule.selectors.verified_records import (
    is_record_verified,
    load_verified_events,
    serialize_record,
)
from apps.payments.travelrule.views.message import load_encrypted_part, read_stored_message
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.common.clock import now as present
from apps.platform.common.stream_buffer import StreamBuffer
from apps.platform.crypto.canonical import canonical_json
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.hash_chain import read_chain_end

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ARCHIVE_NAME = "travel-records"
AT_ONCE = 50
NamedFiles = Iterator[tuple[str, bytes]]
README_TEXT = f"""{VERIFY_TEXT}records.ndjson  each record with its sealed events, salts and proofs
{PROOF_TEXT}summary.json    who took the archive, when, of which records, and where the ledger stood
SHA256SUMS      the SHA-256 of the files before it: `sha256sum -c SHA256SUMS`

Each record has a folder of its id: record.json (what is told of it), message.json (its
IVMS 101 message), raw.bin (the bytes that a counterparty sent) or instruction.json (what the
institution instructed), and history.json (each step with its place in the chain of the ledger).
"""


@dataclass
class RecordArchive:
    """Records while they are taken away; `summary` and `sample` say which, and why."""

    records: Sequence[TravelRecord]
    by: str
    summary: dict[str, Any]
    sample: dict[str, Any] | None
    columns: dict[str, Any]
    anchor: TreeAnchor
    now: datetime
    counts: dict[str, int] = field(
        default_factory=lambda: {"records": 0, "withheld": 0, "waiting": 0}
    )

    def stream(self) -> Iterator[bytes]:
        """Yield its bytes from one snapshot; what left is on record when all has left."""
        whole = ExportFile(f"{self.columns['export_id']}.zip")
        with open_snapshot():
            for piece in self._zip():
                yield whole.taken(piece)
        said: dict[str, Any] = {"rows": len(self.records), "sha256": whole.sha256}
        if root := self.anchor.root:
            said["tree"] = {"size": root["size"], "root": root["root"]}
        said |= self.counts
        ExportEvent.write(payload=said, now=present(), phase=Phase.FINISHED, **self.columns)

    def _zip(self) -> Iterator[bytes]:
        buffer, data = StreamBuffer(), ExportFile(DATA, lines=Frontier())
        files = [data]
        rows = TravelRecord.objects.filter(pk__in=[record.pk for record in self.records])
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open(DATA, "w", force_zip64=True) as out:
                for batch in read_lines(rows.order_by("created_at", "pk")):
                    for line in prove_lines(self, batch):
                        out.write(data.line(line))
                    yield buffer.take()
            for piece in iter_chunks(self.records, AT_ONCE):
                for name, body in build_record_files(piece):
                    files.append(_write_file(archive, name, body))
                yield buffer.take()
            files.append(_write_file(archive, "summary.json", _encode_json(self.summary)))
            sums = "".join(f"{file.sha256}  {file.name}\n" for file in files)
            files.append(_write_file(archive, "SHA256SUMS", sums.encode()))
            close_archive(archive, files, README_TEXT, self.manifest)
        yield buffer.take()

    def manifest(self, files: list[ExportFile]) -> dict[str, Any]:
        """Return its signed manifest, in the form of a whole export's."""
        return stating.build_manifest(
            export_id=self.columns["export_id"],
            by=self.by,
            narrowed=stating.describe_records(self.records, self.sample),
            anchor=self.anchor,
            files=files,
            counts=self.counts,
            now=self.now,
        )


def start_archive(
    *,
    records: Sequence[TravelRecord],
    by: "User",
    about: dict[str, Any],
    now: datetime,
    sample: dict[str, Any] | None = None,
) -> Iterator[bytes]:
    """Record that records are taken and return the bytes of their archive, made as they are read.

    `about` is what summary.json says besides: the engagement; `sample` how they were drawn.
    TreeBroken where seals of the ledger are missing.
    """
    anchor = stating.anchor_export(since=None, now=now)
    columns = {"export_id": uuid.uuid4(), "by": by, "what": ARCHIVE_NAME}
    said = about | (sample or {}) | {"records": len(records)}
    ExportEvent.write(payload=said, now=now, phase=Phase.STARTED, **columns)
    position, digest = read_chain_end(TravelEvent.LEDGER)
    summary = said | {
        "export": str(columns["export_id"]),
        "takenBy": by.get_username(),
        "takenAt": format_utc(now),
        "ledger": {"name": TravelEvent.LEDGER, "position": position, "digest": digest},
    }
    return RecordArchive(records, by.get_username(), summary, sample, columns, anchor, now).stream()


def _write_file(archive: zipfile.ZipFile, name: str, body: bytes) -> ExportFile:
    export_file = ExportFile(name)
    archive.writestr(name, export_file.taken(body))
    return export_file


def build_record_files(records: Sequence[TravelRecord]) -> NamedFiles:
    """Yield name and bytes of each file of some records; four queries, however many."""
    events = load_verified_events(records)
    keys = {
        record_key.record_id: record_key
        for record_key in RecordKey.objects.filter(record__in=records)
    }
    seals = _load_seals([row for rows in events.values() for row in rows])
    paid = Payment.objects.filter(payment_id__in=[record.payment_id for record in records])
    payments = {one.payment_id: one for one in paid}
    for record in records:
        yield from _build_one_record_files(
            record, events[record.pk], keys.get(record.pk), seals, payments
        )


def _build_one_record_files(
    record: TravelRecord,
    events: list[TravelEvent],
    key: RecordKey | None,
    seals: dict[int, Seal],
    payments: dict[Any, Payment],
) -> NamedFiles:
    folder = f"records/{record.record_id}"
    if not is_record_verified(record, events):
        yield f"{folder}/NOT-AS-RECORDED.txt", b"The record is not as it was recorded.\n"
        return
    message, why = read_stored_message(record, events, key)
    if why:
        yield f"{folder}/NO-MESSAGE.txt", f"The message: {why}.\n".encode()
    else:
        yield f"{folder}/record.json", _encode_json(serialize_record(record, events, key))
        yield f"{folder}/message.json", canonical_json(message)
        yield from _build_source_files(folder, record, events, key, payments)
    yield (
        f"{folder}/history.json",
        _encode_json([_serialize_event(event, seals.get(event.pk)) for event in events]),
    )


def _build_source_files(
    folder: str,
    record: TravelRecord,
    events: list[TravelEvent],
    key: RecordKey | None,
    payments: dict[Any, Payment],
) -> NamedFiles:
    """Yield what a record was made from: the bytes that came, or what was instructed."""
    if raw := load_encrypted_part(record, events, key, "raw"):
        yield f"{folder}/raw.bin", raw
    payment = payments.get(record.payment_id)
    if payment is not None and payment.instruction and not raw:
        yield f"{folder}/instruction.json", _encode_json(payment.instruction)


def _serialize_event(event: TravelEvent, seal: Seal | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": event.number,
        "event": event.event,
        "status": event.status,
        "rule": event.turn,
        "at": format_utc(event.recorded_at),
        "content": event.content_hash(),
    }
    if seal is None:
        return found
    chain = {"position": seal.position, "previous": seal.previous, "digest": seal.digest}
    return found | {"sealedAt": format_utc(seal.sealed_at)} | chain


def _load_seals(events: Sequence[TravelEvent]) -> dict[int, Seal]:
    numbers = [event.pk for event in events]
    rows = Seal.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=numbers)
    return {row.record_id: row for row in rows}


def _encode_json(what: Any) -> bytes:
    return json.dumps(what, indent=1, ensure_ascii=False, default=_format_plain).encode()


def _format_plain(what: Any) -> str:
    return format_utc(what) if isinstance(what, datetime) else str(what)
