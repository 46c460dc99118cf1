"""Call a time-stamping authority over HTTP (RFC 3161 section 3.4)."""

from functools import lru_cache
from pathlib import Path

from cryptography.x509 import Certificate, ObjectIdentifier, load_pem_x509_certificates
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.upstreams import addresses
from apps.platform.upstreams.http import Upstream

QUERY, REPLY = "application/timestamp-query", "application/timestamp-reply"


class TimestampAuthority(Upstream):
    """The authority of TSA_URL, whose answers have some kilobytes."""

    name = "time-stamps"
    # seconds: to connect, between two reads, and for the whole call; then bytes
    timeout = (3.0, 10.0)
    patience = 20.0
    largest = 64 * 1024

    @property
    def base_url(self) -> str:  # type: ignore[override]
        """Where it is."""
        return str(settings.TSA_URL)

    def answer(self, query: bytes) -> bytes:
        """Return its answer to a query as bytes; UpstreamError if it gives none."""
        return self.post_bytes(content=query, kind=QUERY, headers={"Accept": REPLY})


def load_certificates() -> tuple[Certificate, ...]:
    """Return the certificates that verify tokens; none if none are configured."""
    # by the time of the file's last change: a renewed certificate counts without a restart
    path = settings.TSA_CERTIFICATES
    return _read_certificates(path, Path(path).stat().st_mtime_ns) if path else ()


@lru_cache(maxsize=4)
def _read_certificates(path: str, changed: int) -> tuple[Certificate, ...]:
    return tuple(load_pem_x509_certificates(Path(path).read_bytes()))


def load_policy() -> ObjectIdentifier | None:
    """Return the policy that a token must name; None for any."""
    return ObjectIdentifier(settings.TSA_POLICY) if settings.TSA_POLICY else None


def check_timestamp_settings() -> None:
    """Refuse to start on settings by which no token could ever be verified."""
    try:
        load_certificates()
    except (OSError, ValueError) as error:
        sentence = "TSA_CERTIFICATES does not name a readable file of PEM certificates."
        raise ImproperlyConfigured(sentence) from error
    try:
        load_policy()
    except ValueError as error:
        sentence = "TSA_POLICY is not an object identifier: write it like `1.3.6.1.4.1.13762.3`."
        raise ImproperlyConfigured(sentence) from error
    if settings.TSA_URL:
        try:
            addresses.check_url(settings.TSA_URL, ranges=settings.UPSTREAM_PRIVATE_RANGES)
        except addresses.AddressRefused as error:
            raise ImproperlyConfigured(f"TSA_URL cannot be called: {error}.") from error
