"""Headers of x402: base64 (standard, padded) of JSON."""

import base64
import binascii
import json
from typing import Any

LONGEST = 16_384  # characters of a header; a payment with its signature has about 1,000


class MalformedHeader(Exception):
    """A header violates the protocol; the text says what is wrong, without the input."""


def encode_header(document: Any) -> str:
    """Return a document as a header's value."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(text.encode()).decode()


def decode_header(header: str) -> dict[str, Any]:
    """Return the document of a header's value, or raise MalformedHeader."""
    if len(header) > LONGEST:
        raise MalformedHeader(f"it is longer than {LONGEST} characters")
    try:
        # `validate`: without it Python drops characters outside the alphabet
        document = json.loads(base64.b64decode(header.strip(), validate=True))
    # deeply nested JSON exhausts the stack
    except (binascii.Error, ValueError, RecursionError):
        raise MalformedHeader("it is not base64 of JSON") from None
    if not isinstance(document, dict):
        raise MalformedHeader("it is not base64 of a JSON object")
    return document
