"""The authenticated client address when one of our processes calls another.

Tool calls come from the MCP server; without this header the limits would see all agents as one
address. The proof is an HMAC with a key that only our own processes can derive, so that no client
can forge an address in the header.
"""

import hashlib
import hmac
from ipaddress import ip_address

from django.conf import settings

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
