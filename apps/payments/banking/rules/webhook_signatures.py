"""`Bank-Signature: t=<unix seconds>,v1=<hex>` (document 2 section 5). Pure.

v1 is the HMAC-SHA256 of `<t>.<raw body>` by the secret as UTF-8 text. Parts may come in any order,
and unknown ones are ignored; of several v1, as while a secret is rotated, one valid signature is
enough.
"""

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# document 2 section 8; in either direction, the last second included
WINDOW_SECONDS = 300
# a header with thousands of v1 would cost an HMAC comparison each
MAX_PARTS = 16
SignatureFault = Literal["", "MALFORMED", "STALE", "WRONG"]
_SECONDS = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True, slots=True)
class Signature:
    """The content of a header: its time, and its signatures."""

    at: int
    proofs: tuple[bytes, ...]


def parse_signature(header: str) -> Signature | None:
    """Parse a header; None if a part is missing or unreadable."""
    times, proofs = [], []
    parts = header.split(",")
    if len(parts) > MAX_PARTS:
        return None
    for part in parts:
        name, _, value = part.strip().partition("=")
        if name == "t":
            times.append(value)
        elif name == "v1" and value:
            # a header may hold any characters: it must be WRONG (401), not an error of ours
            proofs.append(value.encode("utf-8", "surrogatepass"))
    # two times would leave open which of them was signed
    if len(times) != 1 or not proofs or not _SECONDS.fullmatch(times[0]):
        return None
    return Signature(int(times[0]), tuple(proofs))


def sign_body(*, secret: str, at: int, body: bytes) -> str:
    """Return the v1 of a body that is sent at a moment."""
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


def build_signature_header(*, secret: str, at: int, body: bytes) -> str:
    """Return the whole header of a body that is sent at a moment."""
    return f"t={at},v1={sign_body(secret=secret, at=at, body=body)}"


def find_signature_fault(
    *, sent: str, body: bytes, secrets: Sequence[str], now: int
) -> SignatureFault:
    """Return why a delivery is refused, empty if it is accepted; every secret is tried."""
    signature = parse_signature(sent)
    if signature is None:
        return "MALFORMED"
    # no early end: the time of an answer must not tell which secret or signature matched
    matches = False
    for secret in secrets:
        expected = sign_body(secret=secret, at=signature.at, body=body).encode()
        # bytes on both sides: texts that are not ASCII would raise
        for proof in signature.proofs:
            matches |= hmac.compare_digest(expected, proof)
    if not matches:
        return "WRONG"
    # after the HMAC: only a sender who holds the secret is told that its time is off
    return "STALE" if abs(now - signature.at) > WINDOW_SECONDS else ""
