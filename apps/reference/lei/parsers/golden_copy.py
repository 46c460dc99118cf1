"""Reads GLEIF golden-copy and delta files record by record, CSV or XML, zipped or not.

Level 1: LEI-CDF 3.1. Relationships: RR-CDF 2.1. Reporting exceptions: 2.1. Written from the
published formats; no file of GLEIF's own was at hand to try it on, so columns are found by
name, everything unneeded is passed over, and whatever contradicts the format is refused.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Literal

from apps.platform.common.clock import assume_utc
from apps.platform.common.lei import is_valid_lei
from apps.platform.common.limited_stream import LimitedStream, StreamTooLarge
from apps.reference.lei.gleif_codes import (
    build_exemption,
    build_ownership,
    parse_gleif_day,
    parse_percentage,
)
from apps.reference.lei.parsers import golden_copy_csv, golden_copy_xml
from apps.reference.lei.values import Entity, Exemption, Malformed, OtherName, Ownership

Kind = Literal["RECORDS", "RELATIONSHIPS", "EXCEPTIONS"]
Row = Entity | Ownership | Exemption


# GLEIF's own files unpack to about twenty times their size, the largest to some 15 GB
LARGEST_UNPACKED = 64 * 1024**3  # bytes
MOST_DENSE = 100  # times the packed size
SMALL = 16 * 1024**2  # bytes that any file may unpack to, however dense
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1  # bit 0 of the general purpose flags (APPNOTE.TXT 4.4.4)
_QUANTIFIER = "Relationship.RelationshipQuantifiers.RelationshipQuantifier"
_STAMP = re.compile(r"(\d{8})-(\d{4})")
# what a delta of this name covers, back from its publication; a publication is due each 8 hours
_WINDOWS = {
    "intra-day": timedelta(hours=8),
    "last-day": timedelta(days=1),
    "last-week": timedelta(days=7),
    "last-month": timedelta(days=31),
}


@dataclass(slots=True)
class GoldenCopy:
    """One open file: what it holds, when its content was published, and its rows.

    `published` is None when neither header nor file name says; `since` is where a delta begins,
    None when that is not said. While `rows` is consumed,
    `refused` counts rows with an invalid LEI or no content and `skipped` those of no concern here.
    """

    kind: Kind
    published: datetime | None
    delta: bool
    rows: Iterator[Row]
    since: datetime | None = None
    refused: int = 0
    skipped: int = 0
    mark: Callable[[], None] = lambda: None


@contextmanager
def open_golden_copy(path: Path) -> Iterator[GoldenCopy]:
    """Open a golden-copy file for reading.

    Raises Malformed when it is neither CSV nor XML of a known kind, and while rows are read
    when a row or the end of the file is broken.
    """
    with _open_unpacked(path) as (name, bound), _refuse_oversized(path.name):
        stream = io.BufferedReader(bound, 1 << 16)
        # a byte order mark and blanks may come before the first tag
        head = stream.peek(512)[:512].lstrip(b"\xef\xbb\xbf \r\n\t")
        copy = _read_xml(stream) if head.startswith(b"<") else _read_csv(stream)
        copy.mark = bound.mark
        # GLEIF's names begin with the time of publication: 20261119-0800-gleif-goldencopy-lei2…
        stamp = _STAMP.search(name) or _STAMP.search(path.name)
        if copy.published is None and stamp:
            text = f"{stamp[1]}{stamp[2]}"
            copy.published = datetime.strptime(text, "%Y%m%d%H%M").replace(tzinfo=UTC)
        # take from the name of a delta what its header does not say
        names = f"{name} {path.name}".lower()
        window = next((back for word, back in _WINDOWS.items() if word in names), None)
        copy.delta = copy.delta or window is not None
        if copy.since is None and window is not None and copy.published is not None:
            copy.since = copy.published - window
        yield copy


@contextmanager
def _refuse_oversized(name: str) -> Iterator[None]:
    try:
        yield
    except StreamTooLarge as error:
        raise Malformed(f"{name} is not a GLEIF file: {error}") from error


@contextmanager
def _open_unpacked(path: Path) -> Iterator[tuple[str, LimitedStream]]:
    if not zipfile.is_zipfile(path):
        with path.open("rb") as stream:
            yield path.name, LimitedStream(stream)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            zip_infos = [
                info for info in archive.infolist() if info.filename.endswith((".csv", ".xml"))
            ]
            if len(zip_infos) != 1:
                raise Malformed(
                    f"{path.name} should hold one .csv or .xml file, not {len(zip_infos)}"
                )
            info = zip_infos[0]
            if info.compress_type not in PACKINGS or info.flag_bits & ENCRYPTED:
                raise Malformed(f"{path.name} is packed in a way that GLEIF does not use")
            # the size that the archive states, which a hostile
            # one may understate: the stream is limited too
            if info.file_size > _unpacked_limit(info):
                raise Malformed(f"{path.name} would unpack to {info.file_size} bytes: far too many")
            with archive.open(info) as member:
                yield info.filename, LimitedStream(member, most=_unpacked_limit(info))
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise Malformed(f"{path.name} is damaged: {error}") from error


def _unpacked_limit(info: zipfile.ZipInfo) -> int:
    """Return how many bytes a packed file of its size may hold."""
    return min(LARGEST_UNPACKED, max(SMALL, MOST_DENSE * info.compress_size))


def _is_valid_row(copy: GoldenCopy, row: Row | None) -> bool:
    copy.mark()
    if row is None:
        copy.skipped += 1
        return False
    leis = (row.child, row.parent) if isinstance(row, Ownership) else (row.lei,)
    if all(map(is_valid_lei, leis)) and _has_required_fields(row):
        return True
    copy.refused += 1
    return False


def _has_required_fields(row: Row) -> bool:
    if isinstance(row, Entity):
        return bool(row.legal_name and row.registration_status)
    return isinstance(row, Ownership) or bool(row.reason) or row.deleted


def _read_csv(stream: IO[bytes]) -> GoldenCopy:
    table = golden_copy_csv.GoldenCopyCsv(stream)
    copy = GoldenCopy(table.kind, None, False, iter(()))
    copy.rows = (row for row in table.rows() if _is_valid_row(copy, row) and row is not None)
    return copy


def _read_xml(stream: IO[bytes]) -> GoldenCopy:
    document = golden_copy_xml.GoldenCopyXml(stream)
    makers = {
        "RECORDS": _build_entity,
        "RELATIONSHIPS": _build_relationship,
        "EXCEPTIONS": _build_exemption,
    }
    published = document.header.get("ContentDate", "")
    since = _parse_header_moment(document.header.get("DeltaStart", ""))
    copy = GoldenCopy(
        document.kind, _parse_header_moment(published), document.delta, iter(()), since
    )

    def rows() -> Iterator[Row]:
        for fields in document.records():
            row = makers[document.kind](fields)
            if _is_valid_row(copy, row) and row is not None:
                yield row

    copy.rows = rows()
    return copy


def _parse_header_moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Malformed(f"{text!r} in the header is not an ISO 8601 time") from error
    return assume_utc(moment)


def _build_entity(fields: golden_copy_xml.RecordFields) -> Entity:
    return Entity(
        lei=fields.get("LEI"),
        legal_name=fields.get("Entity.LegalName"),
        registration_status=fields.get("Registration.RegistrationStatus"),
        entity_status=fields.get("Entity.EntityStatus"),
        jurisdiction=fields.get("Entity.LegalJurisdiction"),
        country=fields.get("Entity.LegalAddress.Country"),
        category=fields.get("Entity.EntityCategory"),
        legal_form=fields.get("Entity.LegalForm.EntityLegalFormCode"),
        registered_as=fields.get("Entity.RegistrationAuthority.RegistrationAuthorityEntityID"),
        managing_lou=fields.get("Registration.ManagingLOU"),
        successor=fields.get("Entity.SuccessorEntity.SuccessorLEI"),
        next_renewal=parse_gleif_day(fields.get("Registration.NextRenewalDate")),
        other_names=tuple(OtherName(name, kind) for name, kind in fields.names),
        headquarters=fields.get("Entity.HeadquartersAddress.Country"),
        deleted=fields.deleted,
    )


def _build_relationship(fields: golden_copy_xml.RecordFields) -> Ownership | None:
    since, until = fields.period
    return build_ownership(
        fields.get("Relationship.StartNode.NodeID"),
        fields.get("Relationship.EndNode.NodeID"),
        fields.get("Relationship.RelationshipType"),
        status=fields.get("Relationship.RelationshipStatus"),
        since=parse_gleif_day(since),
        until=parse_gleif_day(until),
        deleted=fields.deleted,
        share=parse_percentage(
            fields.get(f"{_QUANTIFIER}.QuantifierAmount"),
            fields.get(f"{_QUANTIFIER}.QuantifierUnits"),
        ),
    )


def _build_exemption(fields: golden_copy_xml.RecordFields) -> Exemption | None:
    return build_exemption(
        fields.get("LEI"),
        fields.get("ExceptionCategory"),
        fields.get("ExceptionReason"),
        fields.deleted,
    )
