"""The client's address: behind proxies, and when one of our processes calls another."""

import hashlib
import hmac
import ipaddress

from django.conf import settings
from django.http import HttpRequest

# Tool calls come from the MCP server: without this header the limits would see all agents as one
# address. It carries an HMAC under a key that only our own processes can derive, so that no client
# can state an address of its own.
HEADER = "X-Relayed-For"


def _sign_address(address: str) -> str:
    key = hashlib.sha256(b"relay:" + settings.RELAY_KEY.encode()).digest()
    return hmac.new(key, address.encode(), hashlib.sha256).hexdigest()


def sign_relayed_address(address: str) -> str:
    """Return the header's value for a client's address."""
    return f"{address};{_sign_address(address)}"


def verify_relayed_address(value: str) -> str:
    """Return the address of a header's value, an empty text if its proof is invalid."""
    address, _, proof = value.partition(";")
    try:
        ipaddress.ip_address(address)
    except ValueError:
        return ""
    # as bytes: compare_digest raises TypeError for text with characters beyond ASCII
    good = hmac.compare_digest(_sign_address(address).encode(), proof.encode())
    return address if good else ""


def get_client_address(request: HttpRequest) -> str:
    """Return the caller's address, trusting as many proxies as settings.TRUSTED_PROXIES.

    For a call that one of our own processes relays it is the original client's.
    """
    # a relayed address is proved; what X-Forwarded-For says depends on who sent it
    relayed = verify_relayed_address(request.headers.get(HEADER, ""))
    peer, forwarded = request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR")
    address = relayed or find_client_behind_proxies(str(peer), str(forwarded or ""))
    try:
        # proxies may add the port: `[2001:db8::1]:443`, `192.0.2.1:443`; a bare IPv6 address has
        # more colons than one
        if address.startswith("["):
            host = address[1:].partition("]")[0]
        else:
            host = address.partition(":")[0] if address.count(":") == 1 else address
        # a link-local address may name its interface: fe80::1%eth0
        parsed = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    # dual-stack sockets report IPv4 peers as ::ffff:192.0.2.1
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    # an IPv6 client owns a /64: count that, not its 2^64 addresses
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def find_client_behind_proxies(peer: str, forwarded: str) -> str:
    """Return the client behind the trusted proxies; `forwarded` is X-Forwarded-For."""
    hops = [part.strip() for part in forwarded.split(",") if part.strip()]
    # each proxy appends its peer, so the last entries are ours and everything before is the
    # client's claim
    trusted = settings.TRUSTED_PROXIES
    return hops[-trusted] if trusted and len(hops) >= trusted else peer
