"""List files made to exhaust memory: refused as files of another format, in flat memory."""

import io
import tracemalloc

import pytest

from apps.platform.common import limited_stream
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    read_csv_rows,
    read_xml_records,
)

PIECE = b"0" * (1 << 20)


@pytest.mark.parametrize("start", [b"", b"a,b\n1,2\n", b'a,b\n"', b"a,b\n" + b"1,2\n" * 10])
def test_a_line_without_an_end_is_refused(start: bytes) -> None:
    with pytest.raises(FormatError, match=r"4194304|field larger"):
        list(read_csv_rows(io.BytesIO(start + PIECE * 6)))


@pytest.mark.parametrize("start", [b"<L><H>", b'<L><H a="', b"<L><R><N>", b"<L><!--"])
def test_a_text_without_an_end_is_refused(start: bytes) -> None:
    with pytest.raises(FormatError, match="4194304"):
        list(read_xml_records(io.BytesIO(start + PIECE * 6), root="L", records=("R",)))


@pytest.mark.slow
def test_what_belongs_to_no_record_is_not_kept_in_memory() -> None:
    other = b"<Other><Deep>text</Deep></Other>" * 100_000
    stream = io.BytesIO(b"<L><Others>" + other + b"</Others><R>x</R></L>")
    tracemalloc.start()
    texts = [
        element.text
        for tag, element in read_xml_records(stream, root="L", records=("R",))
        if tag == "R"
    ]
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert texts == ["x"] and memory < 2 * 1024 * 1024


def test_records_within_others_keep_their_parts() -> None:
    stream = io.BytesIO(b"<L><G><R a='1'><P><Q>deep</Q></P></R><X/><R a='2'/></G></L>")
    found = [
        (element.get("a"), element.findtext("P/Q"))
        for tag, element in read_xml_records(stream, root="L", records=("R",))
        if tag == "R"
    ]
    assert found == [("1", "deep"), ("2", None)]


def test_a_list_far_larger_than_one_record_may_be_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    row = b"x" * 1000 + b",y\n"
    assert len(row) * 6_000 > limited_stream.LARGEST_RECORD
    assert sum(1 for _ in read_csv_rows(io.BytesIO(row * 6_000))) == 6_000
