"""Stream whole exports: NDJSON, CSV, XLSX, and the ZIP that can be verified offline."""

import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from django.db.models import QuerySet

from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.payments.travelrule.export.columns import build_heading, make_row_builder
from apps.payments.travelrule.export.lines import ExportLine, read_lines, read_table_lines
from apps.payments.travelrule.export.manifest import (
    EXPORT_NAME,
    ExportFile,
    TreeAnchor,
    anchor_export,
    build_manifest,
    describe_filter,
)
from apps.payments.travelrule.export.snapshot import open_snapshot
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.proofs.merkle import Frontier
from apps.payments.travelrule.proofs.merkle_tiles import TreeBroken
from apps.payments.travelrule.proofs.seal_evidence import (
    build_event_evidence,
    load_seals,
    select_covered_events,
)
from apps.payments.travelrule.selectors import records
from apps.payments.travelrule.serializers import RecordOut
from apps.platform.api.representation import render_answer
from apps.platform.common import clock
from apps.platform.common.clock import EPOCH, format_utc
from apps.platform.common.spreadsheets import Cells, stream_csv, stream_xlsx
from apps.platform.common.stream_buffer import StreamBuffer
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.signatures import build_jwks

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CONTENT_TYPES = {
    "ndjson": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}
DATA, TABLE = "records.ndjson", "records.csv"
VERIFIER = Path(__file__).with_name("verify_export.py")
UNPLACED_REASON = "its position in the ledger is missing"
VERIFY_TEXT = """Verify this archive offline (Python 3.9 or later, nothing to install):

    python3 verify_export.py THIS.zip --keys jwks.json

Get jwks.json from the operator, not from this archive: it is published at
/compliance/.well-known/jwks.json. Or confirm by telephone the fingerprint printed without --keys,
and pass it as --fingerprint HEX. With an earlier export, --previous EARLIER.zip verifies that the
ledger has only been appended to since.

"""
PROOF_TEXT = """\
manifest.json   filter, counts, hashes, the ledger's head, the signed root of its tree
keys.json       the public keys; they do not prove who sent this archive
"""
README_TEXT = f"""{VERIFY_TEXT}records.ndjson  every record with its sealed events, salts and proofs
records.csv     the same records as a table (signed by its hash alone)
{PROOF_TEXT}"""


class ProvenExport(Protocol):
    """An export with proofs: the tree that they lead to, and the counts of its lines."""

    @property
    def anchor(self) -> TreeAnchor:
        """The signed tree."""

    @property
    def counts(self) -> dict[str, int]:
        """Records, withheld ones, and events that the tree does not hold yet."""


@dataclass
class LedgerExport:
    """One export while it is made. `by` is who exports, by name; `columns` are of its record."""

    asked: dict[str, Any]
    by: str
    columns: dict[str, Any]
    anchor: TreeAnchor
    now: datetime
    export_id: uuid.UUID = field(default_factory=uuid.uuid4)
    counts: dict[str, int] = field(
        default_factory=lambda: {"records": 0, "withheld": 0, "waiting": 0}
    )

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"travel-rule-{self.export_id}.{self.asked['format']}"

    def stream(self) -> Iterator[bytes]:
        """Yield its bytes from one snapshot; record the export as finished after the last."""
        whole = ExportFile(self.name)
        with open_snapshot():
            for piece in STREAMS_BY_FORMAT[self.asked["format"]](self):
                yield whole.taken(piece)
        # not in a `finally`: an export that was cut off stays on record as started alone
        root = self.anchor.root
        summary: dict[str, Any] = {
            "rows": sum(self.counts[count_name] for count_name in ("records", "withheld"))
        }
        summary |= self.counts | {"file": self.name, "sha256": whole.sha256}
        if root and self.asked["format"] in ("ndjson", "zip"):
            summary["tree"] = {"size": root["size"], "root": root["root"]}
        self.record(Phase.FINISHED, summary, clock.now())

    def record(self, phase: Phase, payload: dict[str, Any], at: datetime) -> None:
        """Write into the ledger of exports."""
        columns = {"export_id": self.export_id, "what": EXPORT_NAME} | self.columns
        ExportEvent.write(payload=payload, now=at, phase=phase, **columns)

    def lines(self) -> Iterator[list[ExportLine]]:
        """Yield its records in batches, with their events."""
        return read_lines(self._chosen())

    def _chosen(self) -> QuerySet[TravelRecord]:
        return records.select_after_cursor(
            records.filter_records(self.asked, self.now), self.asked.get("cursor")
        )

    def rows(self, *, counted: bool = False) -> Iterator[Cells]:
        """Yield the rows of its table, without the heading; `counted` adds them to `counts`."""
        cells = make_row_builder(self.asked.get("preset", "full"))
        for batch in read_table_lines(self._chosen()):
            if counted:
                withheld = sum(bool(line.why) for line in batch)
                self.counts["withheld"] += withheld
                self.counts["records"] += len(batch) - withheld
            yield from map(cells, batch)

    def heading(self) -> Cells:
        """Return the heading of its table."""
        return build_heading(self.asked.get("preset", "full"))

    def manifest(self, files: list[ExportFile]) -> dict[str, Any]:
        """Return its signed manifest."""
        return build_manifest(
            export_id=self.export_id,
            by=self.by,
            narrowed=describe_filter(self.asked, self.now),
            anchor=self.anchor,
            files=files,
            counts=self.counts,
            now=self.now,
        )


def start_export(
    *, asked: dict[str, Any], by: "User | None" = None, caller: str = "", name: str, now: datetime
) -> LedgerExport:
    """Record that an export starts and return it; its bytes are made as `stream` is read.

    `asked` has `format`, and as ExportQuery `from_`, `to`, `status`, `preset`, `cursor`, `since`.
    Who exports is a user of the desk or the `caller` of a key, and is called `name`.
    """
    # refuse a wrong cursor now: once the response streams, its status has been sent
    if asked.get("cursor"):
        records.parse_record_cursor(asked["cursor"])
    anchor = anchor_export(since=asked.get("since"), now=now)
    columns = {"by": by} if by else {"caller": caller}
    ledger_export = LedgerExport(asked, name, columns, anchor, now)
    span = {
        "from": format_utc(asked.get("from_", EPOCH)),
        "until": format_utc(asked.get("to", now)),
    }
    summary = {"filter": describe_filter(asked, now), "format": asked["format"]}
    summary |= {"preset": asked["preset"]} if "preset" in asked else {}
    ledger_export.record(Phase.STARTED, span | summary, now)
    return ledger_export


def _stream_ndjson(export: LedgerExport) -> Iterator[bytes]:
    data = ExportFile(DATA, lines=Frontier())
    for batch in export.lines():
        yield b"".join(map(data.line, prove_lines(export, batch)))
    yield canonical_json({"keys": build_jwks(), "manifest": export.manifest([data])}) + b"\n"


def prove_lines(export: ProvenExport, batch: list[ExportLine]) -> Iterator[bytes]:
    """Yield each record with what it is verified by, or the reason why it is withheld.

    What is yielded is counted in the export's `counts`.
    """
    seals = load_seals(event for line in batch for event in line.events)
    for line in batch:
        why = line.why
        line_evidence: dict[str, Any] = {}
        if not why:
            try:
                covered_events = select_covered_events(line.events, seals, export.anchor.tree)
                events = [
                    build_event_evidence(
                        covered_event, seals[covered_event.pk], export.anchor.tree, payload=True
                    )
                    for covered_event in covered_events
                ]
                assert isinstance(line.record, TravelRecord)  # `read_lines` gives no rows
                line_evidence = {
                    "row": line.record.standing,
                    "salt": line.salt,
                    "events": events,
                    "waiting": len(line.events) - len(covered_events),
                }
            except TreeBroken:
                why = UNPLACED_REASON
        if why:
            export.counts["withheld"] += 1
            yield canonical_json({"withheld": {"id": str(line.record.record_id), "why": why}})
            continue
        export.counts["records"] += 1
        export.counts["waiting"] += line_evidence["waiting"]
        yield canonical_json(
            {"record": render_answer(RecordOut, line.serialized), "evidence": line_evidence}
        )


def _stream_csv(export: LedgerExport) -> Iterator[bytes]:
    yield from stream_csv(_add_heading(export, export.rows(counted=True)))


def _add_heading(export: LedgerExport, rows: Iterable[Cells]) -> Iterator[Cells]:
    yield export.heading()
    yield from rows


def _stream_xlsx(export: LedgerExport) -> Iterator[bytes]:
    yield from stream_xlsx(export.heading(), export.rows(counted=True))


def _stream_zip(export: LedgerExport) -> Iterator[bytes]:
    buffer, data, table = StreamBuffer(), ExportFile(DATA, lines=Frontier()), ExportFile(TABLE)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open(DATA, "w", force_zip64=True) as out:
            for batch in export.lines():
                for line in prove_lines(export, batch):
                    out.write(data.line(line))
                yield buffer.take()
        with archive.open(TABLE, "w", force_zip64=True) as out:
            # the records were counted above
            for piece in stream_csv(_add_heading(export, export.rows())):
                out.write(table.taken(piece))
                yield buffer.take()
        close_archive(archive, [data, table], README_TEXT, export.manifest)
    yield buffer.take()


def close_archive(
    archive: zipfile.ZipFile,
    files: list[ExportFile],
    how: str,
    manifest: Callable[[list[ExportFile]], dict[str, Any]],
) -> None:
    """Write what proves an archive after its `files`: verifier, `how` to, keys, manifest."""
    # the manifest comes last, because it has the hash of every other file
    beside = {"verify_export.py": VERIFIER.read_bytes(), "README.txt": how.encode()}
    for name, content in (beside | {"keys.json": canonical_json(build_jwks())}).items():
        files.append(ExportFile(name))
        archive.writestr(name, files[-1].taken(content))
    archive.writestr("manifest.json", canonical_json(manifest(files)))


STREAMS_BY_FORMAT = {
    "ndjson": _stream_ndjson,
    "csv": _stream_csv,
    "xlsx": _stream_xlsx,
    "zip": _stream_zip,
}
