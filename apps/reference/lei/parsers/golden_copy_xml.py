"""The XML form of GLEIF's files: one record at a time, names without their prefixes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Literal
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from apps.reference.lei.values import Malformed

Kind = Literal["RECORDS", "RELATIONSHIPS", "EXCEPTIONS"]

_ROOTS: dict[str, tuple[Kind, str]] = {
    "LEIData": ("RECORDS", "LEIRecord"),
    "RelationshipData": ("RELATIONSHIPS", "RelationshipRecord"),
    "ReportingExceptionData": ("EXCEPTIONS", "Exception"),
}
_HEADERS = frozenset({"LEIHeader", "Header"})
_NAMES = frozenset({"OtherEntityName", "TransliteratedOtherEntityName"})


@dataclass(slots=True)
class RecordFields:
    """The leaf texts of one record by dotted path, as the CSV files name their columns."""

    texts: dict[str, str] = field(default_factory=dict)
    names: list[tuple[str, str]] = field(default_factory=list)
    period: tuple[str, str] = ("", "")
    deleted: bool = False

    def get(self, path: str) -> str:
        """Return a leaf's text, empty when the record has none."""
        return self.texts.get(path, "")


class GoldenCopyXml:
    """One XML file; its header is read at once, its records are streamed by `records`.

    Malformed when it is not XML, of an unknown root, cut off, or holds another number of
    records than its header says.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self.header: dict[str, str] = {}
        # defusedxml refuses entities and external references
        self._events = iterparse(stream, events=("start", "end"))
        self._first: Element | None = None
        first = self._next()
        name = _local_name(first[1]) if first else ""
        if name not in _ROOTS:
            raise Malformed(f"<{name}> is not the root of a GLEIF file")
        self.kind, self._record = _ROOTS[name]
        while (event := self._next()) is not None:
            what, element = event
            if what == "end" and _local_name(element) in _HEADERS:
                self.header = {_local_name(child): (child.text or "").strip() for child in element}
                return
            if what == "start" and _local_name(element).endswith(("Records", "Exceptions")):
                self._first = element
                return

    @property
    def delta(self) -> bool:
        """Return whether the file only holds what changed."""
        return "DELTA" in self.header.get("FileContent", "") or "DeltaStart" in self.header

    def records(self) -> Iterator[RecordFields]:
        """Yield every record; memory stays that of one."""
        count = 0
        while (event := self._next()) is not None:
            what, element = event
            if what == "end" and _local_name(element) == self._record:
                count += 1
                record_fields = RecordFields()
                for child in element:
                    _collect_fields(child, "", record_fields)
                yield record_fields
                element.clear()
                # the emptied element would stay in its parent, three million times over
                if self._first is not None:
                    self._first.clear()
            elif what == "start" and self._first is None and _local_name(element) != self._record:
                self._first = element
        record_count = self.header.get("RecordCount", "")
        if record_count.isdigit() and int(record_count) != count:
            raise Malformed(f"the header announces {record_count} records, the file holds {count}")

    def _next(self) -> tuple[str, Element] | None:
        try:
            return next(self._events, None)
        except (ParseError, DefusedXmlException, ValueError) as error:
            raise Malformed(f"not well-formed XML: {error}") from error


def _local_name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _collect_fields(element: Element, prefix: str, record_fields: RecordFields) -> None:
    name = _local_name(element)
    path = f"{prefix}.{name}" if prefix else name
    if name == "DeletedAt":
        record_fields.deleted = True
    elif name in _NAMES:
        record_fields.names.append(((element.text or "").strip(), element.get("type", "")))
    elif name == "RelationshipPeriod":
        parts = {_local_name(part): (part.text or "").strip() for part in element}
        # the first one counts, as in the CSV files and in answers of the API
        is_first = record_fields.period == ("", "")
        if is_first and parts.get("PeriodType") == "RELATIONSHIP_PERIOD":
            record_fields.period = (parts.get("StartDate", ""), parts.get("EndDate", ""))
    elif len(element):
        for child in element:
            _collect_fields(child, path, record_fields)
    else:
        record_fields.texts.setdefault(path, (element.text or "").strip())
