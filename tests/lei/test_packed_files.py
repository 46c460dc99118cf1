"""Packed files that are made to burst: refused in memory that stays small."""

import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from apps.platform.common import limited_stream
from apps.reference.lei.parsers import golden_copy
from apps.reference.lei.values import Malformed
from tests.lei import golden_copy_files

PIECE = b"0" * (1 << 20)
MANY = 120  # MiB, unpacked
FLAT = 60 * 1024 * 1024  # bytes that reading may need, whatever the file unpacks to


def packed(
    path: Path, parts: list[bytes], name: str = "20261119-0800-lei2.csv", **how: int
) -> Path:
    with (
        zipfile.ZipFile(path, "w", how.get("method", zipfile.ZIP_DEFLATED)) as archive,
        archive.open(name, "w", force_zip64=True) as out,
    ):
        for part in parts:
            out.write(part)
    return path


def refusal(path: Path) -> tuple[str, int]:
    """Return why a file is refused and the memory that it took to see so."""
    tracemalloc.start()
    try:
        with pytest.raises(Malformed) as refused, golden_copy.open_golden_copy(path) as copy:
            for _ in copy.rows:
                pass
        return str(refused.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def header() -> bytes:
    return (",".join(golden_copy_files.record(golden_copy_files.lei(1), "A")) + "\n").encode()


def test_a_small_zip_that_unpacks_to_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.zip", [PIECE] * MANY)
    assert path.stat().st_size < 1_000_000
    words, memory = refusal(path)
    assert f"would unpack to {MANY << 20} bytes" in words and memory < FLAT


def test_one_that_lies_about_its_size_is_refused_while_it_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "bomb.zip", [header(), b"\n" * (MANY << 20)])
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        file_size = archive.infolist()[0].file_size
    place = data.rfind(b"PK\x01\x02")
    assert struct.unpack_from("<I", data, place + 24)[0] == file_size
    struct.pack_into("<I", data, place + 24, 1000)
    path.write_bytes(bytes(data))
    words, memory = refusal(path)
    assert "damaged" in words and memory < FLAT


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("lei2.csv", b""),
        ("lei2.csv", b"LEI,Entity.LegalName\n"),
        ("lei2.csv", b'LEI,Entity.LegalName\n"'),
        ("lei2.xml", b"<LEIData><LEIHeader><ContentDate>"),
        ("lei2.xml", b'<LEIData><LEIHeader a="'),
        ("lei2.xml", b"<LEIData><LEIHeader/><LEIRecords><LEIRecord><LEI>"),
        ("lei2.xml", b"<LEIData><LEIHeader/><LEIRecords><!--"),
    ],
)
def test_a_line_or_text_without_an_end_is_not_gathered(
    tmp_path: Path, name: str, start: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(start + PIECE * 10)
    words, memory = refusal(path)
    assert "a record of more than 4194304 bytes" in words or "missing" in words
    assert memory < 8 * limited_stream.LARGEST_RECORD


def test_endless_records_of_no_concern_are_bounded_by_what_the_zip_may_hold(tmp_path: Path) -> None:
    record = b"<RelationshipRecord><Relationship/></RelationshipRecord>" * 20_000
    start = b"<RelationshipData><Header/><RelationshipRecords>"
    path = packed(tmp_path / "bomb.zip", [start, *[record] * 40], name="rr.xml")
    words, memory = refusal(path)
    assert "would unpack" in words and memory < FLAT


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_with_dictionaries_of_their_own_are_refused(tmp_path: Path, method: int) -> None:
    assert "packed in a way" in refusal(packed(tmp_path / "a.zip", [header()], method=method))[0]


def test_a_zip_behind_a_password_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", [header()])
    data = bytearray(path.read_bytes())
    place = data.rfind(b"PK\x01\x02")
    struct.pack_into("<H", data, place + 8, 1)
    path.write_bytes(bytes(data))
    assert "packed in a way" in refusal(path)[0]


def test_many_records_are_read_though_together_they_pass_the_bound_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        golden_copy_files.record(golden_copy_files.lei(number), f"Company {number}")
        for number in range(3000)
    ]
    path = golden_copy_files.write(tmp_path, rows, "20261119-0800-lei2.csv")
    whole = limited_stream.LimitedStream
    monkeypatch.setattr(golden_copy, "LimitedStream", lambda stream: whole(stream, record=140_000))
    assert path.stat().st_size > 280_000
    with golden_copy.open_golden_copy(path) as copy:
        assert len(list(copy.rows)) == 3000
