"""Callbacks over TLS: certificates are verified each time, and authorities read once."""

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests.adapters
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from apps.payments.callbacks.clients import webhook_client
from tests.upstreams.loopback import Loopback, status

TIMES = 5


def certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """Write a certificate of a host that vouches for itself, and its key."""
    key, at = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(at - timedelta(days=1))
        .not_valid_after(at + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / f"{host}.pem", folder / f"{host}.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    plain = serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    return paths


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: Any) -> Iterator[Any]:
    """A receiver by TLS: `receiver(host)` makes one whose certificate is vouched for."""
    made: list[Loopback] = []

    def start(host: str) -> str:
        shown, key = certificate(tmp_path, host)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(shown, key)
        far = Loopback()
        far.answers["/in"] = status(200)
        far.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        far.server.socket = context.wrap_socket(
            far.server.socket, server_side=True, do_handshake_on_connect=False
        )
        made.append(far)
        monkeypatch.setattr(requests.adapters, "DEFAULT_CA_BUNDLE_PATH", str(shown))
        return far.url.replace("http://127.0.0.1", "https://localhost") + "/in"

    yield start
    for loopback in made:
        loopback.close()


def test_authorities_are_read_once_for_many_callbacks(receiver: Any, monkeypatch: Any) -> None:
    read: list[Any] = []
    real = ssl.SSLContext.load_verify_locations

    def counted(self: ssl.SSLContext, *args: Any, **options: Any) -> None:
        read.append(args)
        real(self, *args, **options)

    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", counted)
    url = receiver("localhost")
    replies = [
        webhook_client.post_callback(url=url, content=b"{}", headers={}) for _ in range(TIMES)
    ]
    assert [reply.status for reply in replies] == [200] * TIMES
    assert len(read) == 1


def test_a_certificate_of_another_host_is_refused(receiver: Any) -> None:
    url = receiver("elsewhere.example")
    assert [
        webhook_client.post_callback(url=url, content=b"{}", headers={}).error for _ in range(2)
    ] == ["tls"] * 2
