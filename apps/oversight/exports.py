"""Exports: a ZIP streamed while it is made, with a signed manifest of its hash at the end.

An export is on record before its first byte leaves, and again, with its hash, when it is whole.
"""

import csv
import hashlib
import io
import json
import uuid
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.core.batches import chunks
from apps.core.clock import now as present
from apps.core.models import Seal
from apps.core.sealing import last_seal
from apps.core.shapes import iso
from apps.core.signing import attest
from apps.oversight.models import ExportEvent, Phase, ReadEvent
from apps.oversight.rules import cell
from apps.review.models import Case, DecisionEvent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BATCH = 500
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What to export: rows whose time lies in `since` ≤ time < `until`."""

    what: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of export: its columns and the rows of a span of time, streaming."""

    title: str
    ledger: str
    columns: tuple[str, ...]
    rows: Callable[[Asked], Iterator[Row]]


@dataclass
class _Buffer(io.RawIOBase):
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

    KeyError for a kind that is not in `KINDS`.
    """
    kind = KINDS[asked.what]
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
    asked: Asked, kind: Kind, manifest: dict[str, Any], columns: dict[str, Any]
) -> Iterator[bytes]:
    buffer, hashed, count = _Buffer(), hashlib.sha256(), 0
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


def _with_heading(kind: Kind, asked: Asked) -> Iterator[Row]:
    yield kind.columns
    yield from kind.rows(asked)


def _lines(rows: list[Row]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _cases(asked: Asked) -> Iterator[Row]:
    found = Case.objects.filter(opened_at__gte=asked.since, opened_at__lt=asked.until)
    names = (
        "pk", "kind", "ref", "owner", "party", "country", "lei", "wallet", "reference", "amount",
        "currency", "risk", "risk_score", "status", "outcome", "reason_code",
        "first_by__username", "second_by__username", "opened_at", "due_at", "decided_at",
    )  # fmt: skip
    yield from map(_plain, found.order_by("pk").values_list(*names).iterator(BATCH))


def _decisions(asked: Asked) -> Iterator[Row]:
    found = DecisionEvent.objects.filter(
        recorded_at__gte=asked.since, recorded_at__lt=asked.until
    ).select_related("by")
    for events in chunks(found.order_by("pk").iterator(BATCH), BATCH):
        seals = {
            record: (position, digest)
            for record, position, digest in Seal.objects.filter(
                ledger=DecisionEvent.LEDGER, record_id__in=[event.pk for event in events]
            ).values_list("record_id", "position", "digest")
        }
        for event in events:
            yield _decision(event, seals.get(event.pk, ("", "")))


def _decision(event: DecisionEvent, sealed: tuple[Any, Any]) -> Row:
    data = event.data
    said = (data.get("reason_code", ""), data.get("note", ""), data.get("digest", ""))
    who = event.by.get_username() if event.by else ""
    done = (event.pk, event.case_id, iso(event.recorded_at), event.action, event.outcome, who)
    return (*done, *said, *sealed)


def _reads(asked: Asked) -> Iterator[Row]:
    found = ReadEvent.objects.filter(recorded_at__gte=asked.since, recorded_at__lt=asked.until)
    for event in found.select_related("by").order_by("pk").iterator(BATCH):
        data = event.data
        seen = (event.what, event.ref, data.get("address", ""), data.get("query", ""))
        yield (event.pk, iso(event.recorded_at), event.by.get_username(), *seen)


def _plain(row: Row) -> Row:
    return tuple(iso(value) if isinstance(value, datetime) else value for value in row)


KINDS: dict[str, Kind] = {
    "cases": Kind(
        "Cases, by the day they were opened",
        "decisions",
        (
            "case", "kind", "record", "tenant", "party", "country", "lei", "wallet", "reference",
            "amount", "currency", "risk", "risk score", "status", "outcome", "reason",
            "first officer", "second officer", "opened", "due", "decided",
        ),
        _cases,
    ),
    "decisions": Kind(
        "Decisions and every other step of cases",
        "decisions",
        (
            "event", "case", "at", "action", "outcome", "officer", "reason", "note",
            "facts digest", "ledger position", "ledger digest",
        ),
        _decisions,
    ),
    "reads": Kind(
        "Who opened personal data",
        "reads",
        ("event", "at", "who", "what", "id", "address", "query"),
        _reads,
    ),
}  # fmt: skip
