"""Read a CSV file of registrations: its header, its lines, and what a line submits.

UTF-8 with or without a byte order mark; comma, semicolon or tab; any line ending. A file that is
not a table of registrations is refused; a fault in one line is reported for that line.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rest_framework import serializers

from apps.compliance.payees.registration_requests import (
    RegistrationRequest,
    build_registration_request,
)
from apps.compliance.payees.serializers import RegisterIn
from apps.platform.common.problems import DomainError

LARGEST = 2 * 1024 * 1024  # bytes: what the web server takes of a form, with room for the rest
MOST_LINES = 10_000
LONGEST_CELL = 4_000  # ten aliases of 300 characters, and what parts them
PARTS = "|"  # between the aliases of a cell
DELIMITERS = (",", ";", "\t")
REQUIRED = ("walletAddress", "legalName", "country")
COLUMNS = (*REQUIRED, "lei", "aliases")
# usual column names, without case, spaces and underscores
_HEADS = {column.casefold(): column for column in COLUMNS} | {
    "wallet": "walletAddress",
    "address": "walletAddress",
    "name": "legalName",
    "alias": "aliases",
}


class ImportRefused(DomainError):
    """The file is not a table of registrations, or is too large."""

    code, title = "import_refused", "The file cannot be imported"


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of the file: its number among all (the header is 1), and its cells by column."""

    number: int
    given: dict[str, str]
    fault: str = ""


def parse_lines(content: bytes) -> list[FileLine]:
    """Return the lines of a file; raises ImportRefused with a sentence for any other file."""
    if len(content) > LARGEST:
        raise ImportRefused(f"The file has more than {LARGEST // 1024 // 1024} MiB: split it.")
    text = _decode_text(content)
    # a line may end with CR alone: the whole text would then count for the delimiter
    header = re.split(r"[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    rows = _iterate_rows(text, max(DELIMITERS, key=header.count))
    heads, strange = [], []
    # an empty file has no header, and lacks every column
    for cell in next(rows, (1, []))[1]:
        head = _HEADS.get(re.sub(r"[\s_]", "", cell).casefold(), "")
        heads.append(head)
        if not head:
            strange.append(cell.strip()[:40] or "one without a name")
    lacking = [name for name in REQUIRED if name not in heads]
    if lacking:
        raise ImportRefused(f"The header lacks {', '.join(lacking)}.")
    # refused instead of ignored: a misspelt `lei` would register wallets without one
    if strange:
        known = ", ".join(COLUMNS)
        raise ImportRefused(f"Unknown columns: {', '.join(strange)}. Known: {known}.")
    if len(set(heads)) < len(heads):
        raise ImportRefused("The header names a column twice.")
    file_lines: list[FileLine] = []
    for number, cells in rows:
        if len(file_lines) == MOST_LINES:
            raise ImportRefused(f"The file has more than {MOST_LINES:,} lines: split it.")
        file_lines.append(_build_line(number, cells, heads))
    if not file_lines:
        raise ImportRefused("The file has a header but no lines.")
    return file_lines


def parse_line_request(cells: dict[str, str]) -> RegistrationRequest:
    """Return what a line asks for, as a call of the API would; ValidationError, field by field."""
    # an empty cell is a field that was left out
    sent: dict[str, Any] = {name: text for name, text in cells.items() if text}
    if aliases := sent.pop("aliases", ""):
        sent["aliases"] = [alias for part in aliases.split(PARTS) if (alias := part.strip())]
    return build_registration_request(**_register_shape().run_validation(sent))


@cache
def _register_shape() -> RegisterIn:
    """Return the one instance that reads all lines: reading leaves no trace in it."""
    return RegisterIn()


def format_validation_error(error: serializers.ValidationError) -> str:
    """Return what a shape says of a line, in sentences that name the column."""
    return " ".join(f"{name}: {text}" for name, text in _flatten_errors(error.detail, ""))


def _flatten_errors(detail: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from _flatten_errors(value, name or str(key))
    elif isinstance(detail, list):
        for value in detail:
            yield from _flatten_errors(value, name)
    else:
        yield name, str(detail)


def _decode_text(content: bytes) -> str:
    if b"\x00" in content:
        raise ImportRefused("The file contains NUL characters: save it as CSV in UTF-8.")
    try:
        # with or without the byte order mark that spreadsheets write
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused("The file is not UTF-8: save it as CSV in UTF-8.") from error


def _iterate_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that is not empty, with its number; ImportRefused for broken quotes."""
    # strict: a quote in the wrong place would otherwise swallow the lines after it
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ImportRefused(f"Line {reader.line_num} is not CSV: {error}.") from error
        # rows and not lines of text: a quoted cell may have line breaks, and spreadsheets count
        # rows
        number += 1
        if any(cell.strip() for cell in cells):
            yield number, cells


def _build_line(number: int, cells: list[str], heads: list[str]) -> FileLine:
    # shifted cells must not register one entity under another's name
    if len(cells) != len(heads):
        sentence = f"The line has {len(cells)} cells, and the header {len(heads)}."
        return FileLine(
            number, dict(zip(heads, (cell[:300] for cell in cells), strict=False)), sentence
        )
    cells_by_head = {head: cell.strip() for head, cell in zip(heads, cells, strict=True)}
    long = next((name for name, text in cells_by_head.items() if len(text) > LONGEST_CELL), "")
    if long:
        cells_by_head[long] = cells_by_head[long][:LONGEST_CELL]
        return FileLine(
            number, cells_by_head, f"{long}: This is longer than {LONGEST_CELL:,} characters."
        )
    return FileLine(number, cells_by_head)
