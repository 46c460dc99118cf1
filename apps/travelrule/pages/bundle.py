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

from apps.core.batches import chunks
from apps.core.canonical import canonical
from apps.core.chain import last_seal
from apps.core.clock import now as present
from apps.core.models import Seal
from apps.core.shapes import iso
from apps.oversight.exports import Buffer
from apps.oversight.models import ExportEvent, Phase
from apps.payments.models import Payment
from apps.travelrule.export import manifest as stating
from apps.travelrule.export.manifest import Anchor, File
from apps.travelrule.export.reading import read as lines_of
from apps.travelrule.export.snapshot import snapshot
from apps.travelrule.export.streaming import DATA, PROOF, VERIFY, close, proved
from apps.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.travelrule.pages.message import kept, read
from apps.travelrule.proofs.merkle import Frontier
from apps.travelrule.telling import events_of, is_proved, told_one

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WHAT = "travel-records"
AT_ONCE = 50
Files = Iterator[tuple[str, bytes]]
HOW = f"""{VERIFY}records.ndjson  each record with its sealed events, salts and proofs
{PROOF}summary.json    who took the archive, when, of which records, and where the ledger stood
SHA256SUMS      the SHA-256 of the files before it: `sha256sum -c SHA256SUMS`

Each record has a folder of its id: record.json (what is told of it), message.json (its
IVMS 101 message), raw.bin (the bytes that a counterparty sent) or instruction.json (what the
institution instructed), and history.json (each step with its place in the chain of the ledger).
"""


@dataclass
class Bundle:
    """Records while they are taken away; `summary` and `sample` say which, and why."""

    records: Sequence[TravelRecord]
    by: str
    summary: dict[str, Any]
    sample: dict[str, Any] | None
    columns: dict[str, Any]
    anchor: Anchor
    now: datetime
    counts: dict[str, int] = field(
        default_factory=lambda: {"records": 0, "withheld": 0, "waiting": 0}
    )

    def stream(self) -> Iterator[bytes]:
        """Yield its bytes from one snapshot; what left is on record when all has left."""
        whole = File(f"{self.columns['export_id']}.zip")
        with snapshot():
            for piece in self._zip():
                yield whole.taken(piece)
        said: dict[str, Any] = {"rows": len(self.records), "sha256": whole.sha256}
        if root := self.anchor.root:
            said["tree"] = {"size": root["size"], "root": root["root"]}
        said |= self.counts
        ExportEvent.write(payload=said, now=present(), phase=Phase.FINISHED, **self.columns)

    def _zip(self) -> Iterator[bytes]:
        buffer, data = Buffer(), File(DATA, lines=Frontier())
        files = [data]
        rows = TravelRecord.objects.filter(pk__in=[one.pk for one in self.records])
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open(DATA, "w", force_zip64=True) as out:
                for batch in lines_of(rows.order_by("created_at", "pk")):
                    for line in proved(self, batch):
                        out.write(data.line(line))
                    yield buffer.take()
            for piece in chunks(self.records, AT_ONCE):
                for name, body in files_of(piece):
                    files.append(_written(archive, name, body))
                yield buffer.take()
            files.append(_written(archive, "summary.json", _json(self.summary)))
            sums = "".join(f"{one.sha256}  {one.name}\n" for one in files)
            files.append(_written(archive, "SHA256SUMS", sums.encode()))
            close(archive, files, HOW, self.manifest)
        yield buffer.take()

    def manifest(self, files: list[File]) -> dict[str, Any]:
        """Return its signed manifest, in the form of a whole export's."""
        return stating.manifest(
            export_id=self.columns["export_id"],
            by=self.by,
            narrowed=stating.taken(self.records, self.sample),
            anchor=self.anchor,
            files=files,
            counts=self.counts,
            now=self.now,
        )


def start(
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
    anchor = stating.anchored(since=None, now=now)
    columns = {"export_id": uuid.uuid4(), "by": by, "what": WHAT}
    said = about | (sample or {}) | {"records": len(records)}
    ExportEvent.write(payload=said, now=now, phase=Phase.STARTED, **columns)
    position, digest = last_seal(TravelEvent.LEDGER)
    summary = said | {
        "export": str(columns["export_id"]),
        "takenBy": by.get_username(),
        "takenAt": iso(now),
        "ledger": {"name": TravelEvent.LEDGER, "position": position, "digest": digest},
    }
    return Bundle(records, by.get_username(), summary, sample, columns, anchor, now).stream()


def _written(archive: zipfile.ZipFile, name: str, body: bytes) -> File:
    found = File(name)
    archive.writestr(name, found.taken(body))
    return found


def files_of(records: Sequence[TravelRecord]) -> Files:
    """Yield name and bytes of each file of some records; four queries, however many."""
    events = events_of(records)
    keys = {one.record_id: one for one in RecordKey.objects.filter(record__in=records)}
    seals = _seals([one for rows in events.values() for one in rows])
    paid = Payment.objects.filter(payment_id__in=[one.payment_id for one in records])
    payments = {one.payment_id: one for one in paid}
    for one in records:
        yield from _files(one, events[one.pk], keys.get(one.pk), seals, payments)


def _files(
    record: TravelRecord,
    events: list[TravelEvent],
    key: RecordKey | None,
    seals: dict[int, Seal],
    payments: dict[Any, Payment],
) -> Files:
    folder = f"records/{record.record_id}"
    if not is_proved(record, events):
        yield f"{folder}/NOT-AS-RECORDED.txt", b"The record is not as it was recorded.\n"
        return
    message, why = read(record, events, key)
    if why:
        yield f"{folder}/NO-MESSAGE.txt", f"The message: {why}.\n".encode()
    else:
        yield f"{folder}/record.json", _json(told_one(record, events, key))
        yield f"{folder}/message.json", canonical(message)
        yield from _came(folder, record, events, key, payments)
    yield f"{folder}/history.json", _json([_step(one, seals.get(one.pk)) for one in events])


def _came(
    folder: str,
    record: TravelRecord,
    events: list[TravelEvent],
    key: RecordKey | None,
    payments: dict[Any, Payment],
) -> Files:
    """Yield what a record was made from: the bytes that came, or what was instructed."""
    if raw := kept(record, events, key, "raw"):
        yield f"{folder}/raw.bin", raw
    payment = payments.get(record.payment_id)
    if payment is not None and payment.instruction and not raw:
        yield f"{folder}/instruction.json", _json(payment.instruction)


def _step(event: TravelEvent, seal: Seal | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": event.number,
        "event": event.event,
        "status": event.status,
        "rule": event.turn,
        "at": iso(event.recorded_at),
        "content": event.content_hash(),
    }
    if seal is None:
        return found
    chain = {"position": seal.position, "previous": seal.previous, "digest": seal.digest}
    return found | {"sealedAt": iso(seal.sealed_at)} | chain


def _seals(events: Sequence[TravelEvent]) -> dict[int, Seal]:
    numbers = [one.pk for one in events]
    rows = Seal.objects.filter(ledger=TravelEvent.LEDGER, record_id__in=numbers)
    return {one.record_id: one for one in rows}


def _json(what: Any) -> bytes:
    return json.dumps(what, indent=1, ensure_ascii=False, default=_plain).encode()


def _plain(what: Any) -> str:
    return iso(what) if isinstance(what, datetime) else str(what)
