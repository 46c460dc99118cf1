"""Whole exports as bytes while they are read: NDJSON, CSV, XLSX, and the ZIP that proves itself."""

import uuid
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from django.db.models import QuerySet

from apps.core.canonical import canonical
from apps.core.clock import now as present
from apps.core.rendering import render
from apps.core.shapes import iso
from apps.core.signing import jwks
from apps.oversight.exports import Buffer
from apps.oversight.models import ExportEvent, Phase
from apps.travelrule import reads
from apps.travelrule.export import manifest as stating
from apps.travelrule.export.columns import cells_of, heading
from apps.travelrule.export.manifest import Anchor, File
from apps.travelrule.export.reading import Line, read, shown
from apps.travelrule.export.sheets import Cells, csv_lines, xlsx
from apps.travelrule.export.snapshot import snapshot
from apps.travelrule.models import TravelRecord
from apps.travelrule.proofs.evidence import covered, evidence, seals_of
from apps.travelrule.proofs.merkle import Frontier
from apps.travelrule.proofs.tiles import TreeBroken
from apps.travelrule.serializers import RecordOut

if TYPE_CHECKING:
    from django.contrib.auth.models import User

TYPES = {
    "ndjson": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}
DATA, TABLE = "records.ndjson", "records.csv"
VERIFIER = Path(__file__).with_name("verify_export.py")
UNPLACED = "its place in the ledger is gone"
VERIFY = """Verify this archive offline (Python 3.9 or later, nothing to install):

    python3 verify_export.py THIS.zip --keys jwks.json

Take jwks.json from the operator by another way than this archive: it stands at
/compliance/.well-known/jwks.json. Or compare the fingerprint that is printed without --keys by
telephone, and give it: --fingerprint HEX. With an earlier export, --previous EARLIER.zip shows
that the ledger was only appended to since.

"""
PROOF = """manifest.json   filter, counts, hashes, the ledger's head, the signed root of its tree
keys.json       the public keys; they prove nothing about who sent them along
"""
HOW = f"""{VERIFY}records.ndjson  every record with its sealed events, salts and proofs
records.csv     the same records as a table (signed by its hash alone)
{PROOF}"""


class Proving(Protocol):
    """What is exported with its proofs: the tree that they lead to, and what was counted."""

    @property
    def anchor(self) -> Anchor:
        """The signed tree."""

    @property
    def counts(self) -> dict[str, int]:
        """Records, withheld ones, and events that the tree does not hold yet."""


@dataclass
class Export:
    """One export while it is made. `by` is who exports, by name; `columns` are of its record."""

    asked: dict[str, Any]
    by: str
    columns: dict[str, Any]
    anchor: Anchor
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
        """Yield its bytes from one snapshot; what left is on record when all has left."""
        whole = File(self.name)
        with snapshot():
            for piece in FORMS[self.asked["format"]](self):
                yield whole.taken(piece)
        root = self.anchor.root
        said: dict[str, Any] = {"rows": sum(self.counts[one] for one in ("records", "withheld"))}
        said |= self.counts | {"file": self.name, "sha256": whole.sha256}
        if root and self.asked["format"] in ("ndjson", "zip"):
            said["tree"] = {"size": root["size"], "root": root["root"]}
        self.record(Phase.FINISHED, said, present())

    def record(self, phase: Phase, said: dict[str, Any], at: datetime) -> None:
        """Write into the ledger of exports."""
        columns = {"export_id": self.export_id, "what": stating.WHAT} | self.columns
        ExportEvent.write(payload=said, now=at, phase=phase, **columns)

    def lines(self) -> Iterator[list[Line]]:
        """Yield its records in batches, with their events."""
        return read(self._chosen())

    def _chosen(self) -> QuerySet[TravelRecord]:
        return reads.behind(reads.chosen(self.asked, self.now), self.asked.get("cursor"))

    def rows(self) -> Iterator[Cells]:
        """Yield the rows of its table, without the heading."""
        cells = cells_of(self.asked.get("preset", "full"))
        for batch in shown(self._chosen()):
            yield from map(cells, batch)

    def heading(self) -> Cells:
        """Return the heading of its table."""
        return heading(self.asked.get("preset", "full"))

    def manifest(self, files: list[File]) -> dict[str, Any]:
        """Return its signed manifest."""
        return stating.manifest(
            export_id=self.export_id,
            by=self.by,
            narrowed=stating.chosen(self.asked, self.now),
            anchor=self.anchor,
            files=files,
            counts=self.counts,
            now=self.now,
        )


def start(
    *, asked: dict[str, Any], by: "User | None" = None, caller: str = "", name: str, now: datetime
) -> Export:
    """Record that an export starts and return it; its bytes are made as `stream` is read.

    `asked` has `format`, and as ExportQuery `from_`, `to`, `status`, `preset`, `cursor`, `since`.
    Who exports is a user of the desk or the `caller` of a key, and is called `name`.
    """
    if asked.get("cursor"):
        reads.place_of(asked["cursor"])  # refused before anything streams
    anchor = stating.anchored(since=asked.get("since"), now=now)
    columns = {"by": by} if by else {"caller": caller}
    made = Export(asked, name, columns, anchor, now)
    span = {"from": iso(asked.get("from_", reads.EPOCH)), "until": iso(asked.get("to", now))}
    said = {"filter": stating.chosen(asked, now), "format": asked["format"]}
    said |= {"preset": asked["preset"]} if "preset" in asked else {}
    made.record(Phase.STARTED, span | said, now)
    return made


def _ndjson(export: Export) -> Iterator[bytes]:
    data = File(DATA, lines=Frontier())
    for batch in export.lines():
        yield b"".join(map(data.line, proved(export, batch)))
    yield canonical({"keys": jwks(), "manifest": export.manifest([data])}) + b"\n"


def proved(export: Proving, batch: list[Line]) -> Iterator[bytes]:
    """Yield each record with what it is verified by, or the reason why it is withheld.

    What is yielded is counted in the export's `counts`.
    """
    seals = seals_of(event for line in batch for event in line.events)
    for line in batch:
        why, found = line.why, {}
        if not why:
            try:
                found = _evidence(line, seals, export.anchor)
            except TreeBroken:
                why = UNPLACED
        if why:
            export.counts["withheld"] += 1
            yield canonical({"withheld": {"id": str(line.record.record_id), "why": why}})
            continue
        export.counts["records"] += 1
        export.counts["waiting"] += found["waiting"]
        yield canonical({"record": render(RecordOut, line.told), "evidence": found})


def _evidence(line: Line, seals: dict[int, Any], anchor: Anchor) -> dict[str, Any]:
    shown = covered(line.events, seals, anchor.tree)
    events = [evidence(one, seals[one.pk], anchor.tree, payload=True) for one in shown]
    waiting = len(line.events) - len(shown)
    assert isinstance(line.record, TravelRecord)  # `read` gives no rows
    row = line.record.standing
    return {"row": row, "salt": line.salt, "events": events, "waiting": waiting}


def _counted(export: Export, rows: Iterable[Cells]) -> Iterator[Cells]:
    for row in rows:
        export.counts["records"] += 1
        yield row


def _csv(export: Export) -> Iterator[bytes]:
    yield from csv_lines(_headed(export, _counted(export, export.rows())))


def _headed(export: Export, rows: Iterable[Cells]) -> Iterator[Cells]:
    yield export.heading()
    yield from rows


def _xlsx(export: Export) -> Iterator[bytes]:
    yield from xlsx(export.heading(), _counted(export, export.rows()))


def _zip(export: Export) -> Iterator[bytes]:
    buffer, data, table = Buffer(), File(DATA, lines=Frontier()), File(TABLE)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open(DATA, "w", force_zip64=True) as out:
            for batch in export.lines():
                for line in proved(export, batch):
                    out.write(data.line(line))
                yield buffer.take()
        with archive.open(TABLE, "w", force_zip64=True) as out:
            for piece in csv_lines(_headed(export, export.rows())):
                out.write(table.taken(piece))
                yield buffer.take()
        close(archive, [data, table], HOW, export.manifest)
    yield buffer.take()


def close(
    archive: zipfile.ZipFile,
    files: list[File],
    how: str,
    manifest: Callable[[list[File]], dict[str, Any]],
) -> None:
    """Write what proves an archive behind its `files`: verifier, `how` to, keys, manifest."""
    beside = {"verify_export.py": VERIFIER.read_bytes(), "README.txt": how.encode()}
    for name, held in (beside | {"keys.json": canonical(jwks())}).items():
        files.append(File(name))
        archive.writestr(name, files[-1].taken(held))
    archive.writestr("manifest.json", canonical(manifest(files)))


FORMS = {"ndjson": _ndjson, "csv": _csv, "xlsx": _xlsx, "zip": _zip}
