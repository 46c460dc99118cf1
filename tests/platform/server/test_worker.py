"""Whole requests before a worker is taken: slow clients wait alone, and nobody else."""

import socket
from typing import Any

import pytest

from apps.platform.server import connection, request_inbox, worker
from apps.platform.server.chunked_body import MOST_CHUNKS, ChunkedBody
from apps.platform.server.connection import ConnectionState
from apps.platform.server.refusals import RequestRefused
from tests.platform.server.conftest import HEAD, Bench, get, post


def chunked(body: bytes, path: str = "/") -> bytes:
    """Return a request whose body comes in chunks, as they are given."""
    head = f"POST {path} HTTP/1.1\r\n".encode() + HEAD
    return head + b"Transfer-Encoding: chunked\r\n\r\n" + body


def in_chunks(body: bytes, size: int) -> bytes:
    """Return a body in chunks of some size, and its end."""
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%X\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_a_request_in_one_piece_is_answered(bench: Bench) -> None:
    assert bench.client(get("/a")).answers() == [(200, b"GET /a ")]


def test_a_request_is_answered_the_same_however_it_is_cut(bench: Bench) -> None:
    whole = post(b'{"name": "Harbour"}', "/cut")
    for size in (1, 7, 64):
        client = bench.client()
        for start in range(0, len(whole), size):
            assert client.waits()
            client.send(whole[start : start + size])
        assert client.answers() == [(200, b'POST /cut {"name": "Harbour"}')]


def test_many_clients_that_never_finish_keep_nobody_from_an_answer(bench: Bench) -> None:
    for number in range(200):
        half = b"GET / HTTP/1.1\r\nHost: 127" if number % 2 else post(b"x" * 400)[:-1]
        bench.client(half)
    assert bench.client(get("/quick")).answers() == [(200, b"GET /quick ")]
    assert len(bench.connections) == 201


def test_headers_may_take_ten_seconds_and_no_longer(bench: Bench) -> None:
    bench.now += 5
    client = bench.client(b"GET / HTTP/1.1\r\n")
    for _ in range(3):
        bench.later(3.3)
        client.send(b"X-A: b\r\n")
    assert client.waits()
    bench.later(0.2)
    assert client.received().startswith(b"HTTP/1.1 408 ")


def test_a_body_may_take_thirty_seconds_and_no_longer(bench: Bench) -> None:
    slow, late = bench.client(post(b"x" * 40)[:-40]), bench.client(post(b"x" * 40)[:-40])
    for _ in range(29):
        bench.later(1.0)
        slow.send(b"x")
        late.send(b"x")
    slow.send(b"x" * 11)
    assert slow.answers() == [(200, b"POST / " + b"x" * 40)]
    bench.later(1.1)
    status, told = late.answers()[0]
    assert (status, told["code"], told["status"]) == (408, "request_timeout", 408)


def test_a_connection_that_says_nothing_is_closed_without_a_word(bench: Bench) -> None:
    client = bench.client()
    bench.later(9.9)
    assert client.waits()
    bench.later(0.2)
    assert client.received() == b""
    assert client.closed()


def test_a_connection_stays_open_for_the_next_request_for_five_seconds(bench: Bench) -> None:
    client = bench.client(get("/1"))
    assert client.answers() == [(200, b"GET /1 ")]
    bench.later(4.9)
    client.send(get("/2"))
    assert client.answers() == [(200, b"GET /2 ")]
    bench.later(5.1)
    assert client.closed()


def test_an_answer_to_head_has_no_body_and_the_next_answer_is_its_own(bench: Bench) -> None:
    client = bench.client(get("/1").replace(b"GET", b"HEAD", 1) + get("/2"))
    bench.turns()
    received = client.received()
    first, _, rest = received.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200 ") and b"Content-Length: 8" in first
    assert rest.startswith(b"HTTP/1.1 200 ") and rest.endswith(b"GET /2 ")


def test_requests_sent_ahead_are_answered_in_their_order(bench: Bench) -> None:
    client = bench.client(get("/1") + post(b"two", "/2") + get("/3") + get("/4")[:-3])
    bench.turns()
    assert client.answers() == [(200, b"GET /1 "), (200, b"POST /2 two"), (200, b"GET /3 ")]
    client.send(get("/4")[-3:])
    assert client.answers() == [(200, b"GET /4 ")]


def test_a_body_that_the_application_did_not_read_is_not_the_next_request(bench: Bench) -> None:
    hidden = get("/hidden")
    client = bench.client(post(hidden, "/unread") + get("/next"))
    assert [body[:12] for _status, body in client.answers()][1] == b"GET /next "


def test_a_client_that_asks_to_close_is_closed(bench: Bench) -> None:
    client = bench.client(get("/", b"Connection: close\r\n"))
    assert client.received().startswith(b"HTTP/1.1 200")
    assert client.closed()


def test_a_client_that_has_closed_its_side_still_gets_its_answer(bench: Bench) -> None:
    client = bench.client()
    client.sock.sendall(get("/half"))
    client.sock.shutdown(socket.SHUT_WR)
    assert client.answers() == [(200, b"GET /half ")]


def test_a_request_that_breaks_off_is_refused(bench: Bench) -> None:
    client = bench.client(post(b"x" * 10)[:-1])
    client.sock.shutdown(socket.SHUT_WR)
    status, told = client.answers()[0]
    assert (status, told["code"]) == (400, "bad_request")


def test_a_client_that_waits_for_100_is_told_to_go_on_once(bench: Bench) -> None:
    whole = post(b"body", "/", b"Expect: 100-continue\r\n")
    client = bench.client(whole[:-4])
    assert client.received() == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.send(b"bo")
    assert client.waits()
    client.send(b"dy")
    assert client.answers() == [(200, b"POST / body")]
    assert bench.client(whole).answers() == [(200, b"POST / body")]


REFUSED: list[tuple[str, bytes, int, str]] = [
    ("no HTTP", b"\x16\x03\x01\x02\r\n\r\n", 400, "bad_request"),
    ("no version", b"GET /\r\n\r\n", 400, "bad_request"),
    ("another version", b"GET / HTTP/3.0\r\n\r\n", 400, "bad_request"),
    ("a bare line feed", b"GET / HTTP/1.1\nHost: a\n\n", 400, "bad_request"),
    ("a folded header", b"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400, "bad_request"),
    ("a header's name with a space", b"GET / HTTP/1.1\r\nA : b\r\n\r\n", 400, "bad_request"),
    ("two lengths", post(b"x", "/", b"Content-Length: 2\r\n"), 400, "bad_request"),
    ("a length that is no number", get("/", b"Content-Length: +1\r\n"), 400, "bad_request"),
    ("length and chunks", post(b"0", "/", b"Transfer-Encoding: chunked\r\n"), 400, "bad_request"),
    ("no size", chunked(b"\r\n\r\n"), 400, "bad_request"),
    ("a size that is no number", chunked(b"0x5\r\nhello\r\n0\r\n\r\n"), 400, "bad_request"),
    ("a size with a sign", chunked(b"+5\r\nhello\r\n0\r\n\r\n"), 400, "bad_request"),
    ("a size with a blank", chunked(b" 5\r\nhello\r\n0\r\n\r\n"), 400, "bad_request"),
    ("a size of nine digits", chunked(b"000000005\r\nhello\r\n"), 400, "bad_request"),
    ("a bare line feed behind a size", chunked(b"5\nhello\r\n0\r\n\r\n"), 400, "bad_request"),
    ("a chunk that is too long", chunked(b"4\r\nhello\r\n0\r\n\r\n"), 400, "bad_request"),
    ("an extension with an end of line", chunked(b"5;a\nb\r\nhello\r\n"), 400, "bad_request"),
    ("a size without end", chunked(b"5;" + b"a" * 5000), 400, "bad_request"),
    ("trailers without end", chunked(b"0\r\n" + b"A: b\r\n" * 3000), 400, "bad_request"),
    ("a trailer with a line feed", chunked(b"0\r\nA: b\nC: d\r\n\r\n"), 400, "bad_request"),
    (
        "a chunk above the bound",
        chunked(b"%x\r\n" % (request_inbox.MOST_BODY + 1)),
        413,
        "too_large",
    ),
    ("two codings", get("/", b"Transfer-Encoding: gzip, chunked\r\n"), 501, "not_implemented"),
    ("chunks twice", get("/", b"Transfer-Encoding: chunked\r\n" * 2), 400, "bad_request"),
    (
        "chunks of HTTP/1.0",
        chunked(b"0\r\n\r\n").replace(b"HTTP/1.1", b"HTTP/1.0"),
        400,
        "bad_request",
    ),
    ("an unknown coding", get("/", b"Transfer-Encoding: x\r\n"), 501, "not_implemented"),
    ("a long address", get("/" + "a" * 5000), 414, "uri_too_long"),
    ("a hundred and one headers", get("/", b"A: b\r\n" * 100), 431, "headers_too_large"),
    ("a long header", get("/", b"A: " + b"b" * 9000 + b"\r\n"), 431, "headers_too_large"),
    ("headers without end", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 11000, 431, "headers_too_large"),
]


@pytest.mark.parametrize(
    ("sent", "status", "code"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_what_is_no_request_is_answered_with_a_problem(
    bench: Bench, sent: bytes, status: int, code: str
) -> None:
    client = bench.client(sent)
    raw = client.received()
    head, _, body = raw.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"Content-Type: application/problem+json" in head
    assert b'"code": "%s"' % code.encode() in body
    assert b"<" not in body
    bench.later(connection.LINGER_SECONDS + 1)
    assert not bench.connections


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("cut", [1, 5, 4096])
def test_a_body_in_chunks_is_read_whole_however_it_is_cut(
    bench: Bench, size: int, cut: int
) -> None:
    body = b'{"name": "Harbour", "note": "0\r\n\r\n"}'
    whole, client = chunked(in_chunks(body, size), "/chunks"), bench.client()
    for start in range(0, len(whole), cut):
        assert client.waits()
        client.send(whole[start : start + cut])
    assert client.answers() == [(200, b"POST /chunks " + body)]
    assert bench.held == 0


def test_the_application_sees_a_body_of_known_length(bench: Bench) -> None:
    seen: dict[str, Any] = {}
    inner = bench.wsgi

    def looking(environ: Any, start: Any) -> Any:
        seen.update(environ)
        return inner(environ, start)

    bench.wsgi = looking
    sent = chunked(b"5;name=value\r\nhello\r\n0\r\nX-Checksum: 1\r\nHost: evil\r\n\r\n")
    assert bench.client(sent).answers() == [(200, b"POST / hello")]
    assert seen["CONTENT_LENGTH"] == "5" and "HTTP_TRANSFER_ENCODING" not in seen
    assert "HTTP_X_CHECKSUM" not in seen and "evil" not in str(seen["HTTP_HOST"])


def test_what_follows_the_last_chunk_is_the_next_request(bench: Bench) -> None:
    sent = chunked(in_chunks(b"one", 2), "/1") + chunked(in_chunks(b"", 1), "/2") + get("/3")
    client = bench.client(sent)
    bench.turns()
    assert client.answers() == [(200, b"POST /1 one"), (200, b"POST /2 "), (200, b"GET /3 ")]


def test_a_body_in_chunks_that_is_not_read_is_not_the_next_request(bench: Bench) -> None:
    client = bench.client(chunked(in_chunks(get("/hidden"), 9), "/unread") + get("/next"))
    assert [body[:12] for _status, body in client.answers()][1] == b"GET /next "


def test_who_sends_chunks_is_told_to_go_on_once(bench: Bench) -> None:
    head, _, rest = chunked(in_chunks(b"body", 4)).partition(b"\r\n\r\n")
    client = bench.client(head + b"\r\nExpect: 100-continue\r\n\r\n")
    assert client.received() == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.send(rest)
    assert client.answers() == [(200, b"POST / body")]


def test_the_largest_body_in_chunks_is_taken_and_one_byte_more_is_not(bench: Bench) -> None:
    for more, status in ((0, 200), (1, 413)):
        client = bench.client(chunked(in_chunks(b"x" * (request_inbox.MOST_BODY + more), 65_000)))
        bench.turns(120)  # so many reads
        assert client.received().startswith(b"HTTP/1.1 %d " % status)


def test_as_many_chunks_are_taken_as_the_bound_says_and_no_more() -> None:
    for number, refused in ((MOST_CHUNKS - 1, False), (MOST_CHUNKS, True)):
        body = ChunkedBody(most=request_inbox.MOST_BODY)
        sent = b"1\r\nx\r\n" * number + b"0\r\n\r\n"
        if refused:
            with pytest.raises(RequestRefused, match="too many chunks"):
                body.feed(sent)
        else:
            body.feed(sent)
            assert body.whole and len(body.content) == number


def test_a_body_in_chunks_that_breaks_off_or_is_late_is_refused(bench: Bench) -> None:
    broken, late = (bench.client(chunked(b"5\r\nhel")) for _ in range(2))
    broken.sock.shutdown(socket.SHUT_WR)
    assert broken.answers()[0][0] == 400
    bench.later(connection.WHOLE_SECONDS + 1)
    assert late.answers()[0][0] == 408


def test_a_hundred_headers_are_taken(bench: Bench) -> None:
    assert bench.client(get("/", b"A: b\r\n" * 99)).answers() == [(200, b"GET / ")]


def test_the_largest_body_is_taken_and_one_byte_more_is_not(bench: Bench) -> None:
    client = bench.client(post(b"x" * request_inbox.MOST_BODY))
    bench.turns(100)  # so many reads
    status, _ = client.answers()[0]
    assert status == 200
    over = (
        b"POST / HTTP/1.1\r\n"
        + HEAD
        + b"Content-Length: %d\r\n\r\n" % (request_inbox.MOST_BODY + 1)
    )
    status, told = bench.client(over).answers()[0]
    assert (status, told["code"]) == (413, "too_large")


LARGE = b"Content-Length: %d\r\n" % (request_inbox.MOST_BODY + 1)
FROM_A_PAGE = LARGE + b"Accept: text/html,*/*\r\nReferer: http://127.0.0.1%s\r\n"


@pytest.mark.parametrize(
    ("path", "heads", "back"),
    [
        ("/admin/a/b/", FROM_A_PAGE % b"/admin/a/?q=1", "/admin/a/"),
        ("/admin/a/b/", FROM_A_PAGE % b".evil.example/admin/a/", "/admin/a/b/"),
        ("/admin/a/b/", FROM_A_PAGE % b"/elsewhere/", "/admin/a/b/"),
        ("/admin/a/b/", FROM_A_PAGE % b'/admin/"><b>/', "/admin/&quot;&gt;&lt;b&gt;/"),
        ("/admin/a/b/", LARGE + b"Accept: application/json\r\n", None),
        ("/compliance/screen", FROM_A_PAGE % b"/admin/a/", None),
    ],
)
def test_who_sends_too_large_a_form_at_the_desk_gets_a_page_that_leads_back(
    bench: Bench, path: str, heads: bytes, back: str | None
) -> None:
    client = bench.client(f"POST {path} HTTP/1.1\r\n".encode() + HEAD + heads + b"\r\n")
    [(status, told)] = client.answers()
    assert status == 413
    if back is None:
        assert told["code"] == "too_large"
    else:
        html = told.decode()
        assert f'<a href="{back}">Back to the page</a>' in html and "Nothing was stored" in html
        assert "<b>" not in html


def test_a_refused_client_that_sends_on_gets_its_answer_before_the_end(bench: Bench) -> None:
    client = bench.client(b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 99999999\r\n\r\n")
    client.send(b"x" * 3_000_000)
    assert client.received().startswith(b"HTTP/1.1 413 ")
    assert bench.held == 0


def test_a_slow_reader_does_not_keep_others_waiting(bench: Bench) -> None:
    bench.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    slow = bench.client(get("/big"))
    assert [one.state for one in bench.connections] == [ConnectionState.SENDING]
    assert bench.client(get("/other")).answers() == [(200, b"GET /other ")]
    got = b""
    while len(got) < 3_000_000:
        part = slow.received()
        assert part or bench.connections, "the answer broke off"
        got += part
    assert got.endswith(b"x" * 100)
    assert len(got.partition(b"\r\n\r\n")[2]) == 3_000_000


def test_who_does_not_read_its_answer_within_a_minute_loses_it(bench: Bench) -> None:
    bench.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    bench.client(get("/big"))
    bench.later(connection.SEND_SECONDS - 1)
    assert len(bench.connections) == 1
    bench.later(2)
    assert not bench.connections
    assert bench.held == 0


def test_at_the_bound_the_address_with_most_loses_its_oldest(bench: Bench) -> None:
    bench.most = 20
    single = bench.client(b"GET / HTTP/1.1\r\n")
    only = next(iter(bench.connections))
    bench.by_address.subtract([only.address])
    only.peer = ("203.0.113.9", 1)
    bench.by_address[only.address] += 1
    crowd = [bench.client(b"GET / HTTP/1.1\r\n") for _ in range(30)]
    assert len(bench.connections) == 20
    assert [client.closed() for client in crowd] == [True] * 11 + [False] * 19
    assert not single.closed()
    assert bench.client(get("/in")).answers() == [(200, b"GET /in ")]


def test_past_the_bound_on_bytes_the_heaviest_gives_way(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "MOST_HELD", 300_000)
    light = bench.client(post(b"x" * 100_000)[:-1])
    heavy = bench.client(post(b"x" * 150_000)[:-1])
    third = bench.client(post(b"x" * 60_000)[:-1])
    assert heavy.received().startswith(b"HTTP/1.1 503 ")
    for client in (light, third):
        client.send(b"x")
        assert client.answers()[0][0] == 200
    assert bench.held == 0


def test_an_answer_that_fails_before_its_first_byte_is_a_500_without_the_reason(
    bench: Bench,
) -> None:
    def broken(environ: Any, start: Any) -> list[bytes]:
        raise RuntimeError("secret")

    bench.wsgi = broken
    client = bench.client(get())
    raw = client.received()
    assert raw.startswith(b"HTTP/1.1 500 ")
    assert b"secret" not in raw


def test_an_answer_that_breaks_off_is_never_completed_by_another(bench: Bench) -> None:
    def broken(environ: Any, start: Any) -> Any:
        start("200 OK", [("Content-Length", "10")])
        yield b"12345"
        raise RuntimeError("secret")

    bench.wsgi = broken
    client = bench.client(get())
    assert b"HTTP/1.1 500" not in client.received()
    assert client.closed()
    assert not bench.connections


def test_the_next_answer_follows_its_own_request_only(bench: Bench) -> None:
    """Bytes of one connection never reach another's request."""
    one, two = bench.client(post(b"A" * 50, "/one")[:-20]), bench.client(post(b"B" * 50)[:-20])
    two.send(b"B" * 20)
    one.send(b"A" * 20)
    assert one.answers() == [(200, b"POST /one " + b"A" * 50)]
    assert two.answers() == [(200, b"POST / " + b"B" * 50)]


def test_stopping_ends_who_asks_nothing_and_finishes_who_does(bench: Bench) -> None:
    idle, half = bench.client(get("/1")), bench.client(post(b"xy")[:-1])
    assert idle.answers()
    bench.alive = False
    assert bench._finishing()
    assert idle.closed()
    half.send(b"y")
    raw = half.received()
    assert raw.startswith(b"HTTP/1.1 200")
    assert b"Connection: close" in raw
    assert not bench._finishing()


def test_many_refusals_are_one_line_a_second(bench: Bench) -> None:
    for _ in range(5):
        bench.client(b"GET /\r\n\r\n")
    assert bench.log.lines == []
    bench.later(1)
    bench.later(1)
    line = "refused 5 requests, the last of 127.0.0.1: The request line is not valid."
    assert bench.log.lines == [line]
