"""Which addresses callbacks may go to. Names are resolved, and judged again, at each attempt.

Public hosts over HTTPS on its usual ports. A sandbox also takes plain HTTP and any port, and
loopback. What operators' settings open for the platform's own upstreams is not open here: these
addresses are callers' (document 2 section 6, DESIGN section 4 *Callbacks*).
"""

import re
from ipaddress import IPv4Address, ip_address, ip_network
from urllib.parse import SplitResult

from django.conf import settings

from apps.upstreams import addresses
from apps.upstreams.addresses import Networks, Refused

LONGEST = 2000
LOOPBACK: Networks = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
# the spellings of inet_aton: decimal, octal and hexadecimal parts, one to four of them
_NUMERIC = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}\.?", re.IGNORECASE)
_HOST = re.compile(
    r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*"
)
_INSIDE = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa")


class BadUrl(ValueError):
    """The address cannot be called back; its text may be shown to whoever gave it."""


def ranges() -> Networks:
    """Return what may be called beside public addresses: loopback, in a sandbox."""
    return () if settings.PRODUCTION else LOOPBACK


def check_url(*, url: str) -> None:
    """Raise BadUrl, with a sentence for whoever gave it, for an address that is not called back.

    Nothing is resolved: what a name leads to is judged whenever it is called.
    """
    if len(url) > LONGEST:
        raise BadUrl(f"A callback address has at most {LONGEST} characters.")
    if not url.isascii() or "\\" in url:
        raise BadUrl("A callback address is plain ASCII, without a backslash.")
    try:
        parts, host, port = addresses.split(url)
    except Refused as error:
        raise BadUrl(_sentence(str(error))) from None
    if parts.fragment or url.endswith("#"):
        raise BadUrl("A callback address has no part after #.")
    if parts.port == 0:
        raise BadUrl("Port 0 is not called.")
    _check_host(parts, host, port)


def _check_host(parts: SplitResult, host: str, port: int) -> None:
    literal = _literal(host)
    plain = not settings.PRODUCTION
    if literal is None and not plain and host.rstrip(".").split(".")[-1].lower() in _INSIDE:
        raise BadUrl("A callback address names a host on the internet.")
    found = literal or IPv4Address("9.9.9.9")  # a name: as if it led to some public host
    reason = addresses.objection(
        found, scheme=parts.scheme, port=port, ranges=ranges(), plain=plain
    )
    if reason:
        raise BadUrl(_worded(reason, literal=literal is not None))


def _literal(host: str) -> addresses.Address | None:
    """Return the address that a host spells, None for a name; BadUrl for what is neither."""
    if ":" in host:
        if "%" in host:
            raise BadUrl("A callback address has no zone.")
        try:
            return ip_address(host)
        except ValueError:
            raise BadUrl("The host of the callback address cannot be read.") from None
    if _NUMERIC.fullmatch(host):
        try:
            return ip_address(host)
        except ValueError:
            raise BadUrl("Write an IPv4 address as four decimal numbers.") from None
    if not _HOST.fullmatch(host.removesuffix(".")) or len(host) > 253:
        raise BadUrl("The host of the callback address cannot be read.")
    return None


def _worded(reason: str, *, literal: bool) -> str:
    if literal and "public" in reason:
        return "A callback address must be a public one."
    return _sentence(reason)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def host_of(url: str) -> str:
    """Return host and port of an address as one text, the same for each spelling of it."""
    _, host, port = addresses.split(url)
    return f"{host.rstrip('.')}:{port}"


def endpoint_of(url: str) -> str:
    """Return the endpoint that an address is of: scheme, host, port and path."""
    parts, _, _ = addresses.split(url)
    return f"{parts.scheme}://{host_of(url)}{parts.path or '/'}"
