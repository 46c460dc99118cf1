"""The lines of an import as a CSV: what was submitted, what was foreseen, what came of it."""

from collections.abc import Iterator
from itertools import chain

from apps.compliance.payees.imports.csv_parser import COLUMNS
from apps.compliance.payees.models import ImportLine, WalletImport
from apps.platform.common.clock import format_utc
from apps.platform.common.spreadsheets import stream_csv

BATCH = 500
HEAD = (
    "line", *COLUMNS, "foreseen", "foreseenReview", "foreseenWhy", "gleifName",
    "outcome", "underReview", "why", "registration", "doneAt",
)  # fmt: skip


def stream_result_csv(batch: WalletImport) -> Iterator[bytes]:
    """Yield the file in pieces; no cell is a formula to a spreadsheet."""
    rows = batch.lines.order_by("number").iterator(BATCH)
    yield from stream_csv(chain([HEAD], map(_line_cells, rows)), at_once=BATCH)


def _line_cells(line: ImportLine) -> tuple[object, ...]:
    return (
        line.number,
        *(line.given.get(name, "") for name in COLUMNS),
        line.foreseen,
        _format_flag(line.foreseen_review),
        line.foreseen_why,
        line.gleif_name,
        line.outcome,
        _format_flag(line.review),
        line.outcome_why,
        line.registration_id,
        format_utc(line.done_at) if line.done_at else "",
    )


def _format_flag(flag: bool) -> str:
    return "yes" if flag else ""
