"""Streaming readers: rows of CSV, records of XML, lines of JSON, in memory that stays flat."""

import codecs
import csv
import io
import itertools
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, BinaryIO, TypeVar
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from apps.platform.common.limited_stream import LimitedStream, StreamTooLarge
from apps.reference.watchlists.sources.parse_options import ParseOptions

FIELD_LIMIT = 2_000_000  # characters of one CSV field
LINE_LIMIT = 32 * 1024 * 1024  # bytes of one JSON line
SPOOL_BATCH = 1000

# for the whole process: Python has one limit, 131,072 by default, which remarks may exceed
csv.field_size_limit(FIELD_LIMIT)

Item = TypeVar("Item")
Row = dict[str, str]


class FormatError(ValueError):
    """The file is not in the format that its source is pinned to; says what was expected."""


def read_csv_rows(
    stream: BinaryIO, *, delimiter: str = ",", encoding: str = "utf-8-sig"
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of every row that is not empty; malformed quoting is refused."""
    bound = LimitedStream(stream)
    text = io.TextIOWrapper(io.BufferedReader(bound, 1 << 16), encoding=encoding, newline="")
    try:
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        for row in reader:
            bound.mark()
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise FormatError(f"expected CSV, found at line {reader.line_num}: {error}") from error
    except UnicodeError as error:
        raise FormatError(f"expected text in {encoding}, found: {error}") from error
    except StreamTooLarge as error:
        raise FormatError(f"expected CSV: {error}") from error


def detect_encoding(stream: BinaryIO, options: ParseOptions) -> str:
    """Return utf-8-sig when the whole stream decodes so, else latin-1, which is noted.

    The stream is rewound.
    """
    # Latin-1 decodes any bytes, so only a failure of UTF-8 tells the two apart
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        while block := stream.read(1 << 20):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        options.notes.append("A file is not UTF-8 and was read as Latin-1.")
        return "latin-1"
    finally:
        stream.seek(0)
    return "utf-8-sig"


def read_named_rows(
    rows: Iterator[tuple[int, list[str]]], *, header: Sequence[str], required: Iterable[str]
) -> Iterator[dict[str, str]]:
    """Yield rows by column name; a header that lacks a required column is refused, so is a row
    whose number of fields is not the header's.
    """
    columns = [column.strip() for column in header]
    missing = sorted(set(required) - set(columns))
    if missing:
        listed_columns = ", ".join(columns[:80])[:2000]
        raise FormatError(f"expected the columns {', '.join(missing)}; found: {listed_columns}")
    for line, row in rows:
        if len(row) != len(columns):
            raise FormatError(
                f"expected {len(columns)} fields at line {line}, found {len(row)}",
            )
        yield dict(zip(columns, row, strict=True))


def read_xml_records(
    stream: BinaryIO, *, root: str, records: Iterable[str]
) -> Iterator[tuple[str, Element]]:
    """Yield (tag, element) of each record, namespaces removed, and forget it afterwards.

    The root element (yielded first, as it opens) pins the format. Entities, DTDs and external
    references are refused.
    """
    tags = set(records)
    stack: list[Element] = []
    inside, bound = 0, LimitedStream(stream)
    try:
        for event, element in iterparse(bound, events=("start", "end"), forbid_dtd=True):
            element.tag = local_tag_name(element.tag)
            if event == "start":
                if not stack:
                    if element.tag != root:
                        raise FormatError(
                            f"expected the root element {root}, found {str(element.tag)[:80]}"
                        )
                    # as it opens it has its attributes, but no children yet
                    yield root, element
                inside += element.tag in tags
                stack.append(element)
                continue
            stack.pop()
            if element.tag in tags:
                inside -= 1
                if stack:
                    yield element.tag, element
            if not inside:
                bound.mark()
            # the parent would otherwise keep every child until the end of the file
            if stack and (element.tag in tags or not inside):
                del stack[-1][:]  # what belongs to no record is not kept either
    except (ParseError, DefusedXmlException, LookupError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"expected XML with the root {root}, found: {error}") from error


def local_tag_name(tag: object) -> str:
    """Return an element's tag without its namespace."""
    return str(tag).rpartition("}")[2]


def read_json_lines(stream: BinaryIO) -> Iterator[Mapping[str, Any]]:
    """Yield the object of every line that is not empty."""
    number = 0
    # a longer line comes in pieces, which are no JSON: the file is refused, not held in memory
    while line := stream.readline(LINE_LIMIT):
        number += 1
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"expected JSON at line {number}, found: {error}") from error
        if not isinstance(value, dict):
            raise FormatError(f"expected an object at line {number}, found {type(value).__name__}")
        yield value


def drop_empty_cells(row: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of a row that say something, without blanks around it."""
    return {column: value.strip() for column, value in row.items() if value.strip()}


def group_rows_by_key(rows: Iterable[tuple[str, Row]]) -> Iterator[tuple[str, list[Row]]]:
    """Yield (key, rows of that key) in the order of keys, though rows of a key may lie apart.

    The rows are spooled in a temporary file, so that a large list needs no memory.
    """
    spool = sqlite3.connect("")
    try:
        spool.execute("PRAGMA journal_mode=OFF")
        spool.execute("CREATE TABLE spool (seq INTEGER PRIMARY KEY, key TEXT, data TEXT)")
        insert = "INSERT INTO spool (key, data) VALUES (?, ?)"
        for batch in iter_batches(rows, SPOOL_BATCH):
            spool.executemany(insert, [(key, json.dumps(row)) for key, row in batch])
        spool.execute("CREATE INDEX spool_key ON spool (key, seq)")
        stored = spool.execute("SELECT key, data FROM spool ORDER BY key, seq")
        for key, group in itertools.groupby(stored, key=itemgetter(0)):
            yield key, [json.loads(data) for _, data in group]
    finally:
        spool.close()


def iter_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of at most `size` items."""
    iterator = iter(items)
    while batch := list(itertools.islice(iterator, size)):
        yield batch
