"""A ZIP of chosen records, streamed while it is built, verifiable like a full export.

In addition to the verifiable lines it has a readable folder for each record: its message, the
received bytes, its history. Its contents are recorded before the first byte is sent, and again when
it is complete.
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
from apps.payments.travelrule.export.lines import read_lines
from apps.payments.travelrule.export.manifest import (
    ExportFile,
    TreeAnchor,
    anchor_export,
    build_manifest,
    describe_record_selection,
)
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
from apps.payments.travelrule.selectors.serialized_records import serialize_record
from apps.payments.travelrule.selectors.verified_records import (
    is_record_verified,
    load_verified_events,
)
from apps.payments.travelrule.views.ivms_message import load_encrypted_part, read_stored_message
from apps.platform.common import clock
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.common.stream_buffer import StreamBuffer
from apps.platform.crypto.canonical import canonical_json
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.verified_reads import read_chain_end

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ARCHIVE_NAME = "travel-records"
AT_ONCE = 50  # records whose files are in memory at the same time
NamedFiles = Iterator[tuple[str, bytes]]
README_TEXT = f"""{VERIFY_TEXT}records.ndjson  each record with its sealed events, salts and proofs
{PROOF_TEXT}summary.json    who downloaded the archive, when, which records, and the ledger's head
SHA256SUMS      the SHA-256 of the files before it: `sha256sum -c SHA256SUMS`

Each record has a folder named by its id: record.json (the record as the API returns it),
message.json (its IVMS 101 message), raw.bin (the bytes that a counterparty sent) or
instruction.json (the institution's instruction), and history.json (each step with its position in
the ledger's chain).
"""


@dataclass
class RecordArchive:
    """An archive while it is made; `summary` and `sample` say which records, and why."""

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
        """Yield its bytes from one snapshot; record the export as finished after the last."""
        whole = ExportFile(f"{self.columns['export_id']}.zip")
        with open_snapshot():
            for piece in self._zip():
                yield whole.taken(piece)
        end_summary: dict[str, Any] = {"rows": len(self.records), "sha256": whole.sha256}
        if root := self.anchor.root:
            end_summary["tree"] = {"size": root["size"], "root": root["root"]}
        end_summary |= self.counts
        ExportEvent.write(
            payload=end_summary, now=clock.now(), phase=Phase.FINISHED, **self.columns
        )

    def _zip(self) -> Iterator[bytes]:
        buffer, data = StreamBuffer(), ExportFile(DATA, lines=Frontier())
        files = [data]
        rows = TravelRecord.objects.filter(pk__in=[record.pk for record in self.records])
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            # the size is not known when the header is written, and may exceed 4 GiB
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
        return build_manifest(
            export_id=self.columns["export_id"],
            by=self.by,
            narrowed=describe_record_selection(self.records, self.sample),
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
    """Record the download and return the bytes of the archive, built as they are read.

    `about` is further content of summary.json: the engagement; `sample` how they were selected.
    TreeBroken where seals of the ledger are missing.
    """
    anchor = anchor_export(since=None, now=now)
    columns = {"export_id": uuid.uuid4(), "by": by, "what": ARCHIVE_NAME}
    start_summary = about | (sample or {}) | {"records": len(records)}
    ExportEvent.write(payload=start_summary, now=now, phase=Phase.STARTED, **columns)
    position, digest = read_chain_end(TravelEvent.LEDGER)
    summary = start_summary | {
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
    numbers = [event.pk for events_of_record in events.values() for event in events_of_record]
    seals = {
        seal.record_id: seal
        for seal in Seal.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=numbers)
    }
    paid = Payment.objects.filter(payment_id__in=[record.payment_id for record in records])
    payments = {payment.payment_id: payment for payment in paid}
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
        yield f"{folder}/NOT-AS-RECORDED.txt", b"The record failed its integrity check.\n"
        return
    message, why = read_stored_message(record, events, key)
    if why:
        yield f"{folder}/NO-MESSAGE.txt", f"The message: {why}.\n".encode()
    else:
        yield f"{folder}/record.json", _encode_json(serialize_record(record, events, key))
        yield f"{folder}/message.json", canonical_json(message)
        # the bytes that came, or else the instruction of the message's payment
        if raw := load_encrypted_part(record, events, key, "raw"):
            yield f"{folder}/raw.bin", raw
        payment = payments.get(record.payment_id)
        if payment is not None and payment.instruction and not raw:
            yield f"{folder}/instruction.json", _encode_json(payment.instruction)
    yield (
        f"{folder}/history.json",
        _encode_json([_serialize_event(event, seals.get(event.pk)) for event in events]),
    )


def _serialize_event(event: TravelEvent, seal: Seal | None) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "number": event.number,
        "event": event.event,
        "status": event.status,
        "rule": event.turn,
        "at": format_utc(event.recorded_at),
        "content": event.content_hash(),
    }
    if seal is None:
        return payload
    chain = {"position": seal.position, "previous": seal.previous, "digest": seal.digest}
    return payload | {"sealedAt": format_utc(seal.sealed_at)} | chain


def _encode_json(what: Any) -> bytes:
    return json.dumps(what, indent=1, ensure_ascii=False, default=_format_plain).encode()


def _format_plain(what: Any) -> str:
    return format_utc(what) if isinstance(what, datetime) else str(what)
