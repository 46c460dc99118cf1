"""The client's address: behind proxies, and when one of our processes calls another.

Tool calls come from the MCP server; without this header the limits would see all agents as one
address. The proof is an HMAC with a key that only our own processes can derive, so that no client
can forge an address in the header.
"""

import hashlib
import hmac
import ipaddress
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from apps.access.keys import client_address

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
        ip_address(address)
    except ValueError:
        return ""
    good = hmac.compare_digest(_sign_address(address).encode(), proof.encode())
    return address if good else ""


def get_client_address(request: HttpRequest) -> str:
    """Return the caller's address, trusting as many proxies as settings.TRUSTED_PROXIES.

    For a call that one of our own processes relays it is the original client's.
    """
    relayed = client_address.verify_relayed_address(request.headers.get(client_address.HEADER, ""))
    peer, forwarded = request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR")
    # an IPv6 client owns a /64: count that, not its 2^64 addresses
    address = relayed or find_client_behind_proxies(str(peer), str(forwarded or ""))
    try:
        if address.startswith("["):
            port = address[1:].partition("]")[0]
        else:
            port = address.partition(":")[0] if address.count(":") == 1 else address
        parsed = ipaddress.ip_address(port.partition("%")[0])
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def find_client_behind_proxies(peer: str, forwarded: str) -> str:
    """Return the client behind the trusted proxies; `forwarded` is X-Forwarded-For."""
    hops = [part.strip() for part in forwarded.split(",") if part.strip()]
    trusted = settings.TRUSTED_PROXIES
    return hops[-trusted] if trusted and len(hops) >= trusted else peer
