"""The lines of an import as a CSV: what was submitted, what was foreseen, what came of it."""

import csv
import io
from collections.abc import Iterator

from apps.core.batches import chunks
from apps.core.shapes import iso
from apps.oversight.rules import cell
from apps.registry.importing.reading import COLUMNS
from apps.registry.models import ImportLine, WalletImport

BATCH = 500
HEAD = (
    "line", *COLUMNS, "foreseen", "foreseenReview", "foreseenWhy", "gleifName",
    "outcome", "underReview", "why", "registration", "doneAt",
)  # fmt: skip


def stream(batch: WalletImport) -> Iterator[bytes]:
    """Yield the file in pieces; no cell is a formula to a spreadsheet."""
    yield _text([HEAD])
    rows = batch.lines.order_by("number").iterator(BATCH)
    for some in chunks(rows, BATCH):
        yield _text([_cells(one) for one in some])


def _cells(line: ImportLine) -> tuple[object, ...]:
    return (
        line.number,
        *(line.given.get(name, "") for name in COLUMNS),
        line.foreseen,
        _yes(line.foreseen_review),
        line.foreseen_why,
        line.gleif_name,
        line.outcome,
        _yes(line.review),
        line.outcome_why,
        line.registration_id,
        iso(line.done_at) if line.done_at else "",
    )


def _yes(flag: bool) -> str:
    return "yes" if flag else ""


def _text(rows: list[tuple[object, ...]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell(one) for one in row] for row in rows)
    return out.getvalue().encode()
