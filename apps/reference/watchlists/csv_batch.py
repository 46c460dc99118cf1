"""Process CSV files row by row: shared by the batch commands."""

import csv
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import tee
from pathlib import Path
from typing import TextIO

from apps.platform.common.problems import DomainError
from apps.platform.common.spreadsheets import BYTE_ORDER_MARK, CsvWriter, guard_cell
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.sources.mapped_csv import SCHEMAS

HALF = "surrogateescape"
FLUSH_EVERY = 200  # rows; a run that is cut off loses at most these
Row = dict[str, str]
Judge = Callable[[Row], Sequence[str]]
# what rows get, in their order; it may take rows in advance, to have many judged at once
Judges = Callable[[Iterable[Row]], Iterator[Sequence[str]]]


class BatchRefused(DomainError):
    """The files do not fit together or lack a column."""

    code, title = "batch_refused", "The batch cannot be run"


def parse_schema_cell(text: str) -> Schema | None:
    """Return the schema that a cell names; None for unknown text."""
    schema = SCHEMAS.get(text.strip().lower(), "Unknown")
    return None if schema == "Unknown" else schema


def judge_row_by_row(judge: Judge) -> Judges:
    """Return what judges one row after the other, here."""
    return partial(map, judge)


def run_csv_batch(
    *,
    source: Path,
    target: Path,
    needs: Sequence[str],
    adds: Sequence[str],
    judges: Judges,
    resume: bool = False,
    same: Mapping[str, str] | None = None,
    progress: Callable[[int], None] = lambda rows: None,
) -> tuple[int, int]:
    """Write every row of `source` with the columns that `judges` adds; return (rows, taken over).

    With `resume`, rows that a cut-off run left in `target` are kept, if they are rows of this
    source in its order and hold what `same` says; a half-written last row is cut away. Both
    files stream.
    """
    with source.open(encoding="utf-8-sig", newline="") as reading:
        reader = csv.reader(reading)
        header = next(reader, [])
        if missing := sorted(set(needs) - set(header)):
            raise BatchRefused(f"{source.name} lacks the columns {', '.join(missing)}.")
        rows = _iter_checked_rows(reader, len(header), source.name)
        whole = [*header, *adds]
        kept_rows = _skip_kept_rows(target, whole, rows, len(header), same or {}) if resume else 0
        with target.open("a" if kept_rows else "w", encoding="utf-8", newline="") as writing:
            return _write_rows(writing, header, adds, rows, judges, kept_rows, progress), kept_rows


def _write_rows(
    writing: TextIO,
    header: Sequence[str],
    adds: Sequence[str],
    rows: Iterator[list[str]],
    judges: Judges,
    kept_rows: int,
    progress: Callable[[int], None],
) -> int:
    writer = CsvWriter(writing, line_end="\n")
    if not kept_rows:
        writing.write(BYTE_ORDER_MARK)
        writer.writerow([*header, *adds])
    done = kept_rows
    # judges may take rows ahead; these wait here until their judgement is there
    written, rows_to_judge = tee(rows)
    judgements = judges(dict(zip(header, row, strict=True)) for row in rows_to_judge)
    for row, added in zip(written, judgements, strict=True):
        writer.writerow([*row, *added])
        done += 1
        if done % FLUSH_EVERY == 0:
            writing.flush()
            progress(done)
    progress(done)
    return done


def _iter_checked_rows(reader: Iterator[list[str]], width: int, name: str) -> Iterator[list[str]]:
    for number, row in enumerate(reader, start=1):
        if not row:
            continue
        if len(row) != width:
            raise BatchRefused(f"Row {number} of {name} has {len(row)} fields, not {width}.")
        yield row


def _skip_kept_rows(
    target: Path,
    header: Sequence[str],
    rows: Iterator[list[str]],
    width: int,
    same: Mapping[str, str],
) -> int:
    """Step `rows` past what `target` holds already, cut `target` behind it, return the count."""
    if not target.exists():
        return 0
    # -1 until the header was read
    kept_rows, end = -1, 0
    # a run may be cut off within a character of its last row
    with target.open(encoding="utf-8", errors=HALF, newline="") as io_wrapper:
        for row, offset in _iter_complete_rows(io_wrapper):
            if kept_rows < 0 and row != _guard_cells(header):
                raise BatchRefused(f"{target.name} has other columns than this run would write.")
            if kept_rows >= 0:
                _require_same_row(target, kept_rows + 1, row, header, next(rows, None), width, same)
            kept_rows, end = kept_rows + 1, offset
    os.truncate(target, end)
    return max(kept_rows, 0)


def _require_same_row(
    target: Path,
    number: int,
    row: Sequence[str],
    header: Sequence[str],
    source_row: Sequence[str] | None,
    width: int,
    same: Mapping[str, str],
) -> None:
    if source_row is None or len(row) != len(header) or row[:width] != _guard_cells(source_row):
        raise BatchRefused(f"Row {number} of {target.name} is not that row of the input.")
    added = dict(zip(header[width:], row[width:], strict=True))
    for name, value in same.items():
        if added[name] != str(guard_cell(value)):
            raise BatchRefused(
                f"{target.name} was begun with {name} {added[name]}, this run has {value}; "
                "use --restart."
            )


def _guard_cells(row: Sequence[str]) -> list[str]:
    """Return a row of the source as written to the target."""
    # the writer disarms cells that a spreadsheet would run as formulas, so the target differs
    return [str(guard_cell(cell)) for cell in row]


def _iter_complete_rows(held_file: TextIO) -> Iterator[tuple[list[str], int]]:
    """Yield each row that was written to its end, with the byte offset behind it."""
    # a row may span several lines (quoted line breaks): `whole` is that of the last one read
    offset, whole = 0, True

    def lines() -> Iterator[str]:
        nonlocal offset, whole
        for line in held_file:
            offset += len(line.encode("utf-8", HALF))
            whole = line.endswith("\n")
            yield line.removeprefix(BYTE_ORDER_MARK)  # of the first line, before its first quote

    for row in csv.reader(lines()):
        if whole:
            yield row, offset
