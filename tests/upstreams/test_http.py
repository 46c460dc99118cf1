"""Outbound calls: bounded in time and size, and honest about what failed."""

import gzip
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.platform.upstreams.http import Upstream, UpstreamError
from apps.platform.upstreams.models import UpstreamState
from tests.upstreams.loopback import (
    Loopback,
    body,
    bomb,
    chunked,
    cut_short,
    drip,
    endless,
    silent,
    status,
)

pytestmark = pytest.mark.django_db


def state() -> UpstreamState:
    return UpstreamState.objects.get(pk="test")


def test_json_comes_strictly_parsed(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = body(b'{"rate": 1.10}')
    assert upstream.get_json("/a", params={"q": "ä b"}) == {"rate": Decimal("1.10")}
    assert far.calls == ["/a?q=%C3%A4+b"]
    assert far.headers[0]["User-Agent"].startswith("compliance-oracle")
    far.answers["/b"] = body(b'{"a":1,"a":2}')
    with pytest.raises(UpstreamError) as bad:
        upstream.get_json("/b")
    assert bad.value.permanent


@pytest.mark.parametrize("deadline", [None, 5.0])
@pytest.mark.parametrize(
    ("code", "permanent", "failures"),
    [
        (400, True, 0),
        (404, True, 0),
        (410, True, 0),
        (408, False, 1),
        (425, False, 1),
        (429, False, 1),
        (500, False, 1),
        (503, False, 1),
        (204, False, 1),
    ],
)
def test_an_answer_of_no_use_is_permanent_or_worth_a_retry(
    far: Loopback,
    upstream: Upstream,
    code: int,
    permanent: bool,
    failures: int,
    deadline: float | None,
) -> None:
    far.answers["/a"] = status(code)
    with pytest.raises(UpstreamError) as bad:
        upstream.get_bytes("/a", deadline=deadline)
    assert (bad.value.permanent, bad.value.status) == (permanent, code)
    assert state().failures == failures


@pytest.mark.parametrize(
    ("answer", "deadline"),
    [
        (silent(3), 0.4),
        (drip(60, 0.05), 0.4),
        (drip(60, 0.05, headers=True), 0.4),
        (endless, 0.4),
    ],
)
def test_with_a_deadline_the_call_returns_by_it(
    far: Loopback, upstream: Upstream, answer: Any, deadline: float
) -> None:
    far.answers["/a"] = answer
    upstream.largest = 10**12
    began = time.monotonic()
    with pytest.raises(UpstreamError) as late:
        upstream.get_bytes("/a", deadline=deadline)
    assert time.monotonic() - began < deadline + 2
    assert not late.value.permanent and state().failures == 1


def test_looking_up_a_name_counts_to_the_deadline(upstream: Upstream, monkeypatch: Any) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: time.sleep(4) or [])
    upstream.base_url = "http://somewhere.example"
    began = time.monotonic()
    with pytest.raises(UpstreamError, match="deadline"):
        upstream.get_bytes(deadline=0.2)
    assert time.monotonic() - began < 3


def test_without_a_deadline_silence_ends_with_the_timeout(
    far: Loopback, upstream: Upstream
) -> None:
    far.answers["/a"] = silent(3)
    upstream.timeout = (1.0, 0.2)
    began = time.monotonic()
    with pytest.raises(UpstreamError):
        upstream.get_bytes("/a")
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("answer", [body(b"0" * 1_000_001), endless, bomb])
def test_more_than_the_largest_size_is_refused_while_it_comes(
    far: Loopback, upstream: Upstream, answer: Any
) -> None:
    far.answers["/a"] = answer
    with pytest.raises(UpstreamError, match="more than 1000000 bytes") as bad:
        upstream.get_bytes("/a")
    assert bad.value.permanent


def test_the_largest_size_itself_is_taken(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = body(b"0" * 1_000_000)
    assert len(upstream.get_bytes("/a")) == 1_000_000


@pytest.mark.parametrize("deadline", [None, 2.0])
def test_a_body_that_ends_early_is_an_error(
    far: Loopback, upstream: Upstream, deadline: float | None
) -> None:
    far.answers["/a"] = cut_short
    with pytest.raises(UpstreamError) as bad:
        upstream.get_bytes("/a", deadline=deadline)
    assert not bad.value.permanent and state().failures == 1


def test_bodies_in_chunks_come_whole_or_not_at_all(far: Loopback, upstream: Upstream) -> None:
    packed = gzip.compress(b'{"a": "' + b"x" * 1000 + b'"}')
    bytewise = [packed[i : i + 1] for i in range(len(packed))]
    far.answers["/packed"] = chunked(bytewise, Content_Encoding="gzip")
    far.answers["/plain"] = chunked([b'{"a"', b":", b'"b"}'])
    far.answers["/cut"] = chunked([b'{"a"', b":", b'"b"}'], whole=False)
    assert upstream.get_json("/packed") == {"a": "x" * 1000}
    assert upstream.get_json("/plain") == {"a": "b"}
    with pytest.raises(UpstreamError, match=r"ProtocolError|Incomplete"):
        upstream.get_json("/cut")


def test_a_body_that_cannot_be_unpacked_is_an_error(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = body(b"not gzip at all", Content_Encoding="gzip")
    with pytest.raises(UpstreamError, match="cannot be decompressed"):
        upstream.get_bytes("/a")


def test_a_closed_port_is_an_error_and_no_crash(upstream: Upstream) -> None:
    upstream.base_url = "http://127.0.0.1:1"
    with pytest.raises(UpstreamError, match="ConnectionError"):
        upstream.get_bytes("/a")
    assert state().failures == 1 and "ConnectionError" in state().last_error


def test_an_upstream_without_an_address_is_not_called(upstream: Upstream) -> None:
    upstream.base_url = ""
    with pytest.raises(UpstreamError, match="not configured") as bad:
        upstream.get_json()
    assert bad.value.permanent and not UpstreamState.objects.exists()


# --- downloads ------------------------------------------------------------------------


def test_a_download_streams_to_its_file_and_keeps_validators(
    far: Loopback, upstream: Upstream, tmp_path: Path
) -> None:
    far.answers["/list"] = body(b"x" * 300_000, ETag='"v1"', Last_Modified="yesterday")
    got = upstream.download("/list", tmp_path / "list")
    assert (got.changed, got.etag, got.last_modified, got.size) == (
        True,
        '"v1"',
        "yesterday",
        300_000,
    )
    assert (tmp_path / "list").read_bytes() == b"x" * 300_000
    assert "If-None-Match" not in far.headers[0]


def test_what_did_not_change_is_not_loaded_again(
    far: Loopback, upstream: Upstream, tmp_path: Path
) -> None:
    far.answers["/list"] = status(304)
    target = tmp_path / "list"
    target.write_text("as before")
    got = upstream.download("/list", target, etag='"v1"', last_modified="yesterday")
    assert (got.changed, got.etag, got.last_modified) == (False, '"v1"', "yesterday")
    assert target.read_text() == "as before"
    assert far.headers[0]["If-None-Match"] == '"v1"'
    assert far.headers[0]["If-Modified-Since"] == "yesterday"


@pytest.mark.parametrize("answer", [status(404), status(500), cut_short, drip(40, 0.05)])
def test_a_download_that_fails_says_so(
    far: Loopback, upstream: Upstream, tmp_path: Path, answer: Any
) -> None:
    far.answers["/list"] = answer
    with pytest.raises(UpstreamError):
        upstream.download("/list", tmp_path / "list", deadline=0.3)
