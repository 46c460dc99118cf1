"""Check addresses for callbacks. Names are resolved, and checked again, at each attempt.

Allowed are public hosts over HTTPS on its usual ports. A sandbox also allows plain HTTP and any
port, and loopback. The operators' settings for the platform's own upstreams do not apply here,
because callers choose these addresses (document 2 section 6, DESIGN section 4 *Callbacks*).
"""

import re
from ipaddress import IPv4Address, ip_address, ip_network

from django.conf import settings

from apps.platform.upstreams import addresses
from apps.platform.upstreams.addresses import AddressRefused, Networks

LONGEST = 2000
LOOPBACK: Networks = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
# the spellings of inet_aton: decimal, octal and hexadecimal parts, one to four of them
_NUMERIC = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}\.?", re.IGNORECASE)
_HOST = re.compile(
    r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*"
)
_INTERNAL_SUFFIXES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa")


class InvalidCallbackUrl(ValueError):
    """The address cannot be called back; the text may be shown to its submitter."""


def allowed_networks() -> Networks:
    """Return the networks allowed beside public addresses: loopback, in a sandbox."""
    return () if settings.PRODUCTION else LOOPBACK


def check_callback_url(*, url: str) -> None:
    """Raise InvalidCallbackUrl, with a sentence for its sender, for a forbidden address.

    Nothing is resolved: the addresses that a name resolves to are checked at each call.
    """
    if len(url) > LONGEST:
        raise InvalidCallbackUrl(f"A callback address has at most {LONGEST} characters.")
    # parsers disagree about both: a host could be checked as one and called as another
    if not url.isascii() or "\\" in url:
        raise InvalidCallbackUrl("A callback address must be plain ASCII, without a backslash.")
    try:
        parts, host, port = addresses.split_url(url)
    except AddressRefused as error:
        raise InvalidCallbackUrl(_to_sentence(str(error))) from None
    if parts.fragment or url.endswith("#"):
        raise InvalidCallbackUrl("A callback address must not have a fragment (#).")
    # 0 is no port to connect to, and an unset one is None
    if parts.port == 0:
        raise InvalidCallbackUrl("Port 0 is not allowed.")
    # an address in the URL itself can be judged now; of a name nothing is known until it is
    # resolved
    literal = _parse_literal_address(host)
    plain = not settings.PRODUCTION
    if (
        literal is None
        and not plain
        and host.rstrip(".").split(".")[-1].lower() in _INTERNAL_SUFFIXES
    ):
        raise InvalidCallbackUrl("A callback address must name a host on the internet.")
    # a name is treated as a public host (any public address does) until it is resolved
    address = literal or IPv4Address("9.9.9.9")
    reason = addresses.find_objection(
        address, scheme=parts.scheme, port=port, ranges=allowed_networks(), plain=plain
    )
    if reason:
        objection = (
            "A callback address must be a public one."
            if literal is not None and "public" in reason
            else _to_sentence(reason)
        )
        raise InvalidCallbackUrl(objection)


def _parse_literal_address(host: str) -> addresses.Address | None:
    """Return the address that a host spells, None for a name; InvalidCallbackUrl otherwise."""
    if ":" in host:
        if "%" in host:
            raise InvalidCallbackUrl("A callback address must not have a zone.")
        try:
            return ip_address(host)
        except ValueError:
            raise InvalidCallbackUrl("The host of the callback address cannot be read.") from None
    # 0x7f.1 or 2130706433 are 127.0.0.1 to the resolver, and names to a naive check
    if _NUMERIC.fullmatch(host):
        try:
            return ip_address(host)
        except ValueError:
            raise InvalidCallbackUrl("Write an IPv4 address as four decimal numbers.") from None
    if not _HOST.fullmatch(host.removesuffix(".")) or len(host) > 253:
        raise InvalidCallbackUrl("The host of the callback address cannot be read.")
    return None


def _to_sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def host_and_port(url: str) -> str:
    """Return host and port of an address as one text, the same for each spelling."""
    _, host, port = addresses.split_url(url)
    # a trailing dot names the same host: limits and pauses must not be doubled by it
    return f"{host.rstrip('.')}:{port}"


def endpoint_address(url: str) -> str:
    """Return the endpoint of an address: scheme, host, port and path."""
    parts, _, _ = addresses.split_url(url)
    return f"{parts.scheme}://{host_and_port(url)}{parts.path or '/'}"
