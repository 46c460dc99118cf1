"""Bounded streams: the bound itself passes, one byte more does not."""

import io

import pytest

from apps.platform.common.limited_stream import LimitedStream, StreamTooLarge


def read(data: bytes, **bounds: int) -> bytes:
    return io.BufferedReader(LimitedStream(io.BytesIO(data), **bounds), 16).read()


@pytest.mark.parametrize("bounds", [{"most": 100}, {"record": 100}])
def test_as_much_as_the_bound_is_given_and_no_byte_more(bounds: dict[str, int]) -> None:
    assert read(b"x" * 100, **bounds) == b"x" * 100
    with pytest.raises(StreamTooLarge, match="more than 100 bytes"):
        read(b"x" * 101, **bounds)


def test_a_mark_begins_the_next_record_and_not_the_next_file() -> None:
    bound = LimitedStream(io.BytesIO(b"x" * 40), most=35, record=20)
    for _ in range(3):
        assert bound.read(10)
        bound.mark()
    with pytest.raises(StreamTooLarge, match="more than 35"):
        bound.read(10)


def test_the_stream_stays_the_callers_to_close() -> None:
    inner = io.BytesIO(b"x")
    LimitedStream(inner).close()
    assert not inner.closed
