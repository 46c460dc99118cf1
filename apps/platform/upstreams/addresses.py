"""Addresses that a call may go to: public ones over HTTPS, and those of a setting. Pure.

The ranges without public hosts are those of the IANA special-purpose registries as the standard
library and requests-hardened know them, and four that both let through.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urljoin, urlsplit

from requests_hardened.ip_filter import EXTRA_BLOCKED_NET_RANGES

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Networks = Sequence[Network]
# other ports of a public host serve no web API, but may serve mail or a database
PORTS = (443, 8443)

_NOT_PUBLIC: tuple[Network, ...] = (
    *EXTRA_BLOCKED_NET_RANGES,
    ip_network("fec0::/10"),  # site-local: deprecated, still routed inside some networks
    ip_network("::/96"),  # IPv4-compatible: another spelling of an IPv4 address
    ip_network("::ffff:0:0:0/96"),  # IPv4-translated (RFC 2765): likewise
    ip_network("168.63.129.16/32"),  # Azure's metadata and wire server, on a public address
)


class AddressRefused(Exception):
    """The call may not go to this address; nothing was sent."""


def is_in_ranges(address: Address, ranges: Networks) -> bool:
    """Tell whether one of the ranges contains the address."""
    # an IPv6 spelling must not pass a range that its
    # IPv4 address falls into, or miss one that is named
    plain = _unmap_ipv4(address)
    return any(plain in network for network in ranges if network.version == plain.version)


def is_public_address(address: Address) -> bool:
    """Tell whether an address can belong to any host on the internet."""
    plain = _unmap_ipv4(address)
    return plain.is_global and not plain.is_multicast and not is_in_ranges(plain, _NOT_PUBLIC)


def find_objection(
    address: Address, *, scheme: str, port: int, ranges: Networks, plain: bool = False
) -> str:
    """Return why a call may not go to an address, empty if it may.

    Addresses in `ranges` may be called over plain HTTP and on any port; all others over HTTPS on
    its usual ports, unless `plain` allows them the same.
    """
    # named by the operator: inside its own network there is often no certificate
    if is_in_ranges(address, ranges):
        return ""
    if not is_public_address(address):
        return f"{address} is not a public address, and UPSTREAM_PRIVATE_RANGES does not name it"
    if plain:
        return ""
    if scheme != "https":
        return "only https is allowed"
    if port not in PORTS:
        return f"port {port} is not allowed, only {' and '.join(map(str, PORTS))}"
    return ""


def split_url(url: str) -> tuple[SplitResult, str, int]:
    """Return the parts, host and port of a web address; AddressRefused for a malformed one."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    # urlsplit raises for brackets that do not pair, `.port` for one that is no number up to 65535
    except ValueError:
        raise AddressRefused("this is not a web address") from None
    if parts.scheme not in ("http", "https") or not host:
        raise AddressRefused("this is not a web address")
    # urlsplit drops tabs and line breaks silently: what is checked would not be what is sent
    if not url.isprintable() or any(character.isspace() for character in url):
        raise AddressRefused("a web address must not contain spaces or control characters")
    # credentials belong in a setting that is never logged; and
    # `https://bank.example@evil.example` misleads its reader
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("a web address must not carry a user name or password")
    return parts, host, port or (443 if parts.scheme == "https" else 80)


def check_url(url: str, *, ranges: Networks) -> None:
    """Check an address before anything resolves it, as a form does; raises AddressRefused.

    The addresses that its name resolves to are checked at each call.
    """
    parts, host, port = split_url(url)
    if parts.fragment:
        raise AddressRefused("a web address that is fetched must not have a fragment (#)")
    try:
        # without the zone of a link-local IPv6 address (RFC 4007)
        literal = ip_address(host.partition("%")[0])
    except ValueError:
        literal = ip_address("9.9.9.9")  # a name: treated as a public host until it is resolved
    if reason := find_objection(literal, scheme=parts.scheme, port=port, ranges=ranges):
        raise AddressRefused(reason)


def redact_url(url: str, target: str = "") -> str:
    """Return an address (or where it points) to be read, without the query: it may be secret."""
    try:
        parts = urlsplit(urljoin(url, target))
        place = f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}"
    except ValueError:
        return "an address that cannot be read"
    # another server chose the text of a redirect: it is cut, and cannot break a line of the log
    return "".join(c for c in f"{place}{parts.path}"[:200] if c.isprintable())


def _unmap_ipv4(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 one spells (::ffff:10.0.0.1), else itself."""
    return getattr(address, "ipv4_mapped", None) or address
