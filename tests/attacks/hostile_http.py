"""Malformed and malicious requests, sent byte by byte: each is answered, and none as it wishes.

Needs a sandbox that runs (`./run`); PORT and VAR_DIR say which. Two hundred requests are sent, and
FREE_RATE_PER_MINUTE must allow as many.

    ./run attack hostile-http [WORD…]

With words only the requests are sent whose title has one of them. An answer must have one of the
statuses that are expected, no other 5xx than 501, the page policy, and a problem document where an
address of the API or the server itself refuses.
"""

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.attacks.client import Answer, Target, target

SCREEN = "/compliance/compliance/screen"
HEALTH = "/compliance/health"
USAGE = "/compliance/compliance/usage"
NAME = b'{"name": "Blue Heron Limited"}'
JSON = (("Content-Type", "application/json"),)
Headers = Sequence[tuple[str | bytes, str | bytes]]


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent, and with which statuses it may be answered; `half` sends no more after it."""

    title: str
    data: bytes
    expected: tuple[int, ...]
    half: bool = False


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def build(
    method: str,
    path: str | bytes,
    body: bytes = b"",
    headers: Headers = (),
    *,
    host: str | None = "127.0.0.1",
    version: str = "HTTP/1.1",
    length: bool = True,
) -> bytes:
    """Return the bytes of a request that ends its connection."""
    given = [(_bytes(name), _bytes(value)) for name, value in headers]
    if host is not None:
        given.insert(0, (b"Host", host.encode()))
    if length and b"content-length" not in {name.strip().lower() for name, _ in given}:
        given.append((b"Content-Length", str(len(body)).encode()))
    given.append((b"Connection", b"close"))
    lines = [b" ".join((method.encode(), _bytes(path), version.encode()))]
    lines += [name + b": " + value for name, value in given]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _fields(**fields: object) -> bytes:
    return json.dumps({"name": "Blue Heron Limited"} | fields).encode()


def _with(name: str) -> str:
    """Return a document whose name is written so, JSON escapes included."""
    return f'{{"name": "{name}"}}'


def _amount(digits: str) -> str:
    return f'{{"name": "Blue Heron Limited", "amount": {digits}}}'


# documents that are no question, and are refused as such
UNREADABLE: dict[str, str | bytes] = {
    "a key twice": '{"name": "A Co", "name": "Lazarus Group"}',
    "a key twice, once escaped": '{"name": "A Co", "\\u006eame": "Lazarus Group"}',
    "a number of 39 digits": _amount("9" * 39),
    "a number of 5,000 digits": _amount("9" * 5000),
    "1e400": _amount("1e400"),
    "1e40": _amount("1e40"),
    "1e-40": _amount("1e-40"),
    "seven decimals": _amount("0.0000001"),
    "NaN": _amount("NaN"),
    "Infinity": _amount("-Infinity"),
    "an amount that is a truth": _amount("true"),
    "an amount that is a text": _amount('"5"'),
    "an amount that is a list": _amount("[1]"),
    "a hundred thousand brackets": "[" * 100_000,
    "five thousand lists in lists": "[" * 5000 + "]" * 5000,
    "five thousand objects in objects": '{"a":' * 5000 + "1" + "}" * 5000,
    "half a surrogate pair": _with("A \\ud800"),
    "half a surrogate pair as a key": '{"name": "A", "\\udc00": 1}',
    "a surrogate in UTF-8": b'{"name": "A \xed\xa0\x80"}',
    "an overlong slash": b'{"name": "A \xc0\xaf"}',
    "an escaped NUL": _with("A\\u0000B"),
    "a NUL": b'{"name": "A\x00B"}',
    "a line break": _with("A\\nB"),
    "a delete": _with("A\x7fB"),
    "a C1 control": _with("A\x85B"),
    "writing turned round": _with("A\u202eB"),
    "an isolated direction": _with("A\u2066B"),
    "invisible tags": _with("A\U000e0041"),
    "only what has no width": _with("\u200b\u200b"),
    "a byte order mark": b"\xef\xbb\xbf" + NAME,
    "UTF-16": NAME.decode().encode("utf-16"),
    "UTF-32": NAME.decode().encode("utf-32-le"),
    "nothing": "",
    "null": "null",
    "a list": "[]",
    "a list of questions": "[{}]",
    "a text": '"x"',
    "a number": "1",
    "more behind the end": NAME + b" x",
    "two documents": NAME * 2,
    "a comment": '{"name": "A"/*x*/}',
    "single quotes": "{'name': 'A'}",
    "a comma too many": '{"name": "A",}',
    "a name that is null": '{"name": null}',
    "a name that is an object": '{"name": {"a": 1}}',
    "a name that is a list": '{"name": ["A"]}',
    "a name that is a number": '{"name": 5}',
    "an empty name": _with(""),
    "a name of spaces": _with("   "),
    "a name of signs": _with("!!!"),
    "a name of pictures": _with("😀"),
    "a name of 301 letters": _with("A" * 301),
    "letters that unfold to eighteen": _with("\ufdfa" * 300),
    "an unknown field": _fields(x=1),
    "a prototype": _fields(__proto__={"a": 1}),
    "twenty thousand fields": json.dumps({f"k{n}": 1 for n in range(20_000)}),
    "a key of 200,000 letters": json.dumps({"k" * 200_000: 1}),
    "a country in another alphabet": _fields(country="ß"),
    "a country that is none": _fields(country="XX"),
    "a country of three letters": _fields(country="DEU"),
    "an LEI that is none": _fields(lei="X"),
    "a currency that is none": _fields(amount=5, currency="BTC"),
    "a type of payment that is none": _fields(paymentType="x"),
    "a truth that is a number": _fields(individual=1),
    "a reference of 201 letters": _fields(reference="x" * 201),
}
# documents that are strange, and questions
READABLE: dict[str, str | bytes] = {
    "a name": NAME,
    "minus nothing": _amount("-0.0"),
    "nothing to the 39th": _amount("0e39"),
    "1e11": _amount("1e11"),
    "a name of brackets": _with("[" * 100 + " A"),
    "a name of 300 letters": _with("A" * 300),
    "300 letters of four bytes": _with("𝐀" * 300),
    "299 accents on a letter": _with("a" + "\u0301" * 299),
    "a reference in HTML": _fields(reference="<script>alert(1)</script>"),
    "fields that are null": _fields(lei=None, country=None, paymentType=None, individual=None),
}


def bodies(key: str) -> Iterator[Request]:
    """Yield questions whose document is not as it should be."""
    headers = (*JSON, ("X-API-Key", key))
    for documents, expected in ((UNREADABLE, 400), (READABLE, 200)):
        for title, document in documents.items():
            data = build("POST", SCREEN, _bytes(document), headers)
            yield Request(f"document: {title}", data, (expected,))
    large = _fields(reference="x" * 5_000_000)
    yield Request("document: five megabytes", build("POST", SCREEN, large, headers), (413, 0))


def framing(key: str) -> Iterator[Request]:
    """Yield requests whose length, coding or lines are not what they say."""
    headers = (*JSON, ("X-API-Key", key))

    def post(body: bytes, *more: tuple[str | bytes, str | bytes], length: bool = True) -> bytes:
        return build("POST", SCREEN, body, (*headers, *more), length=length)

    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(NAME), NAME)
    chunked = ("Transfer-Encoding", "chunked")
    second = b"0\r\n\r\nGET /admin/ HTTP/1.1\r\nHost: x\r\n\r\n"
    yield Request("framing: in chunks", post(chunks, chunked, length=False), (200,))
    yield Request("framing: in chunks, with a length", post(second, chunked), (400,))
    for coding in ("xchunked", "chunked, identity", "identity, chunked", "\x0bchunked", "gzip"):
        data = post(b"0\r\n\r\n", ("Transfer-Encoding", coding), length=False)
        yield Request(f"framing: coding {coding!r}", data, (400, 411, 501))
    spaced = post(b"0\r\n\r\n", ("Transfer-Encoding ", "chunked"), length=False)
    yield Request("framing: a space behind a header's name", spaced, (400,))
    for length in ("+5", "-1", "0x10", "abc", "5, 5", "", "5 5"):
        data = post(NAME, ("Content-Length", length))
        yield Request(f"framing: length {length!r}", data, (400,))
    both = post(NAME, ("Content-Length", "5"), ("Content-Length", str(len(NAME))))
    yield Request("framing: two lengths", both, (400,))
    yield Request(
        "framing: a length of 20 digits", post(NAME, ("Content-Length", "9" * 20)), (413,)
    )
    longer = post(NAME, ("Content-Length", "500"))
    yield Request("framing: a body that ends early", longer, (400, 0), half=True)
    packed = post(gzip.compress(NAME), ("Content-Encoding", "gzip"))
    yield Request("framing: a packed body", packed, (415,))
    yield Request(
        "framing: a header over two lines",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\n c\r\n\r\n",
        (400,),
    )
    yield Request("framing: lines without CR", b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n", (400,), True)
    yield Request("framing: HTTP/0.9", b"GET /\r\n\r\n", (400,))
    yield Request("framing: HTTP/2.0", build("GET", HEALTH, version="HTTP/2.0"), (400, 505))
    yield Request("framing: HTTP/1.0", build("GET", HEALTH, version="HTTP/1.0"), (200,))
    yield Request("framing: TLS", b"\x16\x03\x01\x02\x00\x01" * 20 + b"\r\n\r\n", (400,))
    for title, value in (("a NUL", b"a\x00b"), ("a CR", b"a\rb")):
        yield Request(
            f"framing: {title} in a header", build("GET", HEALTH, headers=(("X-A", value),)), (400,)
        )
    many = [(f"X-A{number}", "b") for number in range(200)]
    yield Request("framing: 200 headers", build("GET", HEALTH, headers=many), (400, 431))
    wide = (("X-A", "b" * 65_536),)
    yield Request("framing: a header of 64 KiB", build("GET", HEALTH, headers=wide), (400, 431))


TYPES = (
    *("text/plain", "application/xml", "multipart/form-data; boundary=x", "application/jsonx", ""),
    *("application/x-www-form-urlencoded", "application/vnd.api+json", "a" * 4000),
)


def methods(key: str) -> Iterator[Request]:
    """Yield calls of the wrong type or method."""
    known = ("X-API-Key", key)
    for kind in TYPES:
        data = build("POST", SCREEN, NAME, (("Content-Type", kind), known))
        yield Request(f"type: {kind[:40]!r}", data, (400, 415))
    yield Request("type: none", build("POST", SCREEN, NAME, (known,)), (415,))
    for method in ("OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "CONNECT", "PROPFIND", "get"):
        data = build(method, SCREEN, NAME, (*JSON, known))
        yield Request(f"method: {method} of a screen", data, (400, 404, 405, 501))
    for path in ("/", HEALTH, "/compliance/openapi.json", "/compliance/.well-known/jwks.json"):
        for method in ("TRACE", "DELETE", "POST"):
            yield Request(f"method: {method} {path}", build(method, path), (400, 403, 405))
    for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        data = build("POST", SCREEN, NAME, (*JSON, known, (name, "DELETE")))
        yield Request(f"method: DELETE by {name}", data, (200,))


# paths that lead nowhere, and those that lead to the sign-in page only
NOWHERE: tuple[str | bytes, ...] = (
    *(f"//{SCREEN[1:]}", "/compliance//compliance/screen", "/compliance/%2e%2e/admin/"),
    *(f"{SCREEN}%00", f"{SCREEN}/%00", f"{SCREEN}/..%2f..%2f", f"{SCREEN}/%ff%fe"),
    *(f"{SCREEN}/é".encode(), SCREEN.encode() + b"/\xff", f"{SCREEN}/%ED%A0%80"),
    *(f"{SCREEN}/{'a' * 4000}", f"{SCREEN}/{'a' * 100_000}", f"{SCREEN}/{{0}}"),
    *("/COMPLIANCE/compliance/screen", "http://evil/compliance/x", "*", "compliance/health"),
    *("/static/../manage.py", "/static/%2e%2e/%2e%2e/manage.py", "/static//etc/passwd"),
    *(
        "/static/..%5c..%5c",
        "/.git/config",
        "/.env",
        "/var/secrets.json",
        "/compliance/docs/../../",
    ),
    *("/\u202e".encode(), "/manage.py"),
)
SIGN_IN = ("/admin/..;/", "/admin/%2e%2e/", "/admin//", "/admin/%00", "/admin/r/1/1/",
           "/admin/auth/user/", "/admin/password_change/",
           "/admin/../.env")  # fmt: skip


def paths(key: str) -> Iterator[Request]:
    """Yield addresses that try to leave what is served."""
    refused = (301, 400, 401, 402, 404, 405, 414, 431)
    for path in NOWHERE:
        yield Request(f"path: {path[:60]!r}", build("GET", path), refused)
    for path in SIGN_IN:
        yield Request(f"path: {path!r}", build("GET", path), (301, 302, 400, 404))
    for path, expected in ((f"{HEALTH}?%00=%00", 400), (f"{USAGE}?x=1", 400)):
        data = build("GET", path, headers=(("X-API-Key", key),))
        yield Request(f"path: {path!r}", data, (expected,))


def headers(key: str) -> Iterator[Request]:
    """Yield hosts, forwarded addresses and keys that are not what they seem."""
    for host in ("evil.example", "127.0.0.1:80@evil", "127.0.0.1:abc", "", "a" * 5000,
                 "127.0.0.1, evil"):  # fmt: skip
        yield Request(f"host: {host[:30]!r}", build("GET", HEALTH, host=host), (400, 431))
    twice = build("GET", HEALTH, headers=(("Host", "evil.example"),))
    yield Request("host: two", twice, (400,))
    for name in ("SCRIPT_NAME", "SCRIPT-NAME", "PATH_INFO", "X-Original-URL", "X-Rewrite-URL"):
        data = build("GET", "/x/admin/", headers=((name, "/x"),))
        yield Request(f"header: {name}", data, (400, 404))
    for name in ("REMOTE-USER", "Remote_User", "X-Forwarded-User"):
        data = build("GET", "/admin/", headers=((name, "samir"),))
        yield Request(f"header: {name}", data, (302, 400))
    other = (("X-API-Key", key), ("X-API-Key", "svc_sub_x"))
    yield Request("key: twice", build("GET", USAGE, headers=other), (400, 401))
    for title, given in (
        ("in a header with underlines", ("X_API_KEY", key)),
        ("as a bearer's", ("Authorization", f"Bearer {key}")),
        *((f"{one[:24]!r}…", ("X-API-Key", one)) for one in _keys_like(key)),
    ):
        data = build("GET", USAGE, headers=(given,))
        yield Request(f"key: {title}", data, (400, 401))
    in_query = build("GET", f"{USAGE}?X-API-Key={key}&api_key={key}")
    yield Request("key: in the query", in_query, (400, 401))
    for value in ("", " ", "a" * 256, "é", "a\tb", "a\x7fb", b"x\x00y"):
        given = (*JSON, ("X-API-Key", key), ("Idempotency-Key", value))
        yield Request(
            f"idempotency key: {value[:20]!r}", build("POST", SCREEN, NAME, given), (400,)
        )


def _keys_like(key: str) -> list[str]:
    return [
        *("", " ", "svc_sub_", "svc_sub_" + "a" * 53, "svc_sub_" + "é" * 10, "svc_" * 1000),
        *("svc_sub_" + "\u0660" * 53, "svc_sub_' OR 1=1--", key[:-1], key + "a"),
        *(key.lower(), key[:18] + "A" * (len(key) - 18), "svc_int_" + key[8:]),
    ]


QUERIES = (
    *("limit=0", "limit=201", "limit=-1", "limit=1e3", "limit=%D9%A1", "limit=99999999999999"),
    *("limit=", "cursor=", "cursor=abc", "cursor=cD0nIE9SIDE9MQ%3D%3D", "cursor=%00"),
    *("cursor=cD0lMDA%3D", "cursor=" + "A" * 3000, "cursor=bz0tMSZwPTE%3D", "decision=X"),
    *("decision=BLOCKED&decision=FLAGGED", "decision[]=x", "x=1"),
)
MONTHS = (
    "2026-13",
    "",
    "2026-11%00",
    "%D9%A2%D9%A0%D9%A2%D9%A6-11",
    "2026-1",
    "2026-11&month=2026-10",
)


def queries(key: str) -> Iterator[Request]:
    """Yield queries that are none."""
    known = (("X-API-Key", key),)
    for query in QUERIES:
        path = f"/compliance/compliance/screens?{query}"
        yield Request(f"query: {query[:44]}", build("GET", path, headers=known), (400,))
    for month in MONTHS:
        path = f"{USAGE}?month={month}"
        yield Request(f"query: month={month}", build("GET", path, headers=known), (400,))


def requests(key: str) -> list[Request]:
    """Return everything that is sent."""
    kinds = (bodies, framing, methods, paths, headers, queries)
    return [request for kind in kinds for request in kind(key)]


def find_fault(request: Request, answer: Answer) -> str:
    """Return what is wrong with an answer, or an empty text."""
    if answer.status not in request.expected:
        return f"answered {answer.status}, expected {request.expected}"
    if answer.status == 0:
        return ""
    if "content-security-policy" not in answer.headers:
        return "it carries no page policy"
    kind = answer.headers.get("content-type", "")
    of_api = not request.title.startswith(("path", "header", "method"))
    if answer.status >= 400 and of_api and kind != "application/problem+json":
        return f"it is refused as {kind}"
    if b"Traceback" in answer.body:
        return "it tells a traceback"
    return ""


def send_all(on: Target, words: Sequence[str] = ()) -> list[str]:
    """Send every request, or those whose title has one of the words; return the faults."""
    faults, sent = [], 0
    for request in requests(on.keys["subscription"]):
        if words and not any(word in request.title for word in words):
            continue
        answer = on.send(request.data, half=request.half)
        fault = find_fault(request, answer)
        sent += 1
        print(f"{answer.status:3} {request.title[:80]:80} {fault}", flush=True)
        if fault:
            faults.append(f"{request.title}: {fault}")
    print(f"{sent} requests, {len(faults)} faults")
    return faults


def main(arguments: list[str]) -> int:
    """Return 0 where every request was answered as it should be."""
    faults = send_all(target(), arguments)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0
