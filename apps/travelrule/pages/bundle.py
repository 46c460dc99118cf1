"""A ZIP of records, streamed while it is made: message, what came, history, and their hashes.

What is in it is on record before its first byte leaves, and again when it is whole.
"""

import hashlib
import io
import json
import uuid
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.core.batches import chunks
from apps.core.canonical import canonical
from apps.core.chain import last_seal
from apps.core.clock import now as present
from apps.core.models import Seal
from apps.core.shapes import iso
from apps.oversight.models import ExportEvent, Phase
from apps.payments.models import Payment
from apps.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.travelrule.pages.message import kept, read
from apps.travelrule.telling import events_of, is_proved, told_one

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WHAT = "travel-records"
AT_ONCE = 50
Files = Iterator[tuple[str, bytes]]
VERIFY = """Each record has a folder of its id: record.json (what is told of it), message.json (its
IVMS 101 message), raw.bin (the bytes that a counterparty sent) or instruction.json (what the
institution instructed), and history.json (each step with its place in the chain of the ledger).

SHA256SUMS lists the SHA-256 of every file; check them all with `sha256sum -c SHA256SUMS`.
summary.json says who took the archive, when, of which records, and where the ledger stood.
"""


class _Out(io.RawIOBase):
    """Collects what the archive writes until it is sent; it cannot seek, so nothing is kept."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.parts.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken


def start(
    *, records: Sequence[TravelRecord], by: "User", about: dict[str, Any], now: datetime
) -> Iterator[bytes]:
    """Record that records are taken and return the bytes of their archive, made as they are read.

    `about` is what summary.json says besides: the sample, its seed, the engagement.
    """
    columns = {"export_id": uuid.uuid4(), "by": by, "what": WHAT}
    said = about | {"records": len(records)}
    ExportEvent.write(payload=said, now=now, phase=Phase.STARTED, **columns)
    position, digest = last_seal(TravelEvent.LEDGER)
    summary = said | {
        "export": str(columns["export_id"]),
        "takenBy": by.get_username(),
        "takenAt": iso(now),
        "ledger": {"name": TravelEvent.LEDGER, "position": position, "digest": digest},
    }
    return _stream(records, summary, columns)


def _stream(
    records: Sequence[TravelRecord], summary: dict[str, Any], columns: dict[str, Any]
) -> Iterator[bytes]:
    out, hashes = _Out(), []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for piece in chunks(records, AT_ONCE):
            for name, body in files_of(piece):
                archive.writestr(name, body)
                hashes.append(f"{hashlib.sha256(body).hexdigest()}  {name}\n")
            yield out.take()
        for name, body in closing(summary):
            archive.writestr(name, body)
            hashes.append(f"{hashlib.sha256(body).hexdigest()}  {name}\n")
        sums = "".join(hashes).encode()
        archive.writestr("SHA256SUMS", sums)
    found = {"rows": len(records), "sha256": hashlib.sha256(sums).hexdigest()}
    ExportEvent.write(payload=found, now=present(), phase=Phase.FINISHED, **columns)
    yield out.take()


def closing(summary: dict[str, Any]) -> Files:
    """Yield the files at the end of an archive: what proves it as a whole belongs here."""
    yield "summary.json", _json(summary)
    yield "HOW-TO-VERIFY.txt", VERIFY.encode()


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
