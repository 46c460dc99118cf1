"""Posting, showing who we are, redirects, and what the host's environment must not change."""

import gzip
import ipaddress
import logging
import ssl
import traceback
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from apps.platform.upstreams.auth import Auth, BasicAuth, BearerAuth, HeaderAuth
from apps.platform.upstreams.http import Upstream, UpstreamError
from apps.platform.upstreams.models import UpstreamState
from tests.upstreams.loopback import Loopback, body, chunked, drip, status
from tests.upstreams.test_addresses import resolves

pytestmark = pytest.mark.django_db
SECRET = "s3cr3t-and-long"


def test_json_is_posted_and_its_answer_parsed(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = body(b'{"ok": true}', 201)
    assert upstream.post_json("/a", json={"name": "Zürich"}) == {"ok": True}
    assert far.bodies == ['{"name": "Zürich"}'.encode()]
    assert far.headers[0]["Content-Type"] == "application/json"


def test_a_form_is_posted(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = status(204)
    assert upstream.post_json("/a", form={"q": "a b&c"}, deadline=2) is None
    assert far.bodies == [b"q=a+b%26c"]
    assert far.headers[0]["Content-Type"] == "application/x-www-form-urlencoded"


def test_signed_bytes_are_posted_as_they_are_and_once(far: Loopback, upstream: Upstream) -> None:
    far.answers["/a"] = status(500)
    with pytest.raises(UpstreamError, match="500"):
        upstream.post_bytes("/a", content=b'{"b": 1,"a":2 }', headers={"X-Signature": "1"})
    assert far.bodies == [b'{"b": 1,"a":2 }'] and far.headers[0]["X-Signature"] == "1"


@pytest.mark.parametrize(
    ("auth", "name", "value"),
    [
        (BearerAuth(SECRET), "Authorization", f"Bearer {SECRET}"),
        (BasicAuth("us", SECRET), "Authorization", "Basic dXM6czNjcjN0LWFuZC1sb25n"),
        (HeaderAuth("X-API-Key", SECRET), "X-API-Key", SECRET),
    ],
)
def test_an_upstream_is_shown_who_we_are_and_no_log_is(
    far: Loopback, upstream: Upstream, auth: Auth, name: str, value: str, caplog: Any
) -> None:
    far.answers["/a"] = body(b"1")
    upstream.auth = auth
    with caplog.at_level(logging.DEBUG):
        upstream.get_bytes("/a")
        far.answers["/a"] = status(500)
        with pytest.raises(UpstreamError) as bad:
            upstream.get_bytes("/a")
    assert far.headers[0][name] == value
    assert SECRET not in repr(auth) + str(auth) + caplog.text + str(bad.value)
    assert SECRET not in UpstreamState.objects.get(pk="test").last_error


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_error_that_names_where_it_pointed(
    far: Loopback, upstream: Upstream, code: int
) -> None:
    inside = f"{far.url}/inside/page?token={SECRET}"
    far.answers["/a"] = body(b"", code, Location=inside)
    far.answers["/inside/page"] = body(b"the crown jewels")
    with pytest.raises(UpstreamError, match=f"points to {far.url}/inside/page") as bad:
        upstream.get_bytes("/a")
    assert (bad.value.permanent, bad.value.status) == (True, code)
    assert SECRET not in str(bad.value) and far.calls == ["/a"]


@pytest.mark.parametrize("place", ["", "/b", "http://[", "https://user:pw@else.example/x"])
def test_whatever_a_redirect_says_it_is_not_followed(
    far: Loopback, upstream: Upstream, place: str
) -> None:
    far.answers["/a"] = body(b"", 302, Location=place)
    with pytest.raises(UpstreamError, match="redirects are not followed") as bad:
        upstream.get_bytes("/a")
    assert "pw" not in str(bad.value) and len(far.calls) == 1


def test_the_body_of_a_redirect_is_not_read(far: Loopback, upstream: Upstream) -> None:
    def endless_redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", "/b")
        handler.end_headers()
        while True:
            handler.wfile.write(b"0" * 65536)

    far.answers["/a"] = endless_redirect
    with pytest.raises(UpstreamError, match="redirects are not followed"):
        upstream.get_bytes("/a", deadline=5)


@pytest.mark.parametrize("scheme", ["http://127.0.0.1:1", "https"])
def test_a_failure_shows_no_token_of_the_address_even_in_a_traceback(
    far: Loopback, upstream: Upstream, scheme: str
) -> None:
    upstream.base_url = scheme if "//" in scheme else far.url.replace("http", scheme)
    with pytest.raises(UpstreamError, match=r"ConnectionError|SSLError") as bad:
        upstream.get_bytes(f"/list?token={SECRET}")
    assert SECRET not in "".join(traceback.format_exception(bad.value))


def test_proxies_and_netrc_of_the_host_are_not_used(
    far: Loopback, upstream: Upstream, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    far.answers["/a"] = body(b"1")
    (tmp_path / "netrc").write_text(f"machine 127.0.0.1 login me password {SECRET}\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert upstream.get_bytes("/a") == b"1"
    assert "Authorization" not in far.headers[0]


# --- bodies ---------------------------------------------------------------------------


def test_a_download_that_inflates_is_refused_while_it_is_read(
    far: Loopback, upstream: Upstream, tmp_path: Path
) -> None:
    far.answers["/a"] = body(gzip.compress(b"0" * 50_000_000), Content_Encoding="gzip")
    with pytest.raises(UpstreamError, match="more than 1000000 bytes"):
        upstream.download("/a", tmp_path / "a")
    assert (tmp_path / "a").stat().st_size <= upstream.largest


def test_packed_bytes_that_unpack_to_nothing_are_bounded_too(
    far: Loopback, upstream: Upstream
) -> None:
    upstream.largest = 100_000
    far.answers["/a"] = body(gzip.compress(b"") * 6000, Content_Encoding="gzip")
    with pytest.raises(UpstreamError, match="more than 100000 bytes"):
        upstream.get_bytes("/a")


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 999_999])
def test_packed_bodies_come_whole(far: Loopback, upstream: Upstream, size: int) -> None:
    plain = bytes(number % 251 for number in range(size))
    packed = gzip.compress(plain)
    far.answers["/one"] = body(packed, Content_Encoding="gzip")
    far.answers["/two"] = body(gzip.compress(b"head") + packed, Content_Encoding="x-gzip")
    assert upstream.get_bytes("/one") == plain
    assert upstream.get_bytes("/two") == b"head" + plain if size < 999_996 else True


@pytest.mark.parametrize("encoding", ["br", "deflate", "zstd", "gzip, gzip"])
def test_an_encoding_that_was_not_asked_for_is_refused(
    far: Loopback, upstream: Upstream, encoding: str
) -> None:
    far.answers["/a"] = body(b"x", Content_Encoding=encoding)
    with pytest.raises(UpstreamError, match="not requested"):
        upstream.get_bytes("/a")
    assert far.headers[0]["Accept-Encoding"] == "gzip"


def test_a_packed_body_that_ends_early_is_an_error(far: Loopback, upstream: Upstream) -> None:
    packed = gzip.compress(b"x" * 1000)
    far.answers["/a"] = chunked([packed[:-4]], Content_Encoding="gzip")
    with pytest.raises(UpstreamError, match="ends early"):
        upstream.get_bytes("/a")


# --- time -----------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [False, True])
def test_a_call_that_nobody_waits_for_ends_by_its_patience(
    far: Loopback, upstream: Upstream, headers: bool
) -> None:
    far.answers["/a"] = drip(10_000, 0.02, headers=headers)
    upstream.patience = 0.3
    with pytest.raises(UpstreamError, match="deadline") as late:
        upstream.get_bytes("/a")
    assert not late.value.permanent
    with pytest.raises(UpstreamError, match="deadline"):
        upstream.post_json("/a", json={})


@pytest.mark.parametrize("headers", [False, True])
def test_a_download_that_drips_ends_by_its_deadline(
    far: Loopback, upstream: Upstream, tmp_path: Path, headers: bool
) -> None:
    far.answers["/a"] = drip(10_000, 0.02, headers=headers)
    with pytest.raises(UpstreamError, match="deadline"):
        upstream.download("/a", tmp_path / "a", deadline=0.3)


def test_a_download_that_does_not_begin_in_time_is_given_up_long_before_its_deadline(
    far: Loopback, upstream: Upstream, tmp_path: Path
) -> None:
    far.answers["/a"] = drip(10_000, 0.02, headers=True)
    upstream.patience = 0.3
    with pytest.raises(UpstreamError, match="deadline"):
        upstream.download("/a", tmp_path / "a", deadline=120)


def test_a_download_that_has_begun_may_take_longer_than_patience(
    far: Loopback, upstream: Upstream, tmp_path: Path
) -> None:
    far.answers["/a"] = drip(20, 0.05)
    upstream.patience = 0.3
    assert upstream.download("/a", tmp_path / "a", deadline=30).size == 20


@pytest.mark.parametrize(("slowest", "given_up"), [(10, False), (2000, True)])
def test_a_download_at_no_pace_is_given_up(
    far: Loopback,
    upstream: Upstream,
    tmp_path: Path,
    monkeypatch: Any,
    slowest: int,
    given_up: bool,
) -> None:
    monkeypatch.setattr("apps.platform.upstreams.connections.GRACE_SECONDS", 0.2)
    far.answers["/a"] = drip(40, 0.02)
    upstream.slowest = slowest
    if given_up:
        with pytest.raises(UpstreamError, match="slower than 2000 bytes") as slow:
            upstream.download("/a", tmp_path / "a", deadline=120)
        assert not slow.value.permanent
    else:
        assert upstream.download("/a", tmp_path / "a", deadline=120).size == 40


# --- certificates ---------------------------------------------------------------------


@pytest.fixture
def certified(far: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """The upstream behind TLS, with a certificate for lists.example that we trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lists.example")])
    began = datetime.now(UTC) - timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(began)
        .not_valid_after(began + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("lists.example")]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    held = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = certificate.public_bytes(serialization.Encoding.PEM)
    (tmp_path / "pair.pem").write_bytes(held + public)
    (tmp_path / "trusted.pem").write_bytes(public)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "pair.pem")
    far.server.socket = context.wrap_socket(far.server.socket, server_side=True)
    trusted = str(tmp_path / "trusted.pem")
    monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", trusted)
    return far


def test_the_certificate_is_checked_against_the_name_and_not_the_address(
    certified: Loopback, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    certified.answers["/a"] = body(b"1")
    port = certified.server.server_address[1]
    resolves(monkeypatch, ["127.0.0.1"])
    upstream.base_url = f"https://lists.example:{port}"
    assert upstream.get_bytes("/a") == b"1"
    upstream.base_url = f"https://other.example:{port}"
    with pytest.raises(UpstreamError, match="SSLError"):
        upstream.get_bytes("/a")
    assert certified.calls == ["/a"]


def test_loopback_is_named_in_a_sandbox_and_nothing_else(settings: Any) -> None:
    named = settings.UPSTREAM_PRIVATE_RANGES
    assert named == (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
